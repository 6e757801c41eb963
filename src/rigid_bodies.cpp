/* Rigid bodies made of LAMMPS's atoms.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "rigid_bodies.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "group.h"
#include "memory.h"

#include "dpdsop/device/step/rigid_body.h"
#include "dpdsop/digest.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

RigidBodies::RigidBodies(LAMMPS *lmp, const std::string &user_in) :
    Pointers(lmp), of_atom(nullptr), place(nullptr), user(user_in)
{
}

RigidBodies::~RigidBodies()
{
  memory->destroy(of_atom);
  memory->destroy(place);
}

/* ----------------------------------------------------------------------
   Decides which atom belongs to which body
------------------------------------------------------------------------- */

void RigidBodies::choose_group(int groupbit)
{
  for (int i = 0; i < atom->nlocal; i++) of_atom[i] = atom->mask[i] & groupbit ? 0 : -1;
  name = {1};
  begin();
}

/* ----------------------------------------------------------------------
   Molecules become bodies in the order of their numbers, the same on all ranks
------------------------------------------------------------------------- */

void RigidBodies::choose_molecules(int groupbit)
{
  std::vector<tagint> mine;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) mine.push_back(atom->molecule[i]);
  const auto keep_one_of_each = [](std::vector<tagint> &list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  keep_one_of_each(mine);
  int n = static_cast<int>(mine.size());
  std::vector<int> sizes(comm->nprocs), starts(comm->nprocs, 0);
  MPI_Allgather(&n, 1, MPI_INT, sizes.data(), 1, MPI_INT, world);
  for (int k = 1; k < comm->nprocs; k++) starts[k] = starts[k - 1] + sizes[k - 1];
  name.resize(starts.back() + sizes.back() + 1);    // not empty, because MPI gets its address
  mine.resize(n + 1);
  MPI_Allgatherv(mine.data(), n, MPI_LMP_TAGINT, name.data(), sizes.data(), starts.data(), MPI_LMP_TAGINT, world);
  name.pop_back();
  keep_one_of_each(name);
  for (int i = 0; i < atom->nlocal; i++)
    of_atom[i] = atom->mask[i] & groupbit
        ? static_cast<int>(std::lower_bound(name.begin(), name.end(), atom->molecule[i]) - name.begin())
        : -1;
  begin();
}

void RigidBodies::choose_groups(int groupbit, const std::vector<int> &groups)
{
  int twice = 0, any;
  name.resize(groups.size());
  for (size_t k = 0; k < groups.size(); k++) name[k] = static_cast<tagint>(k + 1);
  for (int i = 0; i < atom->nlocal; i++) {
    of_atom[i] = -1;
    for (size_t k = 0; k < groups.size() && atom->mask[i] & groupbit; k++) {
      if (!(atom->mask[i] & group->bitmask[groups[k]])) continue;
      if (of_atom[i] >= 0) twice = 1;
      of_atom[i] = static_cast<int>(k);
    }
  }
  MPI_Allreduce(&twice, &any, 1, MPI_INT, MPI_MAX, world);
  if (any) error->all(FLERR, "{}: atoms that are in two of the groups, allowed: groups without common atoms", user);
  begin();
}

std::vector<bigint> RigidBodies::count_atoms(int groupbit) const
{
  std::vector<bigint> mine(name.size() + 1, 0), sum(name.size() + 1, 0);
  for (int i = 0; i < atom->nlocal; i++)
    if (of_atom[i] >= 0 && (atom->mask[i] & groupbit)) mine[of_atom[i]]++;
  MPI_Allreduce(mine.data(), sum.data(), static_cast<int>(sum.size()), MPI_LMP_BIGINT, MPI_SUM, world);
  sum.pop_back();
  return sum;
}

void RigidBodies::count()
{
  atoms = count_atoms(1);
  for (size_t k = 0; k < atoms.size(); k++)
    if (atoms[k] < 2)
      error->all(FLERR, "{}: body {} has {} atom(s), allowed: 2 or more; a free atom is moved by fix nve", user, name[k],
                 atoms[k]);
}

void RigidBodies::begin()
{
  if (name.empty()) error->all(FLERR, "{}: no rigid bodies: the group has no atoms, allowed: a group with atoms", user);
  count();
  all.assign(name.size(), ds_body{});
  for (ds_body &b : all) {
    b.mass = 1.0;    // until it is known
    b.quaternion[0] = 1.0;
    for (int d = 0; d < 3; d++) b.moves[d] = b.turns[d] = 1.0;
  }
}

/* ----------------------------------------------------------------------
   Atoms in the form that operations of the engine take
------------------------------------------------------------------------- */

ds_step_context RigidBodies::context() const
{
  ds_step_context c = {};
  const ds_wrap box = StepArrays::box_of(lmp);
  std::copy_n(box.edge, 6, c.edge);
  c.bodies = all.data();
  return c;
}

