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
  EngineHandle(class LAMMPS *, const std::string &user, const ds_pair_style *);
  ~EngineHandle() override;
  EngineHandle(const EngineHandle &) = delete;
  EngineHandle &operator=(const EngineHandle &) = delete;

  EngineModel model;

  // Arrays of atoms of somebody else, which stay there till others are given; null: LAMMPS's own, as at first.
  // Before open()

  void use_atoms(AtomAccess *);
  const AtomAccess &atoms() const { return *access; }

  // all ranks call these together

  bool open(ds_precision, ds_backend);    // true if it was not open with the same options
  void close();
  std::string no_gpu() const;    // why there is none, and where, on rank 0; else empty
  void compute(class Pair *);
  int axes_without_images(int axes, double margin = 1.0);    // of those (1 x + 2 y + 4 z) of which this process has all
  bool is_wide_enough(double margin = 1.0)
  {
    return axes_without_images(7, margin) == 7;
  }    // to do without ghosts on one rank, also where edges were shorter by this factor
  void put_forces(bool on)
  {
    clear_forces = on;
  }                // compute() need not add to what arrays of forces hold
  void agree();    // stops LAMMPS if a rank has failed

  // Atoms that stay with the engine between evaluations: what compute() does in parts. prepare() gives the engine
  // model, box and atoms. In a step, give_model(); after one, evaluated() and tally()

  bool needs_ghosts() const { return ds_pair_needs_ghosts(pair) != 0; }
  bool needs_special() const;    // partners along bonds
  void reside(bool);             // false: arrays are LAMMPS's own, as ever
  class ResidentAtoms &residents() { return *resident; }
  bool has_latest_positions() const;    // and LAMMPS's arrays have not
  void prepare(class Pair *);
  ds_status give_model(ds_error *err) { return model.give_to(pair, err); }
  void give_box() { set_box(); }
  void evaluated();
  void tally(class Pair *, const ds_pair_totals &);
  void whole_virial(double *) const;    // of pairs on all ranks, which call this together: the last one that was wanted
  EngineSession &get_session() { return session; }
  std::string describe() const;

  // forward communication by the pair style, of a list and with a buffer in host memory; or in that of the atoms, where
  // a buffer that is not packed is to be filled with what is no atom: all bits set

  int pack(int n, int *list, double *buf, int pbc_flag, int *pbc);
  void unpack(int n, int first, double *buf);
  int message_length(int n) const { return ghosts.message_length(pair, n); }    // doubles
  bool pack_in_place(int n, const int *list, void *buf, int pbc_flag, const int *pbc);
  void unpack_in_place(int n, int first, const void *buf);

  void end_run();

  // what the next run goes on from: the velocities of the last evaluation, kept by a fix

  void join_state();
  void leave_state();
  void keep_velocities();    // of the last evaluation, for a restart file of this step
  bool has_velocities() const;    // there was an evaluation at this step, of the atoms as they are
  void get_velocities(const ds_array &);    // agree() comes after, on all ranks
  bool is_double() const { return options.precision == DS_PRECISION_DOUBLE; }

  // LAMMPS's arrays have moved, or may do so

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
  class FixDPDGPUState *state;
  class ResidentAtoms *resident;
  bool residing;

  // LAMMPS's atoms when they were handed over last

  bigint nbuilds;    // its count of reneighborings
  int nlocal, nghost;
  bool special_given;                 // with special partners
  std::vector<ds_exclusion> rules;    // what lists leave out, as of the last set-up
  bool has_ghosts;                    // with ghosts
  bool
      of_engine;    // tags, types and masks as resident atoms have them, in another order than LAMMPS's
  std::vector<char> ordered[3];    // then: partners, counts of them and molecules in that order
  bool list_by_type;    // where types change, the list is too small or too long
  bigint loaded;        // step of the last evaluation, -1 if there was none
  bool queued;          // the GPU may not have ended it
  bool coarse_told;     // that the box is too large for fine positions
  bool clear_forces;    // what arrays of forces hold is of no meaning before an evaluation

  bigint outlived;         // lists of the engine that were kept too long, as LAMMPS has been told
  bool outlived_warned;    // in this run

  bool on_gpu;
  void *pinned[PINNED];
  int pinned_nmax;

  void describe_box(ds_box *) const;
  void set_box();
  void warn_of_coarse_positions();
  bool renumbered() const;
  bool outdated() const;
  bool is_reordered() const;
  bool give_atoms(class Pair *, bool reneighbored);
  void set_atoms();
  void set_types();
  void set_owners(class Pair *);
  void pin();
  void load();
  void build_list();
  bool asks_for_ghosts() const;
  void want(class Pair *, ds_pair_request &);
  void forces(const ds_pair_request &, ds_pair_totals &, bool wait);
  void settle();
  void count_outlived_lists();
  bool must_agree(class Pair *, bool reneighbored) const;
  bool must_wait(class Pair *, bool reneighbored) const;
};

}    // namespace LAMMPS_NS

#endif
