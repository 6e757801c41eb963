/* What LAMMPS's compute temp adds up, made by the engine.   SPDX-License-Identifier: GPL-2.0-or-later

   For a temperature one core of the host adds m v.v of one atom after the other. For a million atoms that takes as
   long as ten steps of a GPU, most of it to read velocities that have just been copied. So the engine makes the terms,
   and LAMMPS adds them: its compute temp is shown atoms with v = (1,0,0) whose masses are these terms. Products
   with 1 and sums with 0 are exact, so the sum has the bits that velocities would give. */

#include "kinetic_terms.h"

#include "atom.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

KineticTerms::KineticTerms(LAMMPS *lmp) : Pointers(lmp), one{1.0, 0.0, 0.0} {}

/* ---------------------------------------------------------------------- */

KineticTerms::Shown::Shown(KineticTerms &own, const double *terms) :
    atom(own.atom), v(own.atom->v), rmass(own.atom->rmass)
{
  own.rows.resize(std::max(atom->nlocal, 1), own.one);
  atom->v = own.rows.data();
  atom->rmass = const_cast<double *>(terms);    // which nobody changes
}

KineticTerms::Shown::~Shown()
{
  atom->v = v;
  atom->rmass = rmass;
}
