/* -*- c++ -*- Rigid bodies made of LAMMPS's atoms: which atom is of which body, and what bodies are when a run begins.
   SPDX-License-Identifier: GPL-2.0-or-later

   All ranks have all bodies, made of exact sums: the same on any number of ranks. */

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
  RigidBodies(class LAMMPS *, const std::string &user);    // as error texts begin
  ~RigidBodies() override;
  RigidBodies(const RigidBodies &) = delete;
  RigidBodies &operator=(const RigidBodies &) = delete;

  std::vector<ds_body> all;
  std::vector<bigint> atoms;    // how many each has
  std::vector<tagint> name;     // of each: its molecule, or a number from 1 on
  int *of_atom;                 // -1: of none
  double **place;               // of an atom in its body

  // Bodies are the group, its molecules, or its parts that are in other groups: of_atom[] and `atoms`

  void choose_group(int groupbit);
  void choose_molecules(int groupbit);
  void choose_groups(int groupbit, const std::vector<int> &groups);

  void count();    // atoms, of which some may have been deleted

  // From atoms as they are: masses, centers, moments, places in the bodies, velocities

  void set_up(const StepArrays::Units &);

  // Whether atoms are where the bodies put them, with the velocities that these give

  bool fit_atoms() const;
  void set_velocities();    // of atoms, as bodies have them

  bool is_linear(size_t body) const;
  double turning_energy(size_t body, int axis) const;    // twice, I w^2 about a principal axis
  std::vector<bigint> count_atoms(int groupbit) const;   // of each, in the group

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
  void way_of(const ds_step_context &, int i, double[3]) const;    // from the center of mass
};

}    // namespace LAMMPS_NS

#endif
