/* -*- c++ -*- Bins of compute chunk/atom: where they are in the present box, and what the engine has to know of them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_CHUNK_BINS_H
#define LMP_DPDSOP_CHUNK_BINS_H

#include "pointers.h"

#include "dpdsop/step.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class ChunkBins {
 public:
  // Arguments of a compute chunk/atom, which LAMMPS has already read and accepted

  ChunkBins(class LAMMPS *, const std::string &user, int narg, char **arg);

  // Why LAMMPS's own code has to find these chunks; empty if it need not

  const std::string &why_not() const { return unknown; }

  // Whether chunks are molecules, and why they may change in a run; empty if they do not

  bool are_molecules() const { return by_molecule; }
  const std::string &why_not_molecules() const { return changing; }
  const std::string &region() const { return id_region; }
  bool are_reduced() const { return scale == REDUCED; }

  // init() is called first in each run. Bins are set up once, or for the present box whenever a fix begins to use them. If bins
  // are fractions of the box, their volumes change with it

  void init();
  bool are_set_up_once() const { return once; }
  bool are_set_up() const { return ready; }
  void set_up();
  void find_volumes();

  int ncoord() const;
  int count() const { return nbins; }
  double coordinate(int bin, int k) const { return coordinates[static_cast<size_t>(bin) * ncoord() + k]; }
  double volume(int bin) const { return layered() ? volumes[0] : volumes[bin / layers_per_shell()]; }

  void put(ds_binning &) const;    // for the present box

 private:
  enum Border { LOWER, CENTER, UPPER, VALUE };
  enum Scale { BOX, LATTICE, REDUCED };
  enum Discard { MIXED, NO, YES };

  struct Layers {
    int axis, n;
    Border border;
    double origin, thickness, first;
  };
  struct Bound {
    bool given;
    double value;
  };
  struct Shells {
    int n;
    double center_given[3], least_given, most_given;
    double center[3], least, most;
  };

  class LAMMPS *lmp;
  std::string user, unknown, changing, id_region;
  int kind;
  bool by_molecule;
  std::vector<Layers> layers;
  Bound low[3], high[3];    // for each axis
  Shells shells;
  Scale scale;
  Discard discard;
  bool nearest, once, once_given, compressed, ready;
  int nbins;
  std::vector<double> coordinates, volumes;

  bool layered() const { return kind == DS_BINS_LAYERS; }
  int layers_per_shell() const { return layers.empty() ? 1 : layers[0].n; }
  void read_layers(char **arg);
  int read_style(char **arg);    // returns the index of the first keyword
  void read_keywords(int k, int narg, char **arg);
  void read_bound(char **arg);
  void read_changes(int narg, char **arg);
  void apply_lattice();
  void set_up_layers(Layers &);
  void set_up_shells();
  void check_shells() const;
  void check_count() const;
  double shell_radius(int k) const;
  void find_coordinates();
  [[noreturn]] void refuse(const std::string &what, const std::string &allowed) const;
};

}    // namespace LAMMPS_NS

#endif
