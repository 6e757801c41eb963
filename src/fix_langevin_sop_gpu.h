/* -*- c++ -*- fix langevin/sop/gpu: Brownian dynamics of self-organized-polymer proteins.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(langevin/sop/gpu,FixLangevinSOPGPU);
// clang-format on
#else

#ifndef LMP_FIX_LANGEVIN_SOP_GPU_H
#define LMP_FIX_LANGEVIN_SOP_GPU_H

#include "fix.h"

#include "dpdsop/sop.h"

#include <memory>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class FixLangevinSOPGPU : public Fix {
 public:
  FixLangevinSOPGPU(class LAMMPS *, int, char **);
  ~FixLangevinSOPGPU() override;
  int setmask() override;
  void init() override;
  void setup_pre_neighbor() override;
  void setup(int) override;
  void pre_neighbor() override;
  void initial_integrate(int) override;
  void end_of_step() override;
  void post_run() override;
  double compute_scalar() override;
  double compute_vector(int) override;
  void reset_target(double) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void *extract(const char *, int &) override;
  double memory_usage() override;

 private:
  enum { BONDS, NATIVE, OTHER, ANGLES, TEMPERATURE, INTACT, PULL, EXTENSION, TIP, TRAVEL, NVALUES };

  std::string user;    // the beginning of error texts
  double t_start, t_stop, zeta;
  int substeps, check_stability;
  ds_sop_options options;
  std::string rng;
  ds_sop_topology topology;
  ds_sop_pull pull;
  ds_sop_indent indent;    // radius 0: none
  std::vector<int32_t> fixed_beads, pulled_beads;
  std::string pull_file, pull_settings;    // settings: the line of the file that was written last
  int pull_every;
  FILE *pull_out;

  std::unique_ptr<class EngineSession> session;
  std::unique_ptr<class SOPBeads> beads;
  ds_sop *sop;
  bigint done;                   // Brownian steps so far, -1: none yet
  std::vector<char> restored;    // state of a restart file, until there are beads

  std::string told;    // the line in the log that was printed last

  bigint values_step;    // the step of `values`; -1: there are none
  int moved;      // 1: atoms are where the last step of this fix has moved them; 0: none yet; -1: they were replaced since
  int in_step;    // 1: the last step has failed
  double values[NVALUES];

  // arguments: fix_langevin_sop_gpu_arguments.cpp

  void read_arguments(int, char **);
  int read_keyword(int, int, char **);
  int read_pull(int, int, char **);
  int read_indent(int, int, char **);
  void read_beads(const char *, std::vector<int32_t> &);
  void read_topology(const char *);

  void open();
  int may_share() const;
  void set_beads();
  void load_state();
  uint64_t which() const;
  bool make_room(std::vector<char> &, int64_t);
  void check_number(bigint, bigint);
  void put_positions();
  void check_structure();
  void find_replaced();
  double most_mobile() const;
  void check_step(double, const std::string &);
  void check_fixes();
  void tell(double);
  void tell_pull();
  double kT_now() const;
  double h() const;
  void agree();

  // values: fix_langevin_sop_gpu_values.cpp

  void evaluate();
  void write_pulling();
  void open_pull_file();
  void check_pull_file(int, const char *);
  std::string settings_line() const;
  int append(const std::string &);    // append() and close() return 0 or an errno, on the first rank
  int close();
};

}    // namespace LAMMPS_NS

#endif
#endif
