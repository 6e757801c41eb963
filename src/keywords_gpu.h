/* -*- c++ -*- Keywords of pair_style and values of coefficients, for the pair styles of this package.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_KEYWORDS_GPU_H
#define LMP_DPDSOP_KEYWORDS_GPU_H

#include "pair_gpu.h"

#include "dpdsop/pair.h"

namespace LAMMPS_NS {
namespace PairGPUKeywords {

// The values are in the order of the enum of their meanings

struct Keyword {
  const char *name;
  const char *values[3];
  const char *allowed;
};

inline constexpr Keyword KEYWORDS[] = {
    {"precision", {"mixed", "double", nullptr},
     "mixed, double (single has been removed: it was no faster)"},
    {"backend", {"auto", "host", "cuda"}, "auto, cuda, host"},
    {"neigh", {"own", nullptr, nullptr},
     "own (lammps has been removed: own serves neigh_modify include and atom_style template, too)"},
};
enum { PRECISION, BACKEND, NEIGH, NKEYWORDS };

static_assert(DS_PRECISION_MIXED == 0 && DS_PRECISION_DOUBLE == 1 && DS_BACKEND_AUTO == 0 &&
                  DS_BACKEND_HOST == 1 && DS_BACKEND_CUDA == 2,
              "order of keyword values");

// The value of a coefficient that has not been set

inline double neutral(PairGPUStyle::Range range)
{
  return range == PairGPUStyle::EXPONENT || range == PairGPUStyle::FACTOR ? 1.0 : 0.0;
}

}    // namespace PairGPUKeywords
}    // namespace LAMMPS_NS

#endif
