/* The atoms of a run in KOKKOS's arrays. Their types and layouts differ between versions of KOKKOS, so they are read from
   the types of its views.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "atom_access_kokkos.h"

#include "atom_masks.h"
#include "kokkos.h"

#include "dpdsop/resident.h"

#include <type_traits>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

template <class DeviceType>
AtomAccessKokkos<DeviceType>::AtomAccessKokkos(LAMMPS *lmp) : AtomAccess(lmp), ghosts(lmp)
{
}

/* ---------------------------------------------------------------------- */

std::unique_ptr<AtomAccess> AtomAccess::of_kokkos(LAMMPS *lmp)
{
  if (!lmp->kokkos) return nullptr;
  return std::make_unique<AtomAccessKokkos<LMPDeviceType>>(lmp);
}

template <class DeviceType> const char *AtomAccessKokkos<DeviceType>::owner() const
{
  return DeviceType::name();
}

/* ----------------------------------------------------------------------
   The stream of Kokkos's default instance, in which LAMMPS launches all kernels
------------------------------------------------------------------------- */

template <class DeviceType> void *AtomAccessKokkos<DeviceType>::stream() const
{
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (ON_DEVICE) {
    const cudaStream_t given = DeviceType().cuda_stream();
    return given ? given : cudaStreamLegacy;    // with a null stream, the engine would make one of its own
  }
#endif
  return nullptr;
}

/* ---------------------------------------------------------------------- */

template <class Value> static constexpr ds_type type_of()
{
  static_assert(std::is_floating_point<Value>::value || std::is_integral<Value>::value, "numbers");
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "of 32 or 64 bits");
  if (std::is_floating_point<Value>::value) return sizeof(Value) == 8 ? DS_F64 : DS_F32;
  return sizeof(Value) == 8 ? DS_I64 : DS_I32;
}

template <class DeviceType, class Dual> static ds_array array_of(const Dual &dual)
{
  const auto view = dual.template view<DeviceType>();
  using View = std::decay_t<decltype(view)>;
  return {const_cast<typename View::non_const_value_type *>(view.data()),
          type_of<typename View::non_const_value_type>(),
          AtomAccessKokkos<DeviceType>::ON_DEVICE ? DS_SPACE_DEVICE : DS_SPACE_HOST,
          static_cast<ptrdiff_t>(view.stride(0)),
          View::rank > 1 ? static_cast<ptrdiff_t>(view.stride(View::rank - 1)) : 1};
}

/* ---------------------------------------------------------------------- */

static ExecutionSpace space_of(ds_space memory)
{
  return memory == DS_SPACE_DEVICE ? Device : Host;
}

template <class DeviceType> void AtomAccessKokkos<DeviceType>::bring_to(ds_space memory)
{
  unsigned int mask = X_MASK | V_MASK | F_MASK | TAG_MASK | TYPE_MASK | MASK_MASK | IMAGE_MASK;
  if (atom->rmass) mask |= RMASS_MASK;
  if (atom->molecule) mask |= MOLECULE_MASK;
  atomKK()->sync(space_of(memory), mask);
}

template <class DeviceType> void AtomAccessKokkos<DeviceType>::changed_in(ds_space memory, int fields)
{
  const unsigned int mask = (fields & DS_POSITION ? X_MASK : 0) | (fields & DS_VELOCITY ? V_MASK : 0) |
      (fields & DS_FORCE ? F_MASK : 0) | (fields & DS_IMAGE ? IMAGE_MASK : 0);
  if (mask) atomKK()->modified(space_of(memory), mask);
}

/* ---------------------------------------------------------------------- */

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::x() const
{
  return array_of<DeviceType>(atomKK()->k_x);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::v() const
{
  return array_of<DeviceType>(atomKK()->k_v);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::f() const
{
  return array_of<DeviceType>(atomKK()->k_f);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::tag() const
{
  return array_of<DeviceType>(atomKK()->k_tag);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::type() const
{
  return array_of<DeviceType>(atomKK()->k_type);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::mask() const
{
  return array_of<DeviceType>(atomKK()->k_mask);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::image() const
{
  return array_of<DeviceType>(atomKK()->k_image);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::rmass() const
{
  return atom->rmass ? array_of<DeviceType>(atomKK()->k_rmass) : ds_array{};
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::molecule() const
{
  return array_of<DeviceType>(atomKK()->k_molecule);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::nspecial()
{
  return array_of<DeviceType>(atomKK()->k_nspecial);
}

template <class DeviceType> ds_array AtomAccessKokkos<DeviceType>::special()
{
  return array_of<DeviceType>(atomKK()->k_special);
}

namespace LAMMPS_NS {
template class AtomAccessKokkos<LMPDeviceType>;
#ifdef LMP_KOKKOS_GPU
template class AtomAccessKokkos<LMPHostType>;
#endif
}    // namespace LAMMPS_NS
