/* Internal fix of the pair styles of this package, in a run with KOKKOS. Velocities are kept between runs only, so they move
   with their atoms once per run, in its set-up. They stay on the host, where the values of the few atoms that leave are
   packed. In steps there is nothing to move. But KOKKOS keeps its atoms on the GPU only if every fix says that it can move
   its values with them, as this one does.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_dpd_gpu_state_kokkos.h"

#include "atom_access.h"

#include "atom_kokkos.h"
#include "atom_masks.h"

#include <cstring>

using namespace LAMMPS_NS;

using OnHost = Kokkos::View<double *, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using OnDevice = Kokkos::View<double *, LMPDeviceType, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/* ---------------------------------------------------------------------- */

FixDPDGPUStateKokkos::FixDPDGPUStateKokkos(LAMMPS *lmp, int narg, char **arg) :
    FixDPDGPUState(lmp, narg, arg)
{
  kokkosable = 1;
  exchange_comm_device = sort_device = 1;
  execution_space = Host;    // where all its other functions work
  datamask_read = datamask_modify = EMPTY_MASK;

  // restart files name the style to which data of atoms belong: with and without KOKKOS it has to be the same name

  delete[] style;
  style = utils::strdup(STYLE);
}

/* ----------------------------------------------------------------------
   Packs the values of atoms that leave, named by `list`. `copies` names the atom that
   takes the place of each, or -1. Returns the length of the message
------------------------------------------------------------------------- */

int FixDPDGPUStateKokkos::pack_exchange_kokkos(const int &n, KokkosExchangeBuffer &k_buf,
                                               DAT::tdual_int_1d k_list, DAT::tdual_int_1d k_copies,
                                               ExecutionSpace space)
{
  if (step < 0 || n == 0) return 0;
  k_list.sync_host();
  k_copies.sync_host();
  const auto list = k_list.view_host(), copies = k_copies.view_host();

  message.resize(static_cast<size_t>(n) * NVALUES);
  for (int k = 0; k < n; k++) {
    memcpy(&message[static_cast<size_t>(k) * NVALUES], of_atom(list(k)), NVALUES * sizeof(double));
    if (copies(k) >= 0) copy_arrays(copies(k), list(k), 1);
  }

  const OnHost from(message.data(), message.size());
  if (space == Device)
    Kokkos::deep_copy(OnDevice(k_buf.view_device().data(), message.size()), from);
  else
    Kokkos::deep_copy(OnHost(k_buf.view_host().data(), message.size()), from);
  return static_cast<int>(message.size());
}

/* ----------------------------------------------------------------------
   The buffer has the messages of both neighbors one after the other. Atoms that this
   process keeps have an index >= 0
------------------------------------------------------------------------- */

void FixDPDGPUStateKokkos::unpack_exchange_kokkos(KokkosExchangeBuffer &k_buf,
                                                  DAT::tdual_int_1d &k_indices, int n,
                                                  int /*nfirst*/, int /*length_of_first*/,
                                                  ExecutionSpace space)
{
  if (step < 0 || n == 0) return;
  message.resize(static_cast<size_t>(n) * NVALUES);
  const OnHost to(message.data(), message.size());
  if (space == Device) {
    Kokkos::deep_copy(to, OnDevice(k_buf.view_device().data(), message.size()));
    Kokkos::deep_copy(k_indices.view_host(), k_indices.view_device());
  } else
    Kokkos::deep_copy(to, OnHost(k_buf.view_host().data(), message.size()));

  const auto indices = k_indices.view_host();
  for (int k = 0; k < n; k++)
    if (indices(k) >= 0)
      memcpy(of_atom(indices(k)), &message[static_cast<size_t>(k) * NVALUES],
             NVALUES * sizeof(double));
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUStateKokkos::sort_kokkos(Kokkos::BinSort<KeyViewType, BinOp> &sorter)
{
  if (step < 0) return;
  const auto order =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sorter.get_permute_vector());
  const size_t n = order.extent(0);
  message.resize(n * NVALUES);
  for (size_t k = 0; k < n; k++)
    memcpy(&message[k * NVALUES], of_atom(static_cast<int>(order(k))), NVALUES * sizeof(double));
  memcpy(kept, message.data(), message.size() * sizeof(double));
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUStateKokkos::need_motion()
{
  static_cast<AtomKokkos *>(atom)->sync(Host, X_MASK | V_MASK);
}

/* ---------------------------------------------------------------------- */

ds_array FixDPDGPUStateKokkos::kept_for(const AtomAccess &atoms)
{
  ds_array values = FixDPDGPUState::kept_for(atoms);
  if (atoms.space() == DS_SPACE_HOST) return values;

  const size_t n = static_cast<size_t>(atom->nlocal) * NVALUES;
  if (d_kept.extent(0) < n) Kokkos::realloc(d_kept, n);
  Kokkos::deep_copy(OnDevice(d_kept.data(), n), OnHost(kept, n));
  values.data = d_kept.data();
  values.space = DS_SPACE_DEVICE;
  return values;
}
