/* -*- c++ -*- Steps that the engine makes, in a thread of its own, while LAMMPS is busy with what it writes.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEPS_AHEAD_H
#define LMP_DPDSOP_STEPS_AHEAD_H

#include "lmptype.h"

#include "dpdsop/resident.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace LAMMPS_NS {

// The first multiple of a period after this step

inline bigint next_multiple(bigint step, bigint period)
{
  return (step / period + 1) * period;
}

// A thread that does one task after the other. A new thread for each task would be simpler, but CUDA keeps some memory for
// every thread that has ever called it

class WorkerThread {
 public:
  WorkerThread() : started(false), busy(false), ends(false) {}
  ~WorkerThread();
  WorkerThread(const WorkerThread &) = delete;
  WorkerThread &operator=(const WorkerThread &) = delete;

  // A task has to be waited for before the next one is started. Tasks must not throw

  void start(const std::function<void()> &);
  bool has_task() const { return started; }    // one that has not been waited for
  void wait();                                 // nothing to do if there is none

 private:
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task;
  bool started, busy, ends;

  void work();
};

class StepsAhead {
 public:
  // Steps are made in chunks. A chunk that ends with a step of LAMMPS's output has the sums for it. Until LAMMPS asks for the
  // first chunk, the thread makes as many chunks as there are places. From then on it stays one chunk ahead of LAMMPS

  static constexpr int MAX_PLACES = 16;

  struct AsyncChunk {
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

  // take() waits for the next chunk and returns it. The chunk stays as it is until the next call. The last chunk is one that
  // reaches step `last`, is not shown, has failed, or ended early. After it take() returns null, and the engine is at rest

  const AsyncChunk *take();
  void end_soon();    // begins no more chunks
  void stop();        // the same, waits, and drops chunks that have not been taken

 private:
  WorkerThread worker;
  std::mutex mutex;
  std::condition_variable changed;
  Plan plan;
  AsyncChunk chunks[MAX_PLACES];          // chunk k is in place k % places
  int places;                      // how many of them are used
  bigint made, taken, released;    // numbers of chunks; released: how often LAMMPS has asked for one
  bool stops, ended;               // ended: no more chunks will be made

  void make();
  bool may_make(bigint k);
  AsyncChunk &place_of(bigint k) { return chunks[k % places]; }
  void set_up(AsyncChunk &, const AsyncChunk *before);
  void take_bins(AsyncChunk &);
  bool make_chunk(AsyncChunk &);    // false: this is the last chunk
};

}    // namespace LAMMPS_NS

#endif
