/* -*- c++ -*- Internal fix of the pair styles of this package, in a run of KOKKOS.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(DPD_GPU/STATE/kk,FixDPDGPUStateKokkos);
// clang-format on
#else

#ifndef LMP_FIX_DPD_GPU_STATE_KOKKOS_H
#define LMP_FIX_DPD_GPU_STATE_KOKKOS_H

#include "fix_dpd_gpu_state.h"

#include "kokkos_types.h"

namespace LAMMPS_NS {

class FixDPDGPUStateKokkos : public FixDPDGPUState, public KokkosBase {
 public:
  FixDPDGPUStateKokkos(class LAMMPS *, int, char **);

  // KOKKOS moves atoms to other ranks, and sorts them

  int pack_exchange_kokkos(const int &, KokkosExchangeBuffer &, DAT::tdual_int_1d,
                           DAT::tdual_int_1d, ExecutionSpace) override;
  void unpack_exchange_kokkos(KokkosExchangeBuffer &, DAT::tdual_int_1d &, int, int, int,
                              ExecutionSpace) override;
  void sort_kokkos(Kokkos::BinSort<KeyViewType, BinOp> &) override;

 protected:
  void need_motion() override;
  ds_array kept_for(const class AtomAccess &) override;

 private:
  Kokkos::View<double *, LMPDeviceType> d_kept;    // a copy on the GPU, for forces that are evaluated there
  std::vector<double> message;
};

}    // namespace LAMMPS_NS

#endif
#endif
