/* Internal fix of the pair styles of this package: atoms are taken into a sheared box before it flips.
   SPDX-License-Identifier: GPL-2.0-or-later

   When a box has been sheared by half an edge, fix deform flips it at the beginning of the next rebuild of lists. It wraps all
   atoms into the new box. But it does not change the velocities of atoms that have left the old box through a sheared face
   since the last rebuild. With remap v these would go on with the velocity of the opposite face. So this fix wraps atoms
   right before, and changes their velocities as well. */

#include "fix_dpd_gpu_wrap.h"

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "modify.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

static const char *const DEFORMING = "^deform";

/* ---------------------------------------------------------------------- */

void FixDPDGPUWrap::keep(LAMMPS *lmp, const std::string &user)
{
  Modify *const modify = lmp->modify;
  Fix *const fix = modify->get_fix_by_id(ID);
  const bool wanted = lmp->domain->triclinic && !modify->get_fix_by_style(DEFORMING).empty();
  if (fix && strcmp(fix->style, STYLE) != 0) {
    if (wanted)
      lmp->error->all(FLERR, "{}: fix ID {} is used for a fix of style {}, allowed is any other ID",
                      user, ID, fix->style);
    return;
  }
  if (wanted && !fix) modify->add_fix(std::string(ID) + " all " + STYLE, 0);
  if (!wanted && fix) modify->delete_fix(ID);
}

void FixDPDGPUWrap::drop(LAMMPS *lmp)
{
  const Fix *const fix = lmp->modify->get_fix_by_id(ID);
  if (fix && strcmp(fix->style, STYLE) == 0) lmp->modify->delete_fix(ID);
}

/* ----------------------------------------------------------------------
   With KOKKOS the fix works, too: it calls functions of Domain, which KOKKOS overrides
------------------------------------------------------------------------- */

FixDPDGPUWrap::FixDPDGPUWrap(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  kokkosable = lmp->kokkos ? 1 : 0;
  datamask_read = datamask_modify = 0;
}

int FixDPDGPUWrap::setmask()
{
  return FixConst::POST_INTEGRATE;
}

/* ---------------------------------------------------------------------- */

bool FixDPDGPUWrap::flips_box() const
{
  for (const Fix *fix : modify->get_fix_by_style(DEFORMING))
    if (fix->force_reneighbor && fix->next_reneighbor == update->ntimestep) return true;
  return false;
}

void FixDPDGPUWrap::post_integrate()
{
  if (!domain->deform_vremap || !flips_box()) return;
  domain->x2lamda(atom->nlocal);
  domain->pbc();
  domain->lamda2x(atom->nlocal);
}
