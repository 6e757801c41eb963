/* -*- c++ -*- What pair styles of this package ask of the engine, in LAMMPS's terms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ENGINE_HANDLE_H
#define LMP_DPDSOP_ENGINE_HANDLE_H

#include "pointers.h"

#include "atom_access.h"
#include "engine_ghosts.h"
#include "engine_model.h"
#include "engine_session.h"

#include "dpdsop/pair.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class EngineHandle : protected Pointers {
 public:
  // For one style, whose model is made here; or for several that act together, of handles of their own

  EngineHandle(class LAMMPS *, const std::string &user, const ds_pair_style *);
  EngineHandle(class LAMMPS *, const std::string &user, const std::vector<EngineHandle *> &parts);
  ~EngineHandle() override;
  EngineHandle(const EngineHandle &) = delete;
  EngineHandle &operator=(const EngineHandle &) = delete;

  EngineModel model;

  // A second style of the same pair style, called before open()

  void add(EngineModel &);

  // Where the arrays of atoms are. Null means LAMMPS's own arrays, which are the default. Called before open()

  void use_atoms(AtomAccess *);
  const AtomAccess &atoms() const { return *access; }

  // All ranks call these together

  bool open(ds_precision, ds_backend);    // false: it was open with these options already
  void close();
  std::string no_gpu() const;    // for the log of rank 0: why ranks use no GPU; empty if all use one
  void compute(class Pair *, ds_pair_totals *);    // totals of each style
  void agree();    // stops LAMMPS if a rank has failed

  // Axes (1 x + 2 y + 4 z) along which forces need no ghosts, because the box is wide. `axes` are those that this process does
  // not share with others. With a margin, the box stays wide enough if its edges become shorter by this factor

  int axes_without_images(int axes, double margin = 1.0);
  bool is_wide_enough(double margin = 1.0) { return axes_without_images(7, margin) == 7; }    // on one rank

  // compute() overwrites arrays of forces (true), or adds to them

  void put_forces(bool on) { clear_forces = on; }

  // For atoms that stay with the engine between evaluations, what compute() does is done in parts. prepare() gives model, box
  // and atoms to the engine. give_model() is called in each step, evaluated() and tally() after the last one

  bool needs_ghosts() const { return ds_pair_needs_ghosts(pair) != 0; }
  bool reads_charges() const;
  bool needs_special() const;    // special bonds change forces of the pair styles
  double skin() const { return models[0].model->skin(); }
  void reside(bool);             // true: atoms stay with the engine; false: LAMMPS's arrays are used
  bool resides() const { return residing; }
  class ResidentAtoms &residents() { return *resident; }
  bool has_latest_positions() const;    // the engine has newer positions than LAMMPS's arrays
  void follow_setup();    // that has evaluated forces without this object: the next prepare() gives atoms anew
  void prepare(class Pair *);
  ds_status give_model(ds_error *err);
  void give_box() { set_box(); }
  void give_charges() { set_charges(); }    // of LAMMPS's atoms as they are now
  void evaluated();
  void tally(class Pair *, const ds_pair_totals *);    // of all styles
  int styles() const { return static_cast<int>(models.size()); }    // that act together: numbers of totals
  void add_virial(double *) const;    // sum over all ranks, which call this together, of the virial evaluated last
  EngineSession &get_session() { return session; }
  std::string describe() const;

  // Forward communication of the pair style. Lists and buffers of pack() and unpack() are in host memory, those of
  // pack_in_place() and unpack_in_place() where the atoms are. If pack_in_place() returns false, it has not filled the buffer.
  // The caller then sets all bits of the buffer, which its receiver takes for the message of a rank that has failed

  int pack(int n, int *list, double *buf, int pbc_flag, int *pbc);
  void unpack(int n, int first, double *buf);
  int message_length(int n) const { return ghosts.message_length(pair, n); }    // doubles
  bool pack_in_place(int n, const int *list, void *buf, int pbc_flag, const int *pbc);
  void unpack_in_place(int n, int first, const void *buf);

  void end_run();

  // A fix keeps the velocities of the last evaluation, because the first forces of the next run are made of them

  void join_state();
  void leave_state();
  void keep_velocities();                   // before a restart file of this step is written
  bool has_velocities() const;              // forces were evaluated in this step, of the atoms as they are now
  void get_velocities(const ds_array &);    // all ranks call agree() afterwards
  void get_densities(double *);    // of the last evaluation, in the order of LAMMPS's atoms
  bool is_double() const { return options.precision == DS_PRECISION_DOUBLE; }

  // To be called before LAMMPS reallocates its arrays, or right afterwards

  void unpin();

  bool is_open() const { return pair != nullptr; }
  bool computes_on_gpu() const { return on_gpu; }
  ds_pair_info info() const { return ds_pair_get_info(pair); }

 private:
  enum { PINNED = 5 };

  AtomAccess own_atoms;
  AtomAccess *access;
  EngineSession session;
  EngineGhosts ghosts;
  std::string user;
  ds_pair *pair;
  ds_pair_options options;
  struct Given {
    EngineModel *model;
    bigint version;    // that the engine has
  };
  std::vector<Given> models;    // of the styles, in the order that the engine has
  bool of_hybrid;               // they are those of sub-styles, each with special factors of its own
  class FixDPDGPUState *state;
  class ResidentAtoms *resident;
  bool residing;

  // How LAMMPS's atoms were when set_atoms() gave them to the engine last

  bigint nbuilds;    // LAMMPS's count of list builds then
  int nlocal, nghost;
  bool special_given;                 // special partners were given
  bool has_ghosts;                    // ghosts were given
  std::vector<ds_exclusion> rules;    // pairs that lists leave out, as of the last set-up
  bool of_engine;                     // atoms were in the order of resident atoms, which is not LAMMPS's
  std::vector<char> ordered[3];       // if so: counts of partners, partners and charges in that order
  bool list_by_type;                  // the list depends on types, so a change of types may make it too small

  bigint loaded;        // step of the last evaluation; -1: there was none
  bool queued;          // the GPU may still be at work on it
  bool coarse_told;     // the user has been warned of coarse positions in this run
  bool clear_forces;    // see put_forces()

  bigint outlived;         // how many lists were kept too long, as of the last addition to LAMMPS's count
  bool outlived_warned;    // the user has been warned of them in this run

  bool on_gpu;
  void *pinned[PINNED];
  int pinned_nmax;

  void require_open() const;
  void describe_box(ds_box *) const;
  void set_box();
  void warn_of_coarse_positions();
  bool renumbered() const;
  bool outdated() const;
  bool is_reordered() const;
  bool give_atoms(class Pair *, bool reneighbored);
  void set_atoms();
  void set_types();
  void set_charges();
  void set_owners(class Pair *);
  void pin();
  void load();
  void build_list();
  bool asks_for_ghosts() const;
  void send_densities(class Pair *);
  void want(class Pair *, ds_pair_request &);
  void forces(const ds_pair_request &, ds_pair_totals *, bool wait);
  void settle();
  void count_outlived_lists();
  bool must_agree(class Pair *, bool reneighbored) const;
  bool must_wait(class Pair *, bool reneighbored) const;
};

}    // namespace LAMMPS_NS

#endif
