/* -*- c++ -*- Steps that the engine makes, in a thread of its own, while LAMMPS is busy with what it writes.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEPS_AHEAD_H
#define LMP_DPDSOP_STEPS_AHEAD_H

#include "worker_thread.h"

#include "lmptype.h"

#include "dpdsop/resident.h"

namespace LAMMPS_NS {

// The first multiple of a period after this step

inline bigint next_multiple(bigint step, bigint period)
{
  return (step / period + 1) * period;
}

class StepsAhead {
 public:
  // Steps are made in parts. A part that ends with a step of LAMMPS's output has the sums for it. Until LAMMPS asks for the
  // first part, the thread makes as many parts as there are places. From then on it stays one part ahead of LAMMPS

  static constexpr int MAX_PLACES = 16;

  struct Part {
    ds_run_request stretch;
    ds_run_result reached;
    ds_status status;
    ds_error err;
    bool shown;                                     // LAMMPS reads its last step; else the rest has no values
    ds_exact_sum sums[DS_STEP_SUMS];                // of operations
    ds_pair_totals totals[DS_MAX_STYLES];
    ds_bonded_sums bonds;
    ds_mesh_sums mesh;
    std::vector<std::vector<ds_exact_sum>> bins;    // of Plan::bins; empty where this step is no multiple of the period
  };

  struct Bins {
    int number;    // in the program
    size_t cells;
    bigint period;    // bins are taken in steps that are multiples of it
  };

  // What there is to do: steps up to `last`, made and begun as `first` says. LAMMPS reads sums in steps that are multiples of
  // one of the periods, and bins in multiples of their own period

  struct Plan {
    ds_resident *resident;
    ds_run_request first;
    bigint last;
    std::vector<bigint> periods;
    std::vector<Bins> bins;
    bool has_bonds, has_mesh, has_sums;
  };

  StepsAhead();
  ~StepsAhead();
  StepsAhead(const StepsAhead &) = delete;
  StepsAhead &operator=(const StepsAhead &) = delete;

  void start(const Plan &);
  bool are_under_way() const { return worker.has_task(); }

  // take() waits for the next part and returns it. The part stays as it is until the next call. The last part is one that
  // reaches step `last`, is not shown, has failed, or ended early. After it take() returns null, and the engine is at rest

  const Part *take();
  void end_soon();    // begins no more parts
  void stop();        // the same, waits, and drops parts that have not been taken

 private:
  WorkerThread worker;
  std::mutex mutex;
  std::condition_variable changed;
  Plan plan;
  Part parts[MAX_PLACES];          // part k is in place k % places
  int places;                      // how many of them are used
  bigint made, taken, released;    // numbers of parts; released: how often LAMMPS has asked for one
  bool stops, ended;               // ended: no more parts will be made

  void make();
  bool may_make(bigint k);
  Part &place_of(bigint k) { return parts[k % places]; }
  void set_up(Part &, const Part *before);
  void take_bins(Part &);
  bool make_part(Part &);    // false: this is the last part
};

}    // namespace LAMMPS_NS

#endif
