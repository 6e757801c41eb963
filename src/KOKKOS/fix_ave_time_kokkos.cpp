/* LAMMPS's fix ave/time in a run of KOKKOS, which leaves atoms where they are.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_ave_time_kokkos.h"

#include "compute_step.h"

#include "atom_kokkos.h"
#include "atom_masks.h"
#include "error.h"
#include "kokkos.h"
#include "modify.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixAveTimeKokkos::FixAveTimeKokkos(LAMMPS *lmp, int narg, char **arg) :
    FixAveTime(lmp, narg, arg), has_variables(false), reads_atoms(true)
{
  if (!lmp->kokkos)
    error->all(FLERR, "Fix ave/time/kk: KOKKOS is off in this run, allowed are a run with -k on, and fix ave/time in this one");
  kokkosable = 1;
  datamask_read = datamask_modify = EMPTY_MASK;
  for (int k = 6; k < narg; k++) {
    const std::string word = arg[k];
    if (word.compare(0, 2, "c_") == 0) computes.push_back(word.substr(2, word.find('[') - 2));
    if (word.compare(0, 2, "v_") == 0) has_variables = true;
  }
}

/* ----------------------------------------------------------------------
   Computes of KOKKOS and of this package find atoms by themselves. Pressures and energies
   are made of sums that others have added up
------------------------------------------------------------------------- */

static bool finds_atoms(Compute *compute)
{
  return compute && (compute->kokkosable || compute->pressflag || compute->peflag || dynamic_cast<ComputeStep *>(compute));
}

void FixAveTimeKokkos::init()
{
  FixAveTime::init();
  reads_atoms = has_variables || !std::all_of(computes.begin(), computes.end(), [this](const std::string &id) {
    return finds_atoms(modify->get_compute_by_id(id));
  });
}

void FixAveTimeKokkos::end_of_step()
{
  const int before = lmp->kokkos->auto_sync;
  if (reads_atoms) {
    static_cast<AtomKokkos *>(atom)->sync(Host, ALL_MASK);
    lmp->kokkos->auto_sync = 1;
  }
  FixAveTime::end_of_step();
  lmp->kokkos->auto_sync = before;
}
