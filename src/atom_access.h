/* -*- c++ -*- Where the atoms of a run are: arrays as the engine takes them. This class gives LAMMPS's own arrays; a class
   derived from it gives KOKKOS's.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOM_ACCESS_H
#define LMP_DPDSOP_ATOM_ACCESS_H

#include "pointers.h"

#include "template_partners.h"

#include "dpdsop/array.h"

#include <memory>

namespace LAMMPS_NS {

class AtomAccess : protected Pointers {
 public:
  explicit AtomAccess(class LAMMPS *lmp) : Pointers(lmp), partners(lmp) {}

  // Those of KOKKOS where it has the atoms in this run, else null

  static std::unique_ptr<AtomAccess> of_kokkos(class LAMMPS *);

  // owner(): who owns the arrays, for the log; null stands for LAMMPS. space(): the memory that they are in. stream(): the
  // cudaStream_t in which their owner works, or null

  virtual const char *owner() const { return nullptr; }
  virtual ds_space space() const { return DS_SPACE_HOST; }
  virtual void *stream() const { return nullptr; }

  // Ghosts. images_along(): own atoms may have images along this axis. send_ghosts(): the pair style's forward communication.
  // end_run(): true if there are other ghosts than before

  virtual bool images_along(int /*axis*/) const { return true; }
  virtual void send_ghosts(class Pair *);
  virtual bool end_run() { return false; }

  // Brings all that operations of a step may read to this memory; says which fields (DS_POSITION ...) have been changed there

  virtual void bring_to(ds_space) {}
  virtual void changed_in(ds_space, int /*fields*/) {}

  virtual ds_array x() const;
  virtual ds_array v() const;
  virtual ds_array f() const;
  virtual ds_array tag() const;
  virtual ds_array type() const;
  virtual ds_array mask() const;
  virtual ds_array image() const;
  virtual ds_array rmass() const;
  virtual ds_array molecule() const;
  ds_array charge() const;    // in LAMMPS's memory, of atoms and ghosts

  // Partners along bonds. find_special() has to be called first when atoms have been renumbered

  void find_special();
  virtual ds_array nspecial();
  virtual ds_array special();

 private:
  TemplatePartners partners;
};

}    // namespace LAMMPS_NS

#endif
