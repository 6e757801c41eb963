/* LAMMPS's fixes ave/time and ave/correlate in a run of KOKKOS, which leave atoms where they are.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_ave_kokkos.h"

#include "compute_step.h"

#include "atom_kokkos.h"
#include "atom_masks.h"
#include "error.h"
#include "kokkos.h"
#include "modify.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

template <class FIX>
FixAveKokkos<FIX>::FixAveKokkos(LAMMPS *lmp, int narg, char **arg) :
    FIX(lmp, narg, arg), has_variables(false), reads_atoms(true)
{
  if (!lmp->kokkos)
    lmp->error->all(FLERR, "Fix {0}: KOKKOS is off in this run, allowed are a run with -k on, and fix {1} in this one", arg[2],
                    std::string(arg[2]).substr(0, std::string(arg[2]).rfind('/')));
  this->kokkosable = 1;
  this->datamask_read = this->datamask_modify = EMPTY_MASK;
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

template <class FIX> void FixAveKokkos<FIX>::init()
{
  FIX::init();
  reads_atoms = has_variables || !std::all_of(computes.begin(), computes.end(), [this](const std::string &id) {
    return finds_atoms(this->modify->get_compute_by_id(id));
  });
}

template <class FIX> void FixAveKokkos<FIX>::end_of_step()
{
  KokkosLMP *const kokkos = this->lmp->kokkos;
  const int before = kokkos->auto_sync;
  if (reads_atoms) {
    static_cast<AtomKokkos *>(this->atom)->sync(Host, ALL_MASK);
    kokkos->auto_sync = 1;
  }
  FIX::end_of_step();
  kokkos->auto_sync = before;
}

namespace LAMMPS_NS {
template class FixAveKokkos<FixAveTime>;
template class FixAveKokkos<FixAveCorrelate>;
}    // namespace LAMMPS_NS
