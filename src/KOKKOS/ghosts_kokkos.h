/* -*- c++ -*- Ghosts that are not needed are left out of LAMMPS's communication.
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

  void begin();    // before a run

  // Called for every list of a run: reneighbored() before its first forces, the others after them. `axes` (1 x + 2 y + 4 z) are
  // those of whole_axes() along which the engine needs no ghosts

  bool reneighbored();    // false: forces with these ghosts have been evaluated before
  void decide(class Pair *);
  void leave_out(int axes);
  bool decided() const { return begun; }
  const std::string &why_ghosts_kept() const { return reason; }    // empty: only the pair style uses ghosts
  int whole_axes() const;    // axes that this process has for itself

  bool images_along(int axis) const { return !(missing >> axis & 1); }
  void send(class Pair *);    // forward communication of the pair style
  bool restore();             // after a run: makes all ghosts again, for commands that need them. true: there are new ghosts

 private:
  struct Message {
    int sendproc, recvproc, pbc_flag, pbc[6];
    double slablo, slabhi;
  };

  bool begun;
  bigint made;    // the step in which the present ghosts were made
  std::string reason;
  int missing;                       // axes along which there are no ghosts now
  std::vector<Message> now, next;    // messages with which ghosts were made last, and will be made next

  void put(const std::vector<Message> &);
};

}    // namespace LAMMPS_NS

#endif
