/* Pair styles of this package in a run with KOKKOS. The engine makes lists and forces where KOKKOS has the atoms, and in
   KOKKOS's stream. KOKKOS does the rest of a step. With backend host and atoms on a GPU, LAMMPS copies the atoms to the host
   and back in each step, and the engine works as in a run without KOKKOS.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_gpu_kokkos.h"

#include "engine_handle.h"

#include "atom_masks.h"
#include "comm.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "kokkos.h"
#include "modify.h"
#include "neighbor_kokkos.h"
#include "update.h"

#include <type_traits>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
PairGPUKokkos<PairStyle, DeviceType>::PairGPUKokkos(LAMMPS *lmp) :
    PairStyle(lmp), atoms(lmp), in_place(true), told(false)
{
  if (!lmp->kokkos)
    this->error->all(
        FLERR,
        "Pair {}/kk: KOKKOS is off in this run, allowed are a run with -k on, and pair "
        "style {} in this one",
        this->style.name, this->style.name);
}

/* ----------------------------------------------------------------------
   Called once per run, before the engine is opened
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
void PairGPUKokkos<PairStyle, DeviceType>::choose_atoms()
{
  const bool before = in_place;
  in_place = !(AtomAccessKokkos<DeviceType>::ON_DEVICE && this->backend == DS_BACKEND_HOST);
  this->kokkosable = in_place ? 1 : 0;
  this->execution_space = in_place ? ExecutionSpaceFromDevice<DeviceType>::space : Host;
  this->datamask_read = in_place ? X_MASK | V_MASK | F_MASK | TYPE_MASK | TAG_MASK | MASK_MASK |
                                       MOLECULE_MASK | SPECIAL_MASK
                                 : ALL_MASK;
  this->datamask_modify = in_place ? F_MASK | ENERGY_MASK | VIRIAL_MASK : ALL_MASK;
  this->fuse_force_clear_flag = 0;
  this->engine->use_atoms(in_place ? &atoms : nullptr);
  atoms.ghosts.begin();
  told = false;
  // KOKKOS finds by a pair style's request for a list where it has to measure how far atoms have moved, and to list bonds
  if (in_place && AtomAccessKokkos<DeviceType>::ON_DEVICE)
    static_cast<NeighborKokkos *>(this->neighbor)->device_flag = 1;

  if (this->comm->me == 0 && !in_place && before)
    utils::logmesg(this->lmp, "Pair {}/kk: atoms go to the host and back in each step, because of backend host\n",
                   this->style.name);
}

/* ----------------------------------------------------------------------
   For atoms on a GPU in place, only backend cuda is possible. If a machine with a GPU
   runs KOKKOS on its host, the user wants the host: backend auto does not take the GPU
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
int PairGPUKokkos<PairStyle, DeviceType>::backend_of_run() const
{
  if (AtomAccessKokkos<DeviceType>::ON_DEVICE) return in_place ? DS_BACKEND_CUDA : this->backend;
  const bool others = !std::is_same<DeviceType, LMPDeviceType>::value;
  return others && this->backend == DS_BACKEND_AUTO ? DS_BACKEND_HOST : this->backend;
}

/* ----------------------------------------------------------------------
   Whether nothing writes forces before the pair style. The style then overwrites them,
   and KOKKOS need not clear them: it asks fuse_force_clear_flag, and checks more itself
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
bool PairGPUKokkos<PairStyle, DeviceType>::may_put_forces() const
{
  return in_place && this->force->pair == this && this->update->whichflag == 1 &&
         this->modify->n_pre_force == 0 &&
         this->engine->computes_on_gpu() == AtomAccessKokkos<DeviceType>::ON_DEVICE;
}

/* ----------------------------------------------------------------------
   With newton on, LAMMPS adds forces on ghosts to those of their owners, so forces on
   ghosts have to be zero
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
void PairGPUKokkos<PairStyle, DeviceType>::clear_ghost_forces()
{
  const int n = this->atom->nlocal, all = n + this->atom->nghost;
  if (!this->force->newton || all == n) return;
  auto *atomKK = static_cast<AtomKokkos *>(this->atom);
  auto f = atomKK->k_f.template view<DeviceType>();
  Kokkos::deep_copy(DeviceType(), Kokkos::subview(f, std::make_pair(n, all), Kokkos::ALL), 0.0);
}

/* ---------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
void PairGPUKokkos<PairStyle, DeviceType>::compute(int eflag, int vflag)
{
  const bool reneighbored = in_place && this->neighbor->ago == 0 && atoms.ghosts.reneighbored();
  // KOKKOS has already read the flag as the last evaluation set it, and has not cleared forces if it was set. So forces are
  // overwritten in that case, too. The flag may even be from an earlier run that ended with an error
  const bool put = may_put_forces() || this->fuse_force_clear_flag;
  this->fuse_force_clear_flag = put ? 1 : 0;
  this->engine->put_forces(put);

  auto *atomKK = static_cast<AtomKokkos *>(this->atom);
  atomKK->sync(this->execution_space, this->datamask_read);
  if (put) clear_ghost_forces();
  PairStyle::compute(eflag, vflag);
  atomKK->modified(this->execution_space, in_place ? F_MASK : this->datamask_modify);

  if (reneighbored) choose_ghosts();
  if (!told) tell();
  told = true;
}

/* ---------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
void PairGPUKokkos<PairStyle, DeviceType>::choose_ghosts()
{
  GhostsKokkos &ghosts = atoms.ghosts;
  if (!ghosts.decided()) ghosts.decide(this);
  if (ghosts.why_ghosts_kept().empty())
    ghosts.leave_out(this->engine->axes_without_images(ghosts.whole_axes()));
}

/* ----------------------------------------------------------------------
   Called after the first forces, because fixes are initialized after pair styles
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType> void PairGPUKokkos<PairStyle, DeviceType>::tell()
{
  const int ranks = this->engine->get_session().node_ranks(), gpus = this->lmp->kokkos->ngpus;
  if (this->comm->me || !in_place) return;

  if (AtomAccessKokkos<DeviceType>::ON_DEVICE && ranks > gpus)
    utils::logmesg(
        this->lmp,
        "Pair {}/kk: {} ranks share {} GPU(s) of their node, allowed, but slower than one "
        "rank per GPU\n",
        this->style.name, ranks, gpus);
  if (!atoms.ghosts.why_ghosts_kept().empty())
    utils::logmesg(this->lmp,
                   "Pair {}/kk: all ghosts of LAMMPS are made and kept up to date, because {}\n",
                   this->style.name, atoms.ghosts.why_ghosts_kept());
  for (int k = 0; k < this->modify->nfix; k++) {
    const Fix *const fix = this->modify->fix[k];
    if (!this->modify->fmask[k] || fix->kokkosable) continue;
    utils::logmesg(this->lmp, "Pair {}/kk: fix {} of style {} is not KOKKOS's: {}\n",
                   this->style.name, fix->id, fix->style,
                   AtomAccessKokkos<DeviceType>::ON_DEVICE
                       ? "atoms go to the host and back in each step in which it works"
                       : "it works in one thread");
  }
}

/* ----------------------------------------------------------------------
   Forward communication where the atoms are. If this process has failed, it sets all
   bits of its message, by which the receiver knows
------------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
int PairGPUKokkos<PairStyle, DeviceType>::pack_forward_comm_kokkos(int n, DAT::tdual_int_1d k_list,
                                                                   KokkosCommBuffer &k_buf,
                                                                   int pbc_flag, int *pbc)
{
  const auto list = k_list.template view<DeviceType>();
  const auto buf = k_buf.template view<DeviceType>();
  const int length = this->engine->message_length(n);
  if (!this->engine->pack_in_place(n, list.data(), buf.data(), pbc_flag, pbc))
    Kokkos::deep_copy(DeviceType(), Kokkos::subview(buf, std::make_pair(0, length)), ubuf(-1).d);
  return length;
}

/* ---------------------------------------------------------------------- */

template <class PairStyle, class DeviceType>
void PairGPUKokkos<PairStyle, DeviceType>::unpack_forward_comm_kokkos(int n, int first,
                                                                      KokkosCommBuffer &k_buf)
{
  this->engine->unpack_in_place(n, first, k_buf.template view<DeviceType>().data());
}

namespace LAMMPS_NS {
template class PairGPUKokkos<PairDPDGPU, LMPDeviceType>;
template class PairGPUKokkos<PairDPDExtGPU, LMPDeviceType>;
template class PairGPUKokkos<PairDPDTstatGPU, LMPDeviceType>;
#ifdef LMP_KOKKOS_GPU
template class PairGPUKokkos<PairDPDGPU, LMPHostType>;
template class PairGPUKokkos<PairDPDExtGPU, LMPHostType>;
template class PairGPUKokkos<PairDPDTstatGPU, LMPHostType>;
#endif
}    // namespace LAMMPS_NS
