/* -*- c++ -*- Pair styles of this package in a run with KOKKOS, which has the atoms, moves them, and sends ghosts.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_PAIR_GPU_KOKKOS_H
#define LMP_PAIR_GPU_KOKKOS_H

#include "pair_dpd_ext_gpu.h"
#include "pair_dpd_gpu.h"
#include "pair_dpd_tstat_gpu.h"

#include "atom_access_kokkos.h"
#include "kokkos_base.h"
#include "kokkos_types.h"

namespace LAMMPS_NS {

template <class PairStyle, class DeviceType>
class PairGPUKokkos : public PairStyle, public KokkosBase {
 public:
  PairGPUKokkos(class LAMMPS *);
  void compute(int, int) override;

  int pack_forward_comm_kokkos(int, DAT::tdual_int_1d, KokkosCommBuffer &, int, int *) override;
  void unpack_forward_comm_kokkos(int, int, KokkosCommBuffer &) override;

 protected:
  void choose_atoms() override;
  bool is_for_kokkos() const override { return true; }
  int backend_of_run() const override;

 private:
  AtomAccessKokkos<DeviceType> atoms;
  bool in_place;    // the engine works on the atoms where KOKKOS has them
  bool told;        // the log says what slows this run down

  bool may_put_forces() const;
  void clear_ghost_forces();
  void choose_ghosts();
  void tell();
};

}    // namespace LAMMPS_NS

#endif
