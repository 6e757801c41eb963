/* -*- c++ -*- LAMMPS's class FixDeform, declared here because LAMMPS does not install its header.
   SPDX-License-Identifier: GPL-2.0-or-later

   Virtual functions and members are those of 4 Feb 2025, 22 Jul 2025 and 4 Jul 2026, in the same order; 4 Jul 2026 has more of
   both. If this file is compiled within a source tree of LAMMPS, LAMMPS's own header is used. */

#ifndef LMP_DPDSOP_DEFORM_ABI_H
#define LMP_DPDSOP_DEFORM_ABI_H

#if __has_include("fix_deform.h")
#include "fix_deform.h"
#else

#include "fix.h"

#include <vector>

namespace LAMMPS_NS {

class FixDeform : public Fix {
 public:
  int remapflag, dimflag[6];

  FixDeform(class LAMMPS *, int, char **);
  ~FixDeform() override;
  int setmask() override;
  void init() override;
  void pre_exchange() override;
  void end_of_step() override;
  void write_restart(FILE *) override;
  void restart(char *) override;
#if DS_LAMMPS_VERSION >= 20260704
  void post_integrate() override;
  void post_integrate_respa(int, int) override;
#endif
  double memory_usage() override;

 protected:
  int triclinic, scaleflag, flipflag, flip, flipxy, flipxz, flipyz;
  double *h_rate, *h_ratelo;
  int varflag, kspace_flag;
#if DS_LAMMPS_VERSION >= 20260704
  int end_flag, need_flip_change, allow_flip_change;
#endif
  std::vector<Fix *> rfix;
  class Irregular *irregular;
#if DS_LAMMPS_VERSION >= 20260704
  int nlevels_respa, nloop0_respa, kspace_level_respa;
  double *step_respa;
  bigint nsteps, nsteps_total;
  double dt;
#endif
  struct Set {
    int style, substyle;
    double flo, fhi, ftilt, dlo, dhi, dtilt, scale, vel, rate, amplitude, tperiod;
    double lo_initial, hi_initial, lo_start, hi_start, lo_stop, hi_stop, lo_target, hi_target;
    double tilt_initial, tilt_start, tilt_stop, tilt_target, tilt_flip, tilt_min, tilt_max;
    double vol_initial, vol_start;
#if DS_LAMMPS_VERSION >= 20260704
    double cumulative_shift;
#endif
    int fixed, dynamic1, dynamic2;
    char *hstr, *hratestr;
    int hvar, hratevar;
  };
  Set *set;
  std::vector<int> leftover_iarg;
  int iarg_options_start;

#if DS_LAMMPS_VERSION >= 20260704
  virtual void update_box();
#endif
  virtual void apply_volume();
};

}    // namespace LAMMPS_NS

#endif
#endif