ds_particle RigidBodies::particle(int i) const
{
  ds_particle p = {};
  for (int d = 0; d < 3; d++) {
    p.x[d] = atom->x[i][d];
    p.v[d] = atom->v[i][d];
  }
  const imageint image = atom->image[i];
  p.image[0] = (image & IMGMASK) - IMGMAX;
  p.image[1] = (image >> IMGBITS & IMGMASK) - IMGMAX;
  p.image[2] = (image >> IMG2BITS) - IMGMAX;
  p.mass = atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]];
  p.body = of_atom[i];
  return p;
}

void RigidBodies::vector_from_center(const ds_step_context &c, int i, double r[3]) const
{
  const ds_particle p = particle(i);
  const ds_body &b = all[of_atom[i]];
  ds_body_shift(&c, &b, &p, r);
  for (int d = 0; d < 3; d++) r[d] += p.x[d] - b.x[d];
}

/* ----------------------------------------------------------------------
   Adds up N sums per body over all ranks. `terms` gives the terms of atom i
------------------------------------------------------------------------- */

template <int N, class Terms> RigidBodies::Sums RigidBodies::add_up(const double (&units)[N], Terms terms) const
{
  Sums sums(N * all.size(), ds_exact_sum{});
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    double term[N];
    terms(i, term);
    for (int k = 0; k < N; k++) ds_exact_add_number(&sums[N * of_atom[i] + k], term[k], units[k]);
  }
  StepArrays::add_over_ranks(lmp, sums.data(), static_cast<int>(sums.size()));
  return sums;
}

/* ---------------------------------------------------------------------- */

void RigidBodies::set_up(const StepArrays::Units &units)
{
  check_images();
  find_centers(units);
  check_extents();
  find_moments(units);
  find_velocities(units);
}

void RigidBodies::check_images() const
{
  int outside = 0, any;
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    const ds_particle p = particle(i);
    for (int d = 0; d < 3; d++) outside |= p.image[d] && !domain->periodicity[d];
  }
  MPI_Allreduce(&outside, &any, 1, MPI_INT, MPI_MAX, world);
  if (any) error->all(FLERR, "{}: an atom of a body has an image flag along an axis that is not periodic, allowed is 0", user);
}

/* ----------------------------------------------------------------------
   Centers are found from unwrapped positions of atoms, and then wrapped into the box
------------------------------------------------------------------------- */

static int64_t counters_of(imageint image)
{
  const int64_t none = (int64_t) 1 << (DS_BODY_IMAGE_BITS - 1);
  const int64_t x = (image & IMGMASK) - IMGMAX, y = (image >> IMGBITS & IMGMASK) - IMGMAX, z = (image >> IMG2BITS) - IMGMAX;
  return (x + none) | (y + none) << DS_BODY_IMAGE_BITS | (z + none) << (2 * DS_BODY_IMAGE_BITS);
}

void RigidBodies::find_centers(const StepArrays::Units &u)
{
  const ds_step_context c = context();
  const double mx = u.mass * u.length, units[4] = {mx, mx, mx, u.mass};
  const Sums sums = add_up(units, [&](int i, double *term) {
    const ds_particle p = particle(i);
    ds_unwrapped(&c, &p, term);
    for (int d = 0; d < 3; d++) term[d] *= p.mass;
    term[3] = p.mass;
  });
  for (size_t k = 0; k < all.size(); k++) {
    ds_body &b = all[k];
    b.mass = ds_exact_value(&sums[4 * k + 3], units[3]);
    for (int d = 0; d < 3; d++) b.x[d] = ds_exact_value(&sums[4 * k + d], units[d]) / b.mass;
    imageint image = (imageint) IMGMAX << IMG2BITS | (imageint) IMGMAX << IMGBITS | IMGMAX;
    domain->remap(b.x, image);
    b.image = counters_of(image);
  }
}

/* ----------------------------------------------------------------------
   Checks image flags: wrong ones put atoms of a body far apart. A body that does not turn
   may extend through the whole box, for example a wall
------------------------------------------------------------------------- */

void RigidBodies::check_extents() const
{
  const ds_step_context c = context();
  std::vector<double> mine(6 * all.size(), -1.0), reach(6 * all.size());    // in both directions, as fractions of the edges
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    double r[3];
    vector_from_center(c, i, r);
    const double *const inverse = domain->h_inv;
    const double part[3] = {inverse[0] * r[0] + inverse[5] * r[1] + inverse[4] * r[2], inverse[1] * r[1] + inverse[3] * r[2],
                            inverse[2] * r[2]};
    for (int d = 0; d < 3; d++)
      for (int side = 0; side < 2; side++) {
        double &most = mine[6 * of_atom[i] + 2 * d + side];
        most = std::max(most, side ? part[d] : -part[d]);
      }
  }
  MPI_Allreduce(mine.data(), reach.data(), static_cast<int>(reach.size()), MPI_DOUBLE, MPI_MAX, world);
  for (size_t k = 0; k < all.size(); k++)
    for (int d = 0; d < 3; d++) {
      const bool turns = all[k].turns[0] != 0.0 || all[k].turns[1] != 0.0 || all[k].turns[2] != 0.0;
      if (domain->periodicity[d] && turns && reach[6 * k + 2 * d] + reach[6 * k + 2 * d + 1] > 0.5)
        error->all(FLERR,
                   "{}: body {} reaches over more than half of the box along {}, allowed: less, with image flags that "
                   "keep it together, or a body that does not turn (torque off off off)",
                   user, name[k], "xyz"[d]);
    }
}

