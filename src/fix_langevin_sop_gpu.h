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
  int modify_param(int, char **) override;
  void *extract(const char *, int &) override;
  double memory_usage() override;

 private:
  enum { BONDS, NATIVE, OTHER, ANGLES, TEMPERATURE, INTACT, PULL, EXTENSION, TIP, TRAVEL, NVALUES };

  std::string user;    // the beginning of error texts
  double t_start, t_stop, zeta;
  int substeps, check_stability;
  bigint offset;    // the ID before that of the first bead
  ds_sop_options options;
  std::string rng;
  ds_sop_topology topology;
  ds_sop_pull pull;        // its speed, and that of the tip, are those of the next step
  ds_sop_indent indent;    // radius 0: none
  struct NewSpeed {        // of fix_modify; waits until the states that it changes are known
    double value = 0.0;
    bool waits = false;
  } pull_speed, tip_speed;
  std::vector<int32_t> fixed_beads, pulled_beads;
  struct Weights {    // of the beads that are fixed, or pulled; no values: all are 1
    bool by_mass = false;
    std::vector<double> values;
  } fixed_weights, pulled_weights;
  struct CopyFile {    // of pullfile or copyfile: a line per molecule and `every` timesteps
    std::string name;
    int every;
    bool is_pullfile;
    std::vector<int> columns;
    std::string settings;    // the line of the file that was written last
    FILE *out;
  };
  std::vector<CopyFile> files;

  std::unique_ptr<class EngineSession> session;
  std::unique_ptr<class SOPBeads> beads;
  ds_sop *sop;
  bigint done;                   // Brownian steps so far, -1: none yet
  std::vector<char> restored;    // state of a restart file, until there are beads

  std::string told;    // the line in the log that was printed last

  enum Part { OF_ENERGIES, OF_CONTACTS, OF_NOISE, OF_PULL, OF_TIP, NPARTS };
  bigint values_step[NPARTS];    // the step of these values; -1: there are none
  int moved;      // 1: atoms are where the last step of this fix has moved them; 0: none yet; -1: they were replaced since
  int in_step;    // 1: the last step has failed
  double values[NVALUES];

  // columns of files, in the order of their names

  enum { C_FORCE, C_EXTENSION, C_INTACT, C_ENERGY, C_BONDS, C_NATIVE, C_OTHER, C_ANGLES, C_FX, C_FY, C_FZ, C_PROJECTION, C_TIP,
         C_TRAVEL };
  static constexpr const char *COLUMNS[] = {"force",  "extension", "intact", "energy", "bonds",      "native", "other",
                                            "angles", "fx",        "fy",     "fz",     "projection", "tip",    "travel"};

  // arguments: fix_langevin_sop_gpu_arguments.cpp

  void read_arguments(int, char **);
  int read_keyword(int, int, char **);
  int read_indent(int, int, char **);
  int read_cylinder(int, int, char **, const char *);
  int read_file(int, int, char **);
  void check_column(const CopyFile &, int);
  void read_topology(const char *);

  void open();
  int may_share() const;
  void set_beads();
  void load_state();
  void write_state(FILE *);
  void change_speeds();
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
  double kT_now() const;
  double h() const;
  bigint beads_of_copies() const { return (bigint) topology.beads * topology.copies; }    // of all copies
  void agree();

  // pull: fix_langevin_sop_gpu_pull.cpp

  int read_pull(int, int, char **);
  int read_pull_direction(int, int, char **);
  void read_beads(const char *, std::vector<int32_t> &);
  void read_weights(const char *, const char *, int, Weights &);
  static std::vector<std::string> split_at_commas(const std::string &);
  void weigh_by_mass();
  void tell_pull();

  // values: fix_langevin_sop_gpu_values.cpp

  static Part part_of(int);
  void evaluate(Part);
  void add_energies(double *);
  void add_contacts(double *);
  void add_noise(double *);
  void add_molecules(int, int, double *, ds_status (*)(const ds_sop *, double *, double *, ds_error *));

  // files: fix_langevin_sop_gpu_files.cpp

  void write_file(CopyFile &);
  void open_file(CopyFile &);
  bool is_open_elsewhere(const CopyFile &) const;
  void check_file(const CopyFile &, int, const char *);
  std::vector<double> columns_of(const CopyFile &);
  std::string settings_line() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
