/* -*- c++ -*- Types of KOKKOS that have other names in other versions of LAMMPS: read from its functions.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_KOKKOS_TYPES_H
#define LMP_DPDSOP_KOKKOS_TYPES_H

#include "kokkos_base.h"

namespace LAMMPS_NS {

namespace KokkosTypes {
template <class> struct ForwardUnpack;
template <class Class, class Buffer> struct ForwardUnpack<void (Class::*)(int, int, Buffer &)> {
  using buffer = Buffer;
};

template <class> struct ExchangeUnpack;
template <class Class, class Buffer, class Indices>
struct ExchangeUnpack<void (Class::*)(Buffer &, Indices &, int, int, int, ExecutionSpace)> {
  using buffer = Buffer;
};
}    // namespace KokkosTypes

using KokkosCommBuffer =
    KokkosTypes::ForwardUnpack<decltype(&KokkosBase::unpack_forward_comm_kokkos)>::buffer;
using KokkosExchangeBuffer =
    KokkosTypes::ExchangeUnpack<decltype(&KokkosBase::unpack_exchange_kokkos)>::buffer;

}    // namespace LAMMPS_NS

#endif
