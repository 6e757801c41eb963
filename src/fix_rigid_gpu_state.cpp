/* Rigid bodies: what LAMMPS asks for, values of atoms, restart files.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_rigid_gpu.h"

#include "restart_record.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "memory.h"

#include "dpdsop/device/step/rigid_body.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Degrees of freedom that bodies take away from their atoms
------------------------------------------------------------------------- */

bigint FixRigidGPU::dof(int of_group)
{
  if (!set_up) {
    if (comm->me == 0) error->warning(FLERR, "{}: degrees of freedom are not known before the first run", user);
    return 0;
  }
  const std::vector<bigint> counted = rigid.count_atoms(group->bitmask[of_group]);
  bigint n = 0;
  bool parts = false;
  for (size_t k = 0; k < counted.size(); k++) {
    parts = parts || (counted[k] > 0 && counted[k] != rigid.atoms[k]);
    if (counted[k] == rigid.atoms[k]) n += 3 * counted[k] - (rigid.is_linear(k) ? 5 : 6);
  }
  if (parts && comm->me == 0) error->warning(FLERR, "{}: a temperature is asked for of parts of bodies", user);
  return n;
}

/* ----------------------------------------------------------------------
   Energy of the chains; or, without chains, temperature of the bodies
------------------------------------------------------------------------- */

double FixRigidGPU::compute_scalar()
{
  double energy = 0.0, free = 0.0;
  if (thermostat) return thermostat->energy(kT());
  if (!set_up) return 0.0;
  for (size_t k = 0; k < rigid.all.size(); k++) {
    const ds_body &b = rigid.all[k];
    for (int d = 0; d < 3; d++) {
      energy += b.moves[d] * b.mass * b.v[d] * b.v[d] + b.turns[d] * rigid.turning_energy(k, d);
      free += b.moves[d] + b.turns[d];
    }
    if (rigid.is_linear(k)) free -= 1.0;
  }
  return free > 0.0 ? energy * force->mvv2e / (free * force->boltz) : 0.0;
}

double FixRigidGPU::compute_array(int i, int j)
{
  const ds_body &b = rigid.all[i];
  if (!set_up) return 0.0;
  if (j < 3) return b.x[j];
  if (j < 6) return b.v[j - 3];
  if (j < 9) return b.force[j - 6];
  if (j < 12) return b.torque[j - 9];
  return static_cast<double>(ds_body_image(&b, j - 12));
}

/* ---------------------------------------------------------------------- */

void FixRigidGPU::zero_momentum()
{
  for (ds_body &b : rigid.all) std::fill_n(b.v, 3, 0.0);
  if (set_up) rigid.set_velocities();
}

void FixRigidGPU::zero_rotation()
{
  for (ds_body &b : rigid.all) {
    std::fill_n(b.momentum, 3, 0.0);
    std::fill_n(b.omega, 3, 0.0);
  }
  if (set_up) rigid.set_velocities();
}

void FixRigidGPU::reset_target(double t)
{
  bath.target = bath.start = bath.stop = t;
}

void *FixRigidGPU::extract(const char *what, int &dim)
{
  dim = 0;
  if (strcmp(what, "t_target") == 0) return &bath.target;
  if (strcmp(what, "body") != 0 || !set_up) return nullptr;
  dim = 1;
  return rigid.of_atom;
}

/* ----------------------------------------------------------------------
   Values of atoms
------------------------------------------------------------------------- */

void FixRigidGPU::grow_arrays(int nmax)
{
  memory->grow(rigid.of_atom, std::max(nmax, 1), "rigid:of_atom");
  memory->grow(rigid.place, std::max(nmax, 1), 3, "rigid:place");
}

void FixRigidGPU::copy_arrays(int i, int j, int /*delflag*/)
{
  rigid.of_atom[j] = rigid.of_atom[i];
  std::copy_n(rigid.place[i], 3, rigid.place[j]);
}

void FixRigidGPU::set_arrays(int i)
{
  rigid.of_atom[i] = -1;
  std::fill_n(rigid.place[i], 3, 0.0);
}

int FixRigidGPU::pack_exchange(int i, double *buf)
{
  buf[0] = ubuf(rigid.of_atom[i]).d;
  std::copy_n(rigid.place[i], 3, buf + 1);
  return 4;
}

int FixRigidGPU::unpack_exchange(int i, double *buf)
{
  rigid.of_atom[i] = static_cast<int>(ubuf(buf[0]).i);
  std::copy_n(buf + 1, 3, rigid.place[i]);
  return 4;
}

double FixRigidGPU::memory_usage()
{
  return static_cast<double>(atom->nmax) * (sizeof(int) + 3 * sizeof(double)) +
      static_cast<double>(rigid.all.size()) * sizeof(ds_body);
}

