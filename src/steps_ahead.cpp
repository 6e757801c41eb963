/* Steps that the engine makes while LAMMPS is busy with what it writes.   SPDX-License-Identifier: GPL-2.0-or-later

   By asking for a part, LAMMPS says that it has done with the one before. The worker keeps one part ahead: as soon as LAMMPS
   has asked for part k - 1, it begins part k. So the engine is already at work while LAMMPS's thread wakes up. Before it asks
   for the first part, LAMMPS may be writing a large file. During that time the worker fills all places that there are. */

#include "steps_ahead.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

StepsAhead::StepsAhead() :
    plan(), parts(), places(2), made(0), taken(0), released(0), stops(false), ended(true)
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

const StepsAhead::Part *StepsAhead::take()
{
  std::unique_lock<std::mutex> lock(mutex);
  released++;
  changed.notify_all();
  changed.wait(lock, [this]() { return made > taken || ended; });
  const Part *const part = made > taken ? &place_of(taken++) : nullptr;
  const bool at_rest = ended && made == taken;
  lock.unlock();
  if (at_rest) worker.wait();
  return part;
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
    Part &part = place_of(k);
    set_up(part, k ? &place_of(k - 1) : nullptr);
    goes_on = make_part(part);
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

void StepsAhead::set_up(Part &part, const Part *before)
{
  part = {};
  part.stretch = plan.first;
  if (before) {
    part.stretch.first = before->reached.step + 1;
    part.stretch.reneighbored = before->reached.reneighbored;
    part.stretch.begun = 0;
  }
  const bigint now = part.stretch.first - 1;
  bigint next = plan.last + 1;
  for (const bigint period : plan.periods) next = std::min(next, next_multiple(now, period));
  const bigint with_sums = next;
  for (const Bins &b : plan.bins) next = std::min(next, next_multiple(now, b.period));
  part.shown = next <= plan.last;
  part.stretch.last = part.shown ? next : plan.last;
  if (!part.shown) return;
  if (next == with_sums) part.stretch.wanted = &SUMS_WANTED;    // a step shown for its bins alone needs no energies
  part.stretch.totals = part.totals;
  if (plan.has_bonds) part.stretch.sums = &part.bonds;
  if (plan.has_mesh) part.stretch.mesh_sums = &part.mesh;
}

void StepsAhead::take_bins(Part &part)
{
  part.bins.resize(plan.bins.size());
  for (size_t k = 0; k < plan.bins.size() && !part.status; k++) {
    const Bins &b = plan.bins[k];
    if (part.reached.step % b.period) continue;
    part.bins[k].resize(b.cells);
    part.status = ds_resident_take_bins(plan.resident, b.number, part.bins[k].data(), b.cells, &part.err);
  }
}

bool StepsAhead::make_part(Part &part)
{
  part.status = ds_resident_run(plan.resident, &part.stretch, &part.reached, &part.err);
  if (part.status || !part.reached.whole || !part.shown) return false;
  if (plan.has_sums) part.status = ds_resident_step_sums(plan.resident, part.sums, &part.err);
  if (!part.status) take_bins(part);
  return !part.status && part.reached.step < plan.last;
}
