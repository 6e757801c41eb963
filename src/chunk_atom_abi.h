/* -*- c++ -*- LAMMPS's class ComputeChunkAtom, declared here because LAMMPS does not install its header.
   SPDX-License-Identifier: GPL-2.0-or-later

   All its virtual functions are those of Compute, whose header is installed. Its members are not used here, so an array makes
   room for them, and for more (with those of Compute they take 1272 bytes in 4 Feb 2025 and 22 Jul 2025). If this file is
   compiled within a source tree of LAMMPS, LAMMPS's own header is used. */

#ifndef LMP_DPDSOP_CHUNK_ATOM_ABI_H
#define LMP_DPDSOP_CHUNK_ATOM_ABI_H

#if __has_include("compute_chunk_atom.h")
#include "compute_chunk_atom.h"
#else

#include "compute.h"

namespace LAMMPS_NS {

class ComputeChunkAtom : public Compute {
 public:
  ComputeChunkAtom(class LAMMPS *, int, char **);
  ~ComputeChunkAtom() override;
  void init() override;
  void setup() override;
  void compute_peratom() override;
  double compute_scalar() override;
  void set_arrays(int) override;
  double memory_usage() override;
  void lock(class Fix *, bigint, bigint) override;
  void unlock(class Fix *) override;

 private:
  static constexpr int ROOM = 4096;
  alignas(16) char members[ROOM];
};

}    // namespace LAMMPS_NS

#endif
#endif
