/* -*- c++ -*- kspace_style pppm/gpu: the long-range part of Coulomb forces on a mesh, by the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef KSPACE_CLASS
// clang-format off
KSpaceStyle(pppm/gpu,PPPMExactGPU);
KSpaceStyle(pppm/exact/gpu,PPPMExactGPU);
// clang-format on
#else

#ifndef LMP_PPPM_GPU_H
#define LMP_PPPM_GPU_H

#include "kspace.h"

#include "engine_session.h"

#include "dpdsop/kspace.h"

#include <string>

namespace LAMMPS_NS {

class PPPMExactGPU : public KSpace {
 public:
  PPPMExactGPU(class LAMMPS *);
  ~PPPMExactGPU() override;
  void settings(int, char **) override;
  void init() override;
  void setup() override;
  void compute(int, int) override;
  void qsum_qsq(int warning_flag = 1) override;
  double memory_usage() override;

  // For atoms that stay with the engine (run_style verlet/gpu): the mesh in the box as it is now; and the sums of a step

  ds_mesh_model model() const;
  bool is_charged() const { return qsqsum > 0.0; }
  void look_at_charges();               // where lists have been rebuilt; all ranks together
  bool charges_have_changed() const;    // since then; likewise
  void take_sums(int eflag, int vflag, const ds_mesh_sums &);
  void take_virial(const ds_mesh_sums &);

 private:
  EngineSession session;
  ds_kspace *kspace;
  ds_backend backend;    // where the engine is open
  bool told;
  double cutoff, sizes;    // of the pair style; the sum of all charges by size

  std::string name() const;
  void check_box() const;
  void check_settings();
  void choose_mesh();
  struct Charges {
    double sum, squares, sizes;    // over all ranks
  };
  Charges charges_now() const;
  void follow_charges();
  void check_growth(double before, double now) const;
  void open();
  ds_backend backend_of_pairs() const;
  static void add_over_ranks(void *, int64_t *, size_t);
};

}    // namespace LAMMPS_NS

#endif
#endif
