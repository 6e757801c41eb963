/* Partners along bonds in atom_style template, which LAMMPS stores once for each molecule of a template.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "template_partners.h"

#include "atom.h"
#include "atom_arrays.h"
#include "error.h"
#include "molecule_abi.h"

#include <algorithm>

using namespace LAMMPS_NS;

#ifdef DS_UNKNOWN_CLASSES

void TemplatePartners::find()
{
  error->all(FLERR,
             "atom_style template: how LAMMPS {} keeps special bonds in molecule templates is not known, and it does not "
             "install molecule.h; allowed are special_bonds lj 1 1 1, another atom style, or this package in LAMMPS's "
             "source tree",
             DS_LAMMPS_VERSION_TEXT);
}

#else

/* ----------------------------------------------------------------------
   The molecule of an atom; null if the atom belongs to no template, or the molecule has
   no bonds
------------------------------------------------------------------------- */

static const Molecule *molecule_of(const Atom *atom, int i)
{
  const int k = atom->molindex[i];
  const Molecule *const molecule = k < 0 ? nullptr : atom->avec->onemols[k];
  return molecule && molecule->specialflag ? molecule : nullptr;
}

void TemplatePartners::find()
{
  const int n = atom->nlocal;
  count.assign(3 * static_cast<size_t>(n), 0);
  most = 0;
  for (int i = 0; i < n; i++) {
    const Molecule *const molecule = molecule_of(atom, i);
    if (!molecule) continue;
    const int *const stored = molecule->nspecial[atom->molatom[i]];
    std::copy(stored, stored + 3, &count[3 * static_cast<size_t>(i)]);
    most = std::max(most, stored[2]);
  }

  // a template numbers its atoms from 1, and atoms of a molecule have consecutive IDs

  partner.assign(static_cast<size_t>(most) * n, 0);
  for (int i = 0; i < n; i++) {
    const Molecule *const molecule = molecule_of(atom, i);
    if (!molecule) continue;
    const int place = atom->molatom[i];
    const tagint before = atom->tag[i] - place - 1;
    for (int k = 0; k < molecule->nspecial[place][2]; k++)
      partner[static_cast<size_t>(most) * i + k] = before + molecule->special[place][k];
  }
}

#endif

/* ---------------------------------------------------------------------- */

ds_array TemplatePartners::nspecial()
{
  int *first = count.data();
  return AtomArrays::rows(&first, 3);
}

ds_array TemplatePartners::special()
{
  tagint *first = partner.data();
  return AtomArrays::tag_rows(&first, most);
}
