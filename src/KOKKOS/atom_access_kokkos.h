/* -*- c++ -*- The atoms of a run where KOKKOS keeps them: on the GPU or, with its host spaces, beside LAMMPS's own.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOM_ACCESS_KOKKOS_H
#define LMP_DPDSOP_ATOM_ACCESS_KOKKOS_H

#include "atom_access.h"

#include "atom_kokkos.h"
#include "ghosts_kokkos.h"

#if defined(LMP_KOKKOS_GPU) && !defined(KOKKOS_ENABLE_CUDA)
#error                                                                                             \
    "Kokkos works on GPUs that this package does not know: it wants the space Cuda, OpenMP, Threads or Serial"
#endif

namespace LAMMPS_NS {

template <class DeviceType> class AtomAccessKokkos : public AtomAccess {
 public:
  static constexpr bool ON_DEVICE =
      !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename DeviceType::memory_space>::accessible;

  explicit AtomAccessKokkos(class LAMMPS *);

  const char *owner() const override;
  ds_space space() const override { return ON_DEVICE ? DS_SPACE_DEVICE : DS_SPACE_HOST; }
  void *stream() const override;
  bool images_along(int axis) const override { return ghosts.images_along(axis); }
  void send_ghosts(class Pair *pair) override { ghosts.send(pair); }
  bool end_run() override { return ghosts.restore(); }

  void bring_to(ds_space) override;
  void changed_in(ds_space, int fields) override;

  ds_array x() const override;
  ds_array v() const override;
  ds_array f() const override;
  ds_array tag() const override;
  ds_array type() const override;
  ds_array mask() const override;
  ds_array image() const override;
  ds_array rmass() const override;
  ds_array molecule() const override;
  ds_array nspecial() override;
  ds_array special() override;

  GhostsKokkos ghosts;

 private:
  AtomKokkos *atomKK() const    // not kept as a member, as command replicate makes another object
  {
    return static_cast<AtomKokkos *>(atom);
  }
};

}    // namespace LAMMPS_NS

#endif
