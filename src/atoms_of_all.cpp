/* Arrays of LAMMPS's atoms of all processes.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "atoms_of_all.h"

#include "atom.h"
#include "comm.h"
#include "error.h"

#include <numeric>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

void AtomsOfAll::find()
{
  int mine = atom->nlocal;
  if (atom->natoms >= MAXSMALLINT / 3)    // MPI counts in integers of 32 bits
    error->all(FLERR, "{} atoms cannot be gathered, allowed: fewer than {}", atom->natoms, MAXSMALLINT / 3);
  counts.resize(comm->nprocs);
  MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, world);
  begin = std::accumulate(counts.begin(), counts.begin() + comm->me, 0);
  count = std::accumulate(counts.begin(), counts.end(), 0);
}

ds_array AtomsOfAll::gather(Field field, const ds_array &own)
{
  if (comm->nprocs == 1) return own;
  const bool is_double = own.type == DS_F64, is_wide = own.type == DS_I64;
  const MPI_Datatype type = is_double ? MPI_DOUBLE
                            : is_wide ? MPI_LONG_LONG
                                      : MPI_INT;    // LAMMPS's own MPI has no MPI_INT64_T
  const int components = static_cast<int>(own.atom_stride);
  std::vector<int> sizes(counts), places(counts.size());
  for (int &size : sizes) size *= components;
  std::partial_sum(sizes.begin(), sizes.end() - 1, places.begin() + 1);
  copy[field].resize(static_cast<size_t>(count) * components * ds_type_bytes(own.type) + 1);
  MPI_Allgatherv(own.data, sizes[comm->me], type, copy[field].data(), sizes.data(), places.data(), type, world);
  ds_array whole = own;
  whole.data = copy[field].data();
  return whole;
}

double AtomsOfAll::memory_usage() const
{
  double bytes = 0.0;
  for (const std::vector<char> &c : copy) bytes += static_cast<double>(c.capacity());
  return bytes;
}
