/* -*- c++ -*- A box that changes while atoms stay with the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_CHANGING_BOX_H
#define LMP_DPDSOP_CHANGING_BOX_H

#include "pointers.h"

#include "box_shape.h"

#include <deque>

namespace LAMMPS_NS {

class ChangingBox : protected Pointers {
 public:
  ChangingBox(class LAMMPS *);

  // save_rebuild_state() is called when lists are rebuilt, and saves the box. trigger2() is the square of the displacement, in
  // length units, beyond which LAMMPS rebuilds lists: half of what is left of the skin after the motion of the box's corners

  void save_rebuild_state(bigint step);
  double trigger2(double skin) const;

  // Boxes of a number of steps. The engine may go back to a step that it had already passed, so their boxes are recorded: those
  // of its first half, and of its second half, which begins with the forces. go_back() goes to the first half of `step`;
  // `rebuilt` is the step of the last rebuild before it

  void begin(bigint step, bool second_half);
  void record(bigint step, bool second_half);
  void go_back(bigint step, bigint rebuilt);

  // While an object of this class lives, LAMMPS's box is that of the last rebuild

  class RebuildBox {
   public:
    explicit RebuildBox(ChangingBox &);
    ~RebuildBox();
    RebuildBox(const RebuildBox &) = delete;
    RebuildBox &operator=(const RebuildBox &) = delete;

   private:
    ChangingBox &box;
    BoxShape present;
  };

 private:
  static constexpr size_t LIMIT = 128;    // more than the half steps that the engine can go back

  struct Rebuild {
    bigint step;
    BoxShape shape;
    double corners[8][3];
  };
  struct Record {
    bigint half_step;
    BoxShape shape;
  };
  std::deque<Rebuild> rebuilds;    // in the order of steps
  std::deque<Record> records;

  void find_corners(double (*to)[3]) const;
};

}    // namespace LAMMPS_NS

#endif
