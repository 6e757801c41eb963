/* -*- c++ -*- Steps that the engine makes, in a thread of its own, while LAMMPS is busy with what it writes.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEPS_AHEAD_H
#define LMP_DPDSOP_STEPS_AHEAD_H

#include "worker_thread.h"

#include "lmptype.h"

#include "dpdsop/resident.h"

namespace LAMMPS_NS {

// the first multiple behind a step

inline bigint next_multiple(bigint step, bigint period)
{
  return (step / period + 1) * period;
}

class StepsAhead {
 public:
  // Steps are made in parts. A part that ends in a step that LAMMPS shows has the sums for it. While LAMMPS writes what is
  // of the step before all of them, as many are made as there are places; then one more than LAMMPS has asked for

  static constexpr int MAX_PLACES = 16;

  struct Part {
    ds_run_request stretch;
    ds_run_result reached;
    ds_status status;
    ds_error err;
    bool shown;
    ds_exact_sum sums[DS_STEP_SUMS];    // of operations, if shown
    ds_pair_totals totals;
    ds_bonded_sums bonds;
    std::vector<std::vector<ds_exact_sum>> bins;    // if shown: those looked at in this step; others empty
  };

  struct Bins {
    int number;    // in the program
    size_t cells;
    bigint period;    // multiples of it are looked at
  };

  // What there is to do: `first` says how steps are made, and from where on, up to `last`. Multiples of
  // any of the periods are shown, energies in them; and bins at multiples of theirs

  struct Plan {
    ds_resident *resident;
    ds_run_request first;
    bigint last;
    std::vector<bigint> periods;
    std::vector<Bins> bins;
    bool has_bonds, has_sums;
  };

  StepsAhead();
  ~StepsAhead();
  StepsAhead(const StepsAhead &) = delete;
  StepsAhead &operator=(const StepsAhead &) = delete;

  void start(const Plan &);
  bool are_under_way() const { return worker.has_task(); }

  // The next part, which stays as it is until the next call; waits for it. Parts end with one that is not shown, not
  // whole or has failed, or with the last step; then there is none any more, and the engine is at rest

  const Part *take();
  void end_soon();    // no more parts than have been begun
  void stop();        // parts are lost; waits

 private:
  WorkerThread worker;
  std::mutex mutex;
  std::condition_variable changed;
  Plan plan;
  Part parts[MAX_PLACES];    // made in turns
  int places;                 // that are in use
  bigint made, taken, released;
  bool stops, ended;    // ended: no part will come any more

  void make();
  bool may_make(bigint k);
  Part &place_of(bigint k) { return parts[k % places]; }
  void set_up(Part &, const Part *before);
  void take_bins(Part &);
  bool make_part(Part &);    // false: it is the last one
};

}    // namespace LAMMPS_NS

#endif
