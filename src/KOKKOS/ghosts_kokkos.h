/* -*- c++ -*- Ghosts that nobody needs: left out of LAMMPS's communication.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_GHOSTS_KOKKOS_H
#define LMP_DPDSOP_GHOSTS_KOKKOS_H

#include "pointers.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class GhostsKokkos : protected Pointers {
 public:
  explicit GhostsKokkos(class LAMMPS *);

  void begin();    // a run

  // With every list of it, before and after its first forces. `axes` (1 x + 2 y + 4 z) are those whose images the
  // engine can do without, of whole_axes()

  bool reneighbored();    // false: the forces of these ghosts were made before
  void decide(class Pair *);
  void leave_out(int axes);
  bool decided() const { return begun; }
  const std::string &why_ghosts_kept() const
  {
    return reason;
  }                          // why all stay; empty: the pair style alone uses ghosts
  int whole_axes() const;    // of which this process has all

  bool images_along(int axis) const { return !(missing >> axis & 1); }
  void send(class Pair *);    // forward communication of the pair style
  bool
  restore();    // when a run has ended, as what comes then may need them; true if they are others

 private:
  struct Message {
    int sendproc, recvproc, pbc_flag, pbc[6];
    double slablo, slabhi;
  };

  bool begun;
  bigint made;    // step in which the ghosts of now were made
  std::string reason;
  int missing;                       // axes without images now
  std::vector<Message> now, next;    // with which ghosts were made, and will be

  void put(const std::vector<Message> &);
};

}    // namespace LAMMPS_NS

#endif
