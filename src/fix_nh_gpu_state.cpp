/* Nose-Hoover thermostats and barostats: values and restart files.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nh_gpu.h"

#include "restart_record.h"

#include "comm.h"
#include "error.h"
#include "force.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Energy of chains and box. Its sum with the energy of the atoms is conserved
------------------------------------------------------------------------- */

double FixNHGPU::compute_scalar()
{
  double energy = bath.on ? chain.energy(kinetic_wanted, kT()) : 0.0;
  if (!barostat.is_on()) return energy;
  energy += 0.5 * barostat.kinetic() + barostat.work();
  energy += box_chain.energy(kT() * barostat.number_of_rates(), kT());
  return energy + (barostat.deviatoric ? barostat.strain_energy() : 0.0);
}

/* ----------------------------------------------------------------------
   Values in LAMMPS's order. Positions and rates, then potential and kinetic energies,
   each for the chain, the box and the chain of the box; the strain at the end
------------------------------------------------------------------------- */

double FixNHGPU::compute_vector(int n)
{
  const bool box = barostat.is_on();
  const int t = chain.links(), b = box ? barostat.number_of_components() : 0, p = box_chain.links();
  const bool one = box && barostat.shape() == BoxPressure::ISO;
  const auto in = [&n](int size) {
    if (n < size) return true;
    n -= size;
    return false;
  };
  if (in(t)) return chain.place[n];
  if (in(t)) return chain.rate[n];
  if (in(b)) return barostat.c[n].place;
  if (in(b)) return barostat.c[n].rate;
  if (in(p)) return box_chain.place[n];
  if (in(p)) return box_chain.rate[n];
  if (in(t)) return chain.potential(kinetic_wanted, kT(), n);
  if (in(t)) return chain.kinetic(n);
  if (in(b)) return barostat.potential(n);
  if (in(b)) return one ? 0.5 * barostat.kinetic() : barostat.c[n].on ? barostat.kinetic(n) : 0.0;
  if (in(p)) return box_chain.potential(kT(), kT(), n);
  if (in(p)) return box_chain.kinetic(n);
  return barostat.strain_energy();
}

void *FixNHGPU::extract(const char *name, int &dim)
{
  dim = 0;
  if (bath.on && strcmp(name, "t_target") == 0) return &bath.target;
  if (bath.on && strcmp(name, "t_start") == 0) return &bath.start;
  if (bath.on && strcmp(name, "t_stop") == 0) return &bath.stop;
  if (bath.on && strcmp(name, "mtchain") == 0) return &mtchain;
  if (barostat.is_on() && strcmp(name, "mpchain") == 0) return &mpchain;
  return nullptr;
}

/* ----------------------------------------------------------------------
   A restart file has a record of this fix, then its numbers. What LAMMPS's own fix writes
   has no such record
------------------------------------------------------------------------- */

namespace {
struct NoseHooverRecord {
  RestartMark mark;
  int64_t format;
  int64_t thermostats, box_thermostats;    // links of the chains
  int64_t n;                               // numbers that follow
  uint64_t numbers;                        // their digest
  uint64_t check;
};
constexpr RestartMark NOSE_HOOVER_MARK = {'D', 'S', '_', 'N', 'O', 'S', 'E', 'H'};
constexpr int64_t NOSE_HOOVER_FORMAT = 2;

// Visits numbers one after the other, so that they are written and read in the same order

template <class Visit, class... Doubles> void each(Visit visit, Doubles &...numbers)
{
  (visit(numbers), ...);
}
}    // namespace

template <class Visit> void FixNHGPU::visit_state(Visit visit)
{
  for (int k = 0; k < chain.links(); k++) each(visit, chain.place[k], chain.rate[k]);
  for (int k = 0; k < box_chain.links(); k++) each(visit, box_chain.place[k], box_chain.rate[k]);
  for (BoxPressure::Component &c : barostat.c) each(visit, c.place, c.rate);
  for (double &k : barostat.reference.inverse) visit(k);
  for (double &k : barostat.fixed) visit(k);
  for (double &k : kinetic) visit(k);
  for (double &k : counted) visit(k);
  each(visit, barostat.reference.volume, reference_temperature, temperature_now, box_kT, in_run);
}

void FixNHGPU::write_restart(FILE *file)
{
  in_run = is_in_run() ? 1.0 : 0.0;
  if (in_run != 0.0) count_kinetic(counted);    // on all ranks
  std::vector<double> numbers;
  visit_state([&numbers](double &x) { numbers.push_back(x); });
  in_run = 0.0;
  if (comm->me) return;
  NoseHooverRecord record = {};
  record.thermostats = chain.links();
  record.box_thermostats = box_chain.links();
  record.n = static_cast<int64_t>(numbers.size());
  const size_t bytes = numbers.size() * sizeof(double);
  record.numbers = ds_digest(DS_DIGEST_OF_NOTHING, numbers.data(), bytes);
  write_record(file, record, NOSE_HOOVER_MARK, NOSE_HOOVER_FORMAT, numbers.data(), bytes);
}

void FixNHGPU::restart(char *buffer)
{
  NoseHooverRecord record;
  const std::string wrong = open_record(record, buffer, NOSE_HOOVER_MARK, NOSE_HOOVER_FORMAT);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
  std::vector<double> numbers;
  visit_state([&numbers](double &x) { numbers.push_back(x); });
  if (record.thermostats != chain.links() || record.box_thermostats != box_chain.links() ||
      record.n != static_cast<int64_t>(numbers.size())) {
    if (comm->me == 0)
      error->warning(FLERR,
                     "{}: the restart file has chains of {} and {} thermostats, not of {} and {}: their state begins anew",
                     user, record.thermostats, record.box_thermostats, chain.links(), box_chain.links());
    return;
  }
  memcpy(numbers.data(), buffer + sizeof record, numbers.size() * sizeof(double));
  if (ds_digest(DS_DIGEST_OF_NOTHING, numbers.data(), numbers.size() * sizeof(double)) != record.numbers)
    error->all(FLERR, "{}: the restart file is damaged: the state of this fix has been changed", user);
  double named[3];    // a point that the command gives counts more than that of the file
  std::copy_n(barostat.fixed, 3, named);
  const double *at = numbers.data();
  visit_state([&at](double &x) { x = *at++; });
  if (barostat.names_fixed) std::copy_n(named, 3, barostat.fixed);
  carried = true;
}
