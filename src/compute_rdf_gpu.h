/* -*- c++ -*- Radial distribution functions: LAMMPS's compute rdf, from the engine's own cells.
   SPDX-License-Identifier: GPL-2.0-or-later

   The engine counts pairs as integers, in the same bins as LAMMPS. Neither lists of LAMMPS nor ghosts are needed. While
   run_style verlet/gpu makes steps, pairs are counted where the atoms are, in steps in which LAMMPS reads the compute. */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(rdf/gpu,ComputeRDFGPU);
ComputeStyle(rdf/exact/gpu,ComputeRDFGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_RDF_GPU_H
#define LMP_COMPUTE_RDF_GPU_H

#include "compute_looking.h"

#include "atom_access.h"
#include "atoms_of_all.h"
#include "engine_session.h"

#include "dpdsop/rdf.h"

namespace LAMMPS_NS {

class ComputeRDFGPU : public ComputeLooking {
 public:
  ComputeRDFGPU(class LAMMPS *, int, char **);
  ~ComputeRDFGPU() override;
  void init() override;
  void init_list(int, class NeighList *) override {}
  void compute_array() override;
  double memory_usage() override;

  std::string why_not_declared() override;
  void look_at_atoms(ResidentAtoms &) override;

 private:
  // Ranges of types of central atoms and of the atoms around them. Numbers of atoms of these types, and of atoms that are both

  struct Column {
    int ilo, ihi, jlo, jhi;
    double centers, others, both;
    bool counts(int i, int j) const { return ilo <= i && i <= ihi && jlo <= j && j <= jhi; }
  };

  int nbin;
  double cutoff_given;    // 0: the cutoff of forces
  double cutoff, width;
  std::vector<Column> columns;
  bool counts_change;     // numbers of atoms of a type may change
  bigint natoms_before;

  // Pairs of types that belong to the same columns share a histogram. kind: its number for each pair of types. parts: how often
  // each column adds each histogram

  std::vector<int32_t> kind;
  std::vector<std::vector<int>> parts;

  std::vector<ds_exclusion> rules;
  EngineSession session;
  AtomAccess access;
  AtomsOfAll all;
  ds_rdf *rdf;
  bool on_gpu;
  std::vector<int64_t> pairs;

  void read_arguments(int narg, char **arg);
  void find_kinds();
  void count_atoms();
  void check_box();
  void open();
  void close();
  bool leaves_out_special() const;
  ds_rdf_atoms atoms_of_lammps();
  ds_rdf_atoms atoms_of_engine(ResidentAtoms &);
  void count(const ds_rdf_atoms &);
  void normalize();

  std::vector<char> ordered[2];    // counts of partners and partners in the engine's order
};

}    // namespace LAMMPS_NS

#endif
#endif
