/* -*- c++ -*- LAMMPS's classes Integrate and Verlet, declared here because LAMMPS does not install their headers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Members and virtual functions are those of 4 Feb 2025, 22 Jul 2025 and 4 Jul 2026, in the same order; 4 Jul 2026 has one more
   member. If this file is compiled within a source tree of LAMMPS, LAMMPS's own headers are used. */

#ifndef LMP_DPDSOP_VERLET_ABI_H
#define LMP_DPDSOP_VERLET_ABI_H

#if __has_include("verlet.h")
#include "verlet.h"
#else

#include "pointers.h"

#include <vector>

namespace LAMMPS_NS {

class Integrate : protected Pointers {
 public:
  Integrate(class LAMMPS *, int, char **);
  virtual void init();
  virtual void setup(int) = 0;
  virtual void setup_minimal(int) = 0;
  virtual void run(int) = 0;
  virtual void force_clear() = 0;
  virtual void cleanup() {}
  virtual void reset_dt() {}
  virtual double memory_usage() { return 0; }

 protected:
  int eflag, vflag, virial_style, external_force_clear;
  std::vector<class Compute *> elist_global, elist_atom, vlist_global, vlist_atom, cvlist_atom;
  int pair_compute_flag, kspace_compute_flag;
#if DS_LAMMPS_VERSION >= 20260704
  int rk_flag;
#endif

  void ev_setup();
  void ev_set(bigint);
};

class Verlet : public Integrate {
 public:
  Verlet(class LAMMPS *, int, char **);
  void init() override;
  void setup(int) override;
  void setup_minimal(int) override;
  void run(int) override;
  void force_clear() override;
  void cleanup() override;

 protected:
  int triclinic, torqueflag, extraflag;
};

}    // namespace LAMMPS_NS

#endif
#endif
