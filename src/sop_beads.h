/* -*- c++ -*- Which atoms are beads of which molecule, and how their coordinates go from the ranks that own atoms to those
   that move them, and back.
   SPDX-License-Identifier: GPL-2.0-or-later

   One rank moves a whole molecule. Molecules are distributed over ranks in the order of their copies, and atoms outside the
   topology in the order of their IDs. Molecules that interact are all moved by the first rank. The same rank moves a bead
   during a whole run, wherever its atom goes. */

#ifndef LMP_DPDSOP_SOP_BEADS_H
#define LMP_DPDSOP_SOP_BEADS_H

#include "pointers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class SOPBeads : protected Pointers {
 public:
  SOPBeads(class LAMMPS *, const std::string &user);    // the beginning of error texts

  // all ranks call these together

  enum { SPREAD, TOGETHER, SHARED };    // how molecules are distributed: one rank each, all on one rank, each on all ranks
  enum { NEVER, IF_LARGE, ALWAYS };     // whether they are SHARED if there are fewer molecules than ranks

  // offset: the largest ID below those of the topology's beads

  void find(int igroup, int beads_of_molecule, int copies, bigint offset, bool together, int share);
  void plan();    // after atoms have changed ranks or places
  void collect();
  void deliver();

  // Numbers of all ranks, and of this one

  bigint all_molecules() const { return (bigint) present.size(); }
  bigint all_free() const { return (bigint) free_tags.size(); }
  int molecules() const { return shared() ? (int) all_molecules() : count_of(comm_me); }
  int free() const { return first_free(comm_me + 1) - first_free(comm_me); }
  int beads() const { return (int) id.size(); }
  int number_of(bigint molecule) const { return present[molecule] + 1; }    // its number among all copies, from 1
  int copy(int molecule) const { return present[first_of_engine() + molecule]; }
  int first_of_engine() const { return shared() ? 0 : first_molecule(comm_me); }
  int first_free(int rank) const;
  uint64_t which() const;    // a digest of the copies and free atoms

  // Molecules for which a rank gives values. If they are shared, the first rank does so for all of them

  int first_molecule(int rank) const;
  int count_of(int rank) const { return first_molecule(rank + 1) - first_molecule(rank); }

  // If molecules are shared: the first bead that a rank moves

  bool shared() const { return mode == SHARED; }
  int first_share(int rank) const;

  // Of the beads of this rank: those of molecules, then free beads

  std::vector<int64_t> id;
  std::vector<double> x, f;    // not wrapped into the box
  bool pushed;                 // some force is not zero

 private:
  std::string user;
  int groupbit, nbeads, comm_me;
  bigint offset;
  int mode;
  std::vector<int> present;          // numbers of the copies that exist, increasing
  std::vector<int> place_of_copy;    // -1: the copy does not exist
  std::vector<tagint> free_tags;     // increasing

  // Atoms of this rank in the order of the ranks that move them; beads of this rank in the order of the ranks that own their
  // atoms; and how many of both there are for each rank

  std::vector<int> atoms, places, to_count, from_count;
  std::vector<double> sent, received;

  bigint bead_of(tagint tag) const { return (bigint) tag - offset - 1; }    // its number in the topology's copies, from 0
  void check_offset(int) const;
  int split(bigint, int, int) const;
  int molecule_ranks() const;
  void count_copies(int, std::vector<int> &) const;
  void check_copies(const std::vector<int> &);
  void gather_free(int);
  int rank_of(tagint, int &) const;
  void share_positions();
  void unwrap(int, double *) const;
  void exchange(const std::vector<double> &, const std::vector<int> &, std::vector<double> &,
                const std::vector<int> &, int);
};

}    // namespace LAMMPS_NS

#endif
