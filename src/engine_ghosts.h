/* -*- c++ -*- Ghost atoms for the engine: messages from their owners, or on one rank the numbers of their owners.
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

  // On a single rank: finds for each of LAMMPS's ghosts the own atom that it is an image of, and how many boxes away it is

  void find_owners(class Pair *, class AtomAccess &);
  const int *owners() const { return owner.data(); }
  const int *images() const { return image.data(); }

  // Sends densities, where those of own atoms are made, to ghosts

  void send_densities(class Pair *, class AtomAccess &);

  // forward communication by the pair style

  int pack(ds_pair *, int, int *, double *, int, int *);
  void unpack(ds_pair *, int, int, double *);

  // The same with lists and buffers in host or device memory. pack() returns false if it has not filled the buffer

  static int message_length(const ds_pair *, int n);    // doubles
  bool pack(ds_pair *, int, const int *, void *, const int *shift, ds_space);
  void unpack(ds_pair *, int, int, const void *, ds_space);

 private:
  EngineSession &session;
  enum { ATOMS, OWNERS, DENSITIES } content;    // what messages have: see find_owners() and send_densities()
  std::vector<int> owner, image;

  int pack_owners(int, const int *, double *, const int *);
  void unpack_owners(int, int, const double *);
  int pack_densities(ds_pair *, int, const int *, double *);
  void unpack_densities(ds_pair *, int, int, const double *);
};

}    // namespace LAMMPS_NS

#endif
