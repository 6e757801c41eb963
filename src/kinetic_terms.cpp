/* What LAMMPS's compute temp adds up, made by the engine.   SPDX-License-Identifier: GPL-2.0-or-later

   For a temperature one core of the host adds m v.v of one atom after the other. For a million atoms that takes as
   long as ten steps of a GPU, most of it to read velocities that have just been copied. So the engine makes the terms,
   and LAMMPS adds them: its compute temp is shown atoms with v = (1,0,0) whose masses are these terms. Products
   with 1 and sums with 0 are exact, so the sum has the bits that velocities would give. */

#include "kinetic_terms.h"

#include "atom.h"
#include "compute.h"
#include "modify.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

KineticTerms::KineticTerms(LAMMPS *lmp) : Pointers(lmp), verdict(NOT_YET), one{1.0, 0.0, 0.0} {}

/* ----------------------------------------------------------------------
   compiled with fused operations, LAMMPS does not round m v.v before it adds it.
   Masses that are powers of two leave nothing to round
------------------------------------------------------------------------- */

static bool is_power_of_two(double mass)
{
  int exponent;
  return std::frexp(mass, &exponent) == 0.5;
}

bool KineticTerms::can_fuse() const
{
  const double *first = atom->rmass ? atom->rmass : atom->mass + 1;
  return std::all_of(first, first + (atom->rmass ? atom->nlocal : atom->ntypes), is_power_of_two);
}

/* ---------------------------------------------------------------------- */

void KineticTerms::compare(const double *terms, bigint since)
{
  for (Compute *compute : modify->get_compute_list()) {
    if (strcmp(compute->style, "temp") != 0 || compute->invoked_scalar < since) continue;
    const double theirs = compute->compute_scalar();
    double ours;
    {
      const Shown shown(*this, terms);
      ours = compute->compute_scalar();
    }
    if (memcmp(&theirs, &ours, sizeof ours) != 0) {
      compute->compute_scalar();
      verdict = OTHER;
      return;
    }
    verdict = SAME;
  }
}

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
