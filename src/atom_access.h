/* -*- c++ -*- Where the atoms of a run are: the arrays as the engine takes them. These are LAMMPS's own; a class
   derived from this one gives those of KOKKOS.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOM_ACCESS_H
#define LMP_DPDSOP_ATOM_ACCESS_H

#include "pointers.h"

#include "template_partners.h"

#include "dpdsop/array.h"

namespace LAMMPS_NS {

class AtomAccess : protected Pointers {
 public:
  explicit AtomAccess(class LAMMPS *lmp) : Pointers(lmp), partners(lmp) {}

  // who owns the arrays, for the log, or null: LAMMPS; the memory that they are in, and the cudaStream_t that
  // their owner works on, or null

  virtual const char *owner() const { return nullptr; }
  virtual ds_space space() const { return DS_SPACE_HOST; }
  virtual void *stream() const { return nullptr; }

  // ghosts: whether there are images of own atoms along an axis; messages of a pair style; and the end of a run, which
  // returns true if ghosts are others than before

  virtual bool images_along(int /*axis*/) const { return true; }
  virtual void send_ghosts(class Pair *);
  virtual bool end_run() { return false; }

  virtual ds_array x() const;
  virtual ds_array v() const;
  virtual ds_array f() const;
  virtual ds_array tag() const;
  virtual ds_array type() const;
  virtual ds_array mask() const;
  virtual ds_array molecule() const;

  // partners along bonds; find_special() first where atoms are others than before

  void find_special();
  virtual ds_array nspecial();
  virtual ds_array special();

 private:
  TemplatePartners partners;
};

}    // namespace LAMMPS_NS

#endif
