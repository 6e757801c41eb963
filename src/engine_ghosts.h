/* -*- c++ -*- Ghost atoms for the engine: messages from their owners, or who these are.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ENGINE_GHOSTS_H
#define LMP_DPDSOP_ENGINE_GHOSTS_H

#include "pointers.h"

#include "dpdsop/pair.h"

#include <vector>

namespace LAMMPS_NS {

class EngineGhosts : protected Pointers {
 public:
  EngineGhosts(class LAMMPS *, class EngineSession &);

  // on a single rank: own atom that each of LAMMPS's ghosts is an image of, and how many boxes away it is

  void find_owners(class Pair *, class AtomAccess &);
  const int *owners() const { return owner.data(); }
  const int *images() const { return image.data(); }

  // forward communication by the pair style

  int pack(ds_pair *, int, int *, double *, int, int *);
  void unpack(ds_pair *, int, int, double *);

  // the same for messages alone, of lists and in buffers of either memory; pack() returns false if there is none

  static int message_length(const ds_pair *, int n);    // doubles
  bool pack(ds_pair *, int, const int *, void *, const int *shift, ds_space);
  void unpack(ds_pair *, int, int, const void *, ds_space);

 private:
  EngineSession &session;
  bool finding;    // what is communicated are owners
  std::vector<int> owner, image;

  int pack_owners(int, const int *, double *, const int *);
  void unpack_owners(int, int, const double *);
};

}    // namespace LAMMPS_NS

#endif
