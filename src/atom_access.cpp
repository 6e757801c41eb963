/* Where the atoms of a run are: in LAMMPS's own arrays.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "atom_access.h"

#include "atom.h"
#include "atom_arrays.h"
#include "comm.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

#ifndef LMP_KOKKOS    // else KOKKOS/atom_access_kokkos.cpp has it
std::unique_ptr<AtomAccess> AtomAccess::of_kokkos(LAMMPS *)
{
  return nullptr;
}
#endif

void AtomAccess::send_ghosts(Pair *pair)
{
  comm->forward_comm(pair);
}

/* ---------------------------------------------------------------------- */

ds_array AtomAccess::x() const
{
  return AtomArrays::rows(atom->x, 3);
}

ds_array AtomAccess::v() const
{
  return AtomArrays::rows(atom->v, 3);
}

ds_array AtomAccess::f() const
{
  return AtomArrays::rows(atom->f, 3);
}

ds_array AtomAccess::tag() const
{
  return AtomArrays::tags(atom->tag);
}

ds_array AtomAccess::type() const
{
  return AtomArrays::vector(atom->type);
}

ds_array AtomAccess::mask() const
{
  return AtomArrays::vector(atom->mask);
}

ds_array AtomAccess::image() const
{
  return {atom->image, sizeof(imageint) == 8 ? DS_I64 : DS_I32, DS_SPACE_HOST, 1, 1};
}

ds_array AtomAccess::rmass() const
{
  return AtomArrays::vector(atom->rmass);
}

ds_array AtomAccess::molecule() const
{
  return AtomArrays::tags(atom->molecule);
}

ds_array AtomAccess::charge() const
{
  return AtomArrays::vector(atom->q);
}

void AtomAccess::find_special()
{
  if (atom->molecular == Atom::TEMPLATE) partners.find();
}

ds_array AtomAccess::nspecial()
{
  return atom->molecular == Atom::TEMPLATE ? partners.nspecial() : AtomArrays::rows(atom->nspecial, 3);
}

ds_array AtomAccess::special()
{
  return atom->molecular == Atom::TEMPLATE ? partners.special() : AtomArrays::tag_rows(atom->special, atom->maxspecial);
}
