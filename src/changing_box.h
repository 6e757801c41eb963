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

  // Lists are rebuilt in this step, in the box as it is now. And the square of the way, in length units, beyond which LAMMPS
  // rebuilds them again: half the skin, less what the box's corners have moved since

  void save_rebuild_state(bigint step);
  double trigger2(double skin) const;

  // Boxes of a run of steps that may go back to one that was thought to be over. They are known by step, and by whether they
  // are there in its second half, from the forces on

  void begin(bigint step, bool second_half);
  void record(bigint step, bool second_half);
  void go_back(bigint step, bigint rebuilt);    // to the first half of a step; lists were rebuilt last in the other one

  // LAMMPS's box is that of the last rebuild while this lives

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
  static constexpr size_t LIMIT = 128;    // steps that a run can go back, and more

  struct Rebuild {
    bigint step;
    BoxShape shape;
    double corners[8][3];
  };
  struct Record {
    bigint half_step;
    BoxShape shape;
  };
  std::deque<Rebuild> rebuilds;    // in the order of steps, as the records
  std::deque<Record> records;

  void find_corners(double (*to)[3]) const;
};

}    // namespace LAMMPS_NS

#endif