/* ----------------------------------------------------------------------
   Restart files have the positions of atoms in their bodies. The command tells which
   atoms belong to which body
------------------------------------------------------------------------- */

int FixRigidGPU::pack_restart(int i, double *buf)
{
  buf[0] = RESTART_VALUES;
  std::copy_n(rigid.place[i], 3, buf + 1);
  return RESTART_VALUES;
}

void FixRigidGPU::unpack_restart(int i, int nth)
{
  // the values of each fix begin with their number

  const double *values = atom->extra[i];
  for (int k = 0; k < nth; k++) values += static_cast<int>(values[0]);
  std::copy_n(values + 1, 3, rigid.place[i]);
}

namespace {
struct BodiesRecord {
  RestartMark mark;
  int64_t format;
  int64_t n;             // bodies that follow
  int64_t in_run;        // 1: the file was written in the middle of a run, which goes on with these bodies
  uint64_t bodies;       // their digest
  int64_t velocities;    // the digest of those of atoms: other fixes may have changed them after the bodies had moved
  uint64_t check;
};
constexpr RestartMark BODIES_MARK = {'D', 'S', '_', 'B', 'O', 'D', 'I', 'E'};
constexpr int64_t BODIES_FORMAT = 2;
constexpr RestartMark CHAIN_MARK = {'D', 'S', '_', 'C', 'H', 'A', 'I', 'N'};
}    // namespace

void FixRigidGPU::write_restart(FILE *file)
{
  BodiesRecord record = {};
  record.n = static_cast<int64_t>(rigid.all.size());
  record.in_run = set_up && is_in_run() ? 1 : 0;
  if (record.in_run) record.velocities = rigid.digest_of_velocities();    // on all ranks
  if (comm->me) return;
  const char *const bodies = reinterpret_cast<const char *>(rigid.all.data());
  std::vector<char> behind(bodies, bodies + rigid.all.size() * sizeof(ds_body));
  record.bodies = ds_digest(DS_DIGEST_OF_NOTHING, behind.data(), behind.size());
  const std::vector<char> chain_bytes = saved_chains();
  behind.insert(behind.end(), chain_bytes.begin(), chain_bytes.end());
  write_record(file, record, BODIES_MARK, BODIES_FORMAT, behind.data(), behind.size());
}

/* ----------------------------------------------------------------------
   Chains stand behind the bodies, with their own record. What LAMMPS's own fix writes has
   no such record
------------------------------------------------------------------------- */

std::vector<char> FixRigidGPU::saved_chains()
{
  if (!thermostat) return {};
  std::vector<double> numbers;
  thermostat->visit_state([&numbers](double &x) { numbers.push_back(x); });
  return array_with_record(numbers.data(), numbers.size() * sizeof(double), thermostat->links(), CHAIN_MARK);
}

void FixRigidGPU::resume_chains(const char *buffer)
{
  int64_t links = 0;    // of each chain; two numbers of each link follow
  std::string wrong = open_array(links, buffer, CHAIN_MARK);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
  std::vector<double> numbers;
  thermostat->visit_state([&numbers](double &x) { numbers.push_back(x); });
  if (links != thermostat->links()) {
    if (comm->me == 0)
      error->warning(FLERR, "{}: the restart file has chains of {} thermostats, not of {}: their state begins anew", user,
                     links, thermostat->links());
    return;
  }
  wrong = take_array(numbers.data(), numbers.size() * sizeof(double), buffer);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
  const double *at = numbers.data();
  thermostat->visit_state([&at](double &x) { x = *at++; });
}

/* ----------------------------------------------------------------------
   Which forces and torques act on a body is not read from the file: the command says it
------------------------------------------------------------------------- */

void FixRigidGPU::restart(char *buffer)
{
  BodiesRecord record;
  const std::string wrong = open_record(record, buffer, BODIES_MARK, BODIES_FORMAT);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
  if (thermostat) resume_chains(buffer + sizeof record + record.n * sizeof(ds_body));
  if (record.n != static_cast<int64_t>(rigid.all.size())) {
    if (comm->me == 0)
      error->warning(FLERR, "{}: the restart file has {} bodies, not {}: they are made of the atoms", user, record.n,
                     rigid.all.size());
    return;
  }
  std::vector<ds_body> read(rigid.all.size());
  memcpy(read.data(), buffer + sizeof record, read.size() * sizeof(ds_body));
  if (ds_digest(DS_DIGEST_OF_NOTHING, read.data(), read.size() * sizeof(ds_body)) != record.bodies)
    error->all(FLERR, "{}: the restart file is damaged: the state of this fix has been changed", user);
  for (size_t k = 0; k < read.size(); k++) {
    std::copy_n(rigid.all[k].moves, 3, read[k].moves);
    std::copy_n(rigid.all[k].turns, 3, read[k].turns);
  }
  rigid.all = read;
  resumes = record.in_run != 0;
  velocities = record.velocities;
}
