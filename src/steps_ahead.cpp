/* Steps that the engine makes while LAMMPS is busy with what it writes.   SPDX-License-Identifier: GPL-2.0-or-later

   By asking for a chunk, LAMMPS says that it has done with the one before. The worker keeps one chunk ahead: as soon as LAMMPS
   has asked for chunk k - 1, it begins chunk k. So the engine is already at work while LAMMPS's thread wakes up. Before it asks
   for the first chunk, LAMMPS may be writing a large file. During that time the worker fills all places that there are. */

#include "steps_ahead.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

WorkerThread::~WorkerThread()
{
  wait();
  if (!thread.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  changed.notify_all();
  thread.join();
}

void WorkerThread::start(const std::function<void()> &what)
{
  wait();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    task = what;
    busy = started = true;
  }
  if (thread.joinable())
    changed.notify_all();
  else
    thread = std::thread([this]() { work(); });
}

void WorkerThread::wait()
{
  if (!started) return;
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this]() { return !busy; });
  started = false;
}

void WorkerThread::work()
{
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this]() { return busy || ends; });
    if (!busy) return;
    lock.unlock();
    task();
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

/* ---------------------------------------------------------------------- */

StepsAhead::StepsAhead() :
    plan(), chunks(), places(2), made(0), taken(0), released(0), stops(false), ended(true)
{
}

StepsAhead::~StepsAhead()
{
  stop();
}

/* ----------------------------------------------------------------------
   Each place holds bins of its own, so there are only two places if bins are large
------------------------------------------------------------------------- */

static int places_for(const StepsAhead::Plan &plan)
{
  static constexpr size_t LARGE = 1 << 20;
  size_t bytes = 0;
  for (const StepsAhead::Bins &b : plan.bins) bytes += b.cells * sizeof(ds_exact_sum);
  return bytes > LARGE ? 2 : StepsAhead::MAX_PLACES;
}

void StepsAhead::start(const Plan &what)
{
  stop();
  plan = what;
  places = places_for(plan);
  made = taken = released = 0;
  stops = ended = false;
  worker.start([this]() { make(); });
}

void StepsAhead::end_soon()
{
  const std::lock_guard<std::mutex> lock(mutex);
  stops = true;
  changed.notify_all();
}

void StepsAhead::stop()
{
  end_soon();
  worker.wait();
}

/* ---------------------------------------------------------------------- */

const StepsAhead::AsyncChunk *StepsAhead::take()
{
  std::unique_lock<std::mutex> lock(mutex);
  released++;
  changed.notify_all();
  changed.wait(lock, [this]() { return made > taken || ended; });
  const AsyncChunk *const chunk = made > taken ? &place_of(taken++) : nullptr;
  const bool at_rest = ended && made == taken;
  lock.unlock();
  if (at_rest) worker.wait();
  return chunk;
}

/* ----------------------------------------------------------------------
   What follows runs in the worker's thread
------------------------------------------------------------------------- */

bool StepsAhead::may_make(bigint k)
{
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this, k]() { return stops || released >= k || (released == 0 && k < places); });
  ended = stops;
  if (ended) changed.notify_all();
  return !ended;
}

void StepsAhead::make()
{
  bool goes_on = true;
  for (bigint k = 0; goes_on && may_make(k); k++) {
    AsyncChunk &chunk = place_of(k);
    set_up(chunk, k ? &place_of(k - 1) : nullptr);
    goes_on = make_chunk(chunk);
    const std::lock_guard<std::mutex> lock(mutex);
    made++;
    ended = !goes_on;
    changed.notify_all();
  }
}

static ds_pair_request request_for_sums()
{
  ds_pair_request request = {};
  request.want_energy = request.want_virial = 1;
  return request;
}

static const ds_pair_request SUMS_WANTED = request_for_sums();

void StepsAhead::set_up(AsyncChunk &chunk, const AsyncChunk *before)
{
  chunk = {};
  chunk.stretch = plan.first;
  if (before) {
    chunk.stretch.first = before->reached.step + 1;
    chunk.stretch.reneighbored = before->reached.reneighbored;
    chunk.stretch.begun = 0;
  }
  const bigint now = chunk.stretch.first - 1;
  bigint next = plan.last + 1;
  for (const bigint period : plan.periods) next = std::min(next, next_multiple(now, period));
  const bigint with_sums = next;
  for (const Bins &b : plan.bins) next = std::min(next, next_multiple(now, b.period));
  chunk.shown = next <= plan.last;
  chunk.stretch.last = chunk.shown ? next : plan.last;
  if (!chunk.shown) return;
  if (next == with_sums) chunk.stretch.wanted = &SUMS_WANTED;    // a step shown for its bins alone needs no energies
  chunk.stretch.totals = chunk.totals;
  if (plan.has_bonds) chunk.stretch.sums = &chunk.bonds;
  if (plan.has_mesh) chunk.stretch.mesh_sums = &chunk.mesh;
}

void StepsAhead::take_bins(AsyncChunk &chunk)
{
  chunk.bins.resize(plan.bins.size());
  for (size_t k = 0; k < plan.bins.size() && !chunk.status; k++) {
    const Bins &b = plan.bins[k];
    if (chunk.reached.step % b.period) continue;
    chunk.bins[k].resize(b.cells);
    chunk.status = ds_resident_take_bins(plan.resident, b.number, chunk.bins[k].data(), b.cells, &chunk.err);
  }
}

bool StepsAhead::make_chunk(AsyncChunk &chunk)
{
  chunk.status = ds_resident_run(plan.resident, &chunk.stretch, &chunk.reached, &chunk.err);
  if (chunk.status || !chunk.reached.whole || !chunk.shown) return false;
  if (plan.has_sums) chunk.status = ds_resident_step_sums(plan.resident, chunk.sums, &chunk.err);
  if (!chunk.status) take_bins(chunk);
  return !chunk.status && chunk.reached.step < plan.last;
}
