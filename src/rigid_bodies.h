/* -*- c++ -*- Rigid bodies made of LAMMPS's atoms: which atom belongs to which body, and the state of bodies when a run begins.
   SPDX-License-Identifier: GPL-2.0-or-later

   All ranks have all bodies. Bodies are made from exact sums, so they are the same on any number of ranks. */

#ifndef LMP_DPDSOP_RIGID_BODIES_H
#define LMP_DPDSOP_RIGID_BODIES_H

#include "pointers.h"

#include "step_arrays.h"

#include "dpdsop/device/step/particle.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class RigidBodies : protected Pointers {
 public:
  RigidBodies(class LAMMPS *, const std::string &user);    // the beginning of error texts
  ~RigidBodies() override;
  RigidBodies(const RigidBodies &) = delete;
  RigidBodies &operator=(const RigidBodies &) = delete;

  std::vector<ds_body> all;
  std::vector<bigint> atoms;    // how many atoms each body has
  std::vector<tagint> name;     // of each body: its molecule, or a number from 1 on
  int *of_atom;                 // the body of each atom; -1: none
  double **place;               // the position of each atom in its body

  // Choose bodies: the whole group, its molecules, or its atoms that are in other groups. They set of_atom[] and `atoms`

  void choose_group(int groupbit);
  void choose_molecules(int groupbit);
  void choose_groups(int groupbit, const std::vector<int> &groups);

  void count();    // counts atoms again, as some may have been deleted

  // Finds masses, centers, moments, positions in the bodies and velocities, from the present atoms

  void set_up(const StepArrays::Units &);

  // Whether atoms have the positions that follow from the bodies, and the velocities that follow from them or have this digest

  bool fit_atoms(bigint velocities) const;
  bigint digest_of_velocities() const;    // of all atoms of bodies: the same in any order, on any number of ranks
  void set_velocities();    // of atoms, from their bodies

  bool is_linear(size_t body) const;
  double turning_energy(size_t body, int axis) const;    // I w^2 about a principal axis, twice the energy
  std::vector<bigint> count_atoms(int groupbit) const;   // of each body, in the group

 private:
  std::string user;

  using Sums = std::vector<ds_exact_sum>;
  ds_step_context context() const;
  ds_particle particle(int i) const;
  template <int N, class Terms> Sums add_up(const double (&units)[N], Terms) const;
  void begin();
  void check_images() const;
  void find_centers(const StepArrays::Units &);
  void check_extents() const;
  void find_moments(const StepArrays::Units &);
  void find_velocities(const StepArrays::Units &);
  void vector_from_center(const ds_step_context &, int i, double[3]) const;    // from the center of mass to atom i
};

}    // namespace LAMMPS_NS

#endif
