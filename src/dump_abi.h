/* -*- c++ -*- LAMMPS's class Dump as far as the last member of use here, declared because LAMMPS does not install its header.
   SPDX-License-Identifier: GPL-2.0-or-later

   These members are the first ones in 4 Feb 2025, 22 Jul 2025 and 4 Jul 2026. If this file is compiled within a source tree of
   LAMMPS, LAMMPS's own header is used. */

#ifndef LMP_DPDSOP_DUMP_ABI_H
#define LMP_DPDSOP_DUMP_ABI_H

#if __has_include("dump.h")
#include "dump.h"
#else

#include "pointers.h"

namespace LAMMPS_NS {

class Dump : protected Pointers {
 public:
  char *id, *style;
};

}    // namespace LAMMPS_NS

#endif
#endif
