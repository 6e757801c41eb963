/* -*- c++ -*- What pair_style dpd/gpu asks of the engine, in LAMMPS's terms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPD_GPU_ENGINE_H
#define LMP_DPD_GPU_ENGINE_H

#include "pointers.h"

#include "dpdsop/dpd.h"

#include <vector>

namespace LAMMPS_NS {

class DPDGPUEngine : protected Pointers {
 public:
  DPDGPUEngine(class LAMMPS *);
  ~DPDGPUEngine() override;
  DPDGPUEngine(const DPDGPUEngine &) = delete;
  DPDGPUEngine &operator=(const DPDGPUEngine &) = delete;

  // all ranks call these two together

  bool open(ds_precision, ds_backend);    // true if it was not open with the same options
  void close();

  // coefficients: matrices with types from 1, as Pair has them; pairs with active 0 do not interact

  void set_coefficients(int **active, double **a, double **gamma, double **cut, double **power);
  void set_bath(double kT, int seed);
  double single(int itype, int jtype, double rsq, double factor, double &fforce) const;

  // one evaluation: begin(), ghosts, forces(). begin() returns true where the list is to be renewed

  bool begin(class Pair *, bool renew);
  void set_list(class NeighList *);    // LAMMPS's, or null: one of the engine's own
  void forces(class Pair *);

  // forward communication by the pair style

  int pack(int, int *, double *, int, int *);
  void unpack(int, int, double *);

  // what the next run goes on from: the velocities of the last evaluation, kept by a fix

  void join_state();
  void leave_state() { state = nullptr; }
  bool has_velocities() const;    // there was an evaluation at this step, of the atoms as they are
  void get_velocities(const ds_array &);
  bool is_double() const { return options.precision == DS_PRECISION_DOUBLE; }

  bool is_open() const { return dpd != nullptr; }
  ds_dpd_info info() const { return ds_dpd_get_info(dpd); }

 private:
  ds_dpd *dpd;
  ds_dpd_options options;
  ds_error err;
  bool failed;     // this rank, in this evaluation: err tells why
  int gpu_rank;    // number of this process on its node, -1 if not known yet

  ds_dpd_model model;
  std::vector<double> a, gamma, cutoff, power;    // what model points to
  bool model_changed;

  bool special_given;     // special partners were handed to the engine
  bigint nbuilds;         // LAMMPS's count of reneighborings at our last
  int nlocal, nghost;     // atoms at that time
  bigint loaded;          // step of the last evaluation, -1 if there was none
  bool collect_owners;    // forward communication carries owners instead of positions
  std::vector<int> owner, image;
  class FixDPDGPUState *state;

  void note(ds_status);
  void stop_if_failed();
  void update_model();
  void set_box();
  void set_atoms();
  void set_ghost_owners(class Pair *);
  bool outdated() const;
  bool needs_special() const;
};

}    // namespace LAMMPS_NS

#endif