/* ---------------------------------------------------------------------- */

void RigidBodies::find_moments(const StepArrays::Units &u)
{
  const ds_step_context c = context();
  const double mxx = u.mass * u.length * u.length, units[6] = {mxx, mxx, mxx, mxx, mxx, mxx};
  const Sums sums = add_up(units, [&](int i, double *term) {
    double r[3];
    vector_from_center(c, i, r);
    const double m = particle(i).mass;
    for (int d = 0; d < 3; d++) {
      const double a = r[(d + 1) % 3], b = r[(d + 2) % 3];
      term[d] = m * (a * a + b * b);
    }
    term[3] = -m * r[0] * r[1];
    term[4] = -m * r[0] * r[2];
    term[5] = -m * r[1] * r[2];
  });
  for (size_t k = 0; k < all.size(); k++) {
    double inertia[6];
    for (int j = 0; j < 6; j++) inertia[j] = ds_exact_value(&sums[6 * k + j], units[j]);
    ds_body_set_inertia(&all[k], inertia);
  }
  for (int i = 0; i < atom->nlocal; i++) {
    std::fill_n(place[i], 3, 0.0);
    if (of_atom[i] < 0) continue;
    double axis[3][3], r[3];
    vector_from_center(c, i, r);
    ds_body_axes(all[of_atom[i]].quaternion, axis);
    ds_space_to_body(axis, r, place[i]);
  }
}

void RigidBodies::find_velocities(const StepArrays::Units &u)
{
  const ds_step_context c = context();
  const double p = u.momentum, l = u.momentum * u.length, units[6] = {p, p, p, l, l, l};
  const Sums sums = add_up(units, [&](int i, double *term) {
    double r[3];
    const ds_particle one = particle(i);
    vector_from_center(c, i, r);
    for (int d = 0; d < 3; d++) term[d] = one.mass * one.v[d];
    ds_cross(r, term, term + 3);
  });
  for (size_t k = 0; k < all.size(); k++) {
    for (int d = 0; d < 3; d++) {
      all[k].v[d] = ds_exact_value(&sums[6 * k + d], units[d]) / all[k].mass;
      all[k].momentum[d] = ds_exact_value(&sums[6 * k + 3 + d], units[3 + d]);
    }
    ds_body_omega(&all[k], all[k].quaternion, all[k].omega);
  }
}

/* ---------------------------------------------------------------------- */

bigint RigidBodies::digest_of_velocities() const
{
  uint64_t of_atoms = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    const tagint tag = atom->tag[i];
    of_atoms += ds_digest(ds_digest(DS_DIGEST_OF_NOTHING, &tag, sizeof tag), atom->v[i], 3 * sizeof(double));
  }
  bigint mine = static_cast<bigint>(of_atoms), sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_LMP_BIGINT, MPI_SUM, world);
  return sum;
}

/* ----------------------------------------------------------------------
   Velocities that a file has are equal to the last bit. Positions may have been wrapped
   since, so they are compared with a tolerance
------------------------------------------------------------------------- */

bool RigidBodies::fit_atoms(bigint velocities) const
{
  static constexpr double NEAR = 1.0e-10;    // in units of the box's edges
  const double near = NEAR * std::max({domain->prd[0], domain->prd[1], domain->prd[2]});
  const bool unchanged = digest_of_velocities() == velocities;
  ds_step_context c = context();
  int differ = 0, any;
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    const ds_body &b = all[of_atom[i]];
    ds_particle p = particle(i), moved = p;
    double r[3], now[3];
    c.anchor = place[i];
    ds_body_offset(&c, &b, r);
    vector_from_center(c, i, now);
    ds_set_velocity_in_body(&b, r, &moved);
    for (int d = 0; d < 3; d++)
      differ |= (!unchanged && moved.v[d] != p.v[d]) || !(std::fabs(now[d] - r[d]) < near);
  }
  MPI_Allreduce(&differ, &any, 1, MPI_INT, MPI_MAX, world);
  return any == 0;
}

void RigidBodies::set_velocities()
{
  ds_step_context c = context();
  for (int i = 0; i < atom->nlocal; i++) {
    if (of_atom[i] < 0) continue;
    ds_particle p = particle(i);
    double r[3];
    c.anchor = place[i];
    ds_body_offset(&c, &all[of_atom[i]], r);
    ds_set_velocity_in_body(&all[of_atom[i]], r, &p);
    std::copy_n(p.v, 3, atom->v[i]);
  }
}

/* ---------------------------------------------------------------------- */

bool RigidBodies::is_linear(size_t k) const
{
  return std::any_of(all[k].inertia, all[k].inertia + 3, [](double i) { return i == 0.0; });
}

double RigidBodies::turning_energy(size_t k, int d) const
{
  double axis[3][3], turning[3];
  ds_body_axes(all[k].quaternion, axis);
  ds_body_principal_omega(&all[k], axis, turning);
  return all[k].inertia[d] * turning[d] * turning[d];
}
