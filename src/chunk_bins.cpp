/* Bins of compute chunk/atom.   SPDX-License-Identifier: GPL-2.0-or-later

   Borders, numbers, coordinates and volumes are computed by the formulas of LAMMPS's compute chunk/atom, each rounded as
   there, so that files of fix ave/chunk/gpu have the same digits. */

#include "chunk_bins.h"

#include "pi.h"

#include "domain.h"
#include "error.h"
#include "lammps.h"
#include "lattice.h"

#include "dpdsop/device/step/bins.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ChunkBins::ChunkBins(LAMMPS *lmp_in, const std::string &user_in, int narg, char **arg) :
    lmp(lmp_in), user(user_in), kind(DS_BINS_LAYERS), by_molecule(false), low(), high(), shells(), scale(LATTICE),
    discard(MIXED), nearest(false), once(false), once_given(false), compressed(false), ready(false), nbins(0)
{
  const int k = read_style(arg);
  if (!unknown.empty()) {
    changing = unknown;
    if (by_molecule) read_changes(narg, arg);
    return;
  }
  read_keywords(k, narg, arg);
  if (scale == REDUCED && !once_given) once = true;
  if (compressed && !once_given) once = false;
  if (scale == LATTICE) apply_lattice();
}

void ChunkBins::refuse(const std::string &what, const std::string &allowed) const
{
  lmp->error->all(FLERR, "{}: {}, allowed: {}", user, what, allowed);
}

/* ----------------------------------------------------------------------
   words
------------------------------------------------------------------------- */

void ChunkBins::read_layers(char **arg)
{
  Layers l = {};
  l.axis = arg[0][0] - 'x';
  l.border = strcmp(arg[1], "lower") == 0    ? LOWER
             : strcmp(arg[1], "center") == 0 ? CENTER
             : strcmp(arg[1], "upper") == 0  ? UPPER
                                             : VALUE;
  if (l.border == VALUE) l.origin = utils::numeric(FLERR, arg[1], false, lmp);
  l.thickness = utils::numeric(FLERR, arg[2], false, lmp);
  layers.push_back(l);
}

int ChunkBins::read_style(char **arg)
{
  const std::string style = arg[3];
  const auto value = [this](const char *word) { return utils::numeric(FLERR, word, false, lmp); };
  int k = 4;
  if (style == "bin/1d" || style == "bin/2d" || style == "bin/3d") {
    for (int j = 0; j < style[4] - '0'; j++, k += 3) read_layers(arg + k);
  } else if (style == "bin/sphere") {
    kind = DS_BINS_SPHERE;
    for (int d = 0; d < 3; d++) shells.center_given[d] = value(arg[k++]);
  } else if (style == "bin/cylinder") {
    kind = DS_BINS_CYLINDER;
    read_layers(arg + k);
    k += 3;
    for (int d = 0; d < 3; d++)
      if (d != layers[0].axis) shells.center_given[d] = value(arg[k++]);
  } else
    unknown = fmt::format("its chunks are {}", style);
  by_molecule = style == "molecule";
  if (kind == DS_BINS_LAYERS) return k;
  shells.least_given = value(arg[k++]);
  shells.most_given = value(arg[k++]);
  shells.n = utils::inumeric(FLERR, arg[k++], false, lmp);
  return k;
}

void ChunkBins::read_bound(char **arg)
{
  const int axis = arg[0][0] - 'x';
  low[axis].given = strcmp(arg[1], "lower") != 0;
  high[axis].given = strcmp(arg[2], "upper") != 0;
  if (low[axis].given) low[axis].value = utils::numeric(FLERR, arg[1], false, lmp);
  if (high[axis].given) high[axis].value = utils::numeric(FLERR, arg[2], false, lmp);
}

void ChunkBins::read_keywords(int k, int narg, char **arg)
{
  while (k + 1 < narg) {
    const std::string word = arg[k], value = arg[k + 1];
    k += 2;
    if (word == "region") id_region = value;
    if (word == "nchunk") {
      once_given = true;
      once = value == "once";
    }
    if (word == "limit" && utils::inumeric(FLERR, value.c_str(), false, lmp) != 0)
      k++;    // has two values, and no effect on bins
    if (word == "ids" && value != "every") unknown = fmt::format("it has ids {}", value);
    if (word == "compress") compressed = utils::logical(FLERR, value, false, lmp) != 0;
    if (word == "discard") discard = value == "mixed" ? MIXED : value == "no" ? NO : YES;
    if (word == "units") scale = value == "box" ? BOX : value == "lattice" ? LATTICE : REDUCED;
    if (word == "pbc") nearest = utils::logical(FLERR, value, false, lmp) != 0;
    if (word != "bound") continue;
    read_bound(arg + k - 1);
    k += 2;
  }
  if (compressed) unknown = "it has compress yes";
}

/* ----------------------------------------------------------------------
   Why chunks of molecules may change in a run. LAMMPS applies `ids nfreq` only while
   fixes of LAMMPS have locked the chunks
------------------------------------------------------------------------- */

void ChunkBins::read_changes(int narg, char **arg)
{
  changing.clear();
  for (int k = 4; k + 1 < narg; k += 2) {
    const std::string word = arg[k], value = arg[k + 1];
    if (word == "region") changing = fmt::format("it has region {}", value);
    if (word == "ids" && value == "nfreq") changing = "it has ids nfreq";
    if (word == "limit" && utils::inumeric(FLERR, value.c_str(), false, lmp) != 0) k++;
    if (word == "bound") k += 2;
  }
}

/* ----------------------------------------------------------------------
   Like LAMMPS, scales the bound of axis number k by the axis of layers number k, and
   leaves shells of a cylinder in box units
------------------------------------------------------------------------- */

void ChunkBins::apply_lattice()
{
  const double spacing[3] = {lmp->domain->lattice->xlattice, lmp->domain->lattice->ylattice, lmp->domain->lattice->zlattice};
  for (size_t k = 0; k < layers.size(); k++) {
    const double by = spacing[layers[k].axis];
    layers[k].thickness *= by;
    if (layers[k].border == VALUE) layers[k].origin *= by;
    if (low[k].given) low[k].value *= by;
    if (high[k].given) high[k].value *= by;
  }
  if (kind != DS_BINS_SPHERE) return;
  for (int d = 0; d < 3; d++) shells.center_given[d] *= spacing[d];
  shells.least_given *= spacing[0];
  shells.most_given *= spacing[0];
}

/* ----------------------------------------------------------------------
   Bins are set up once, unless the command says otherwise or the size of the box changes
------------------------------------------------------------------------- */

void ChunkBins::init()
{
  if (once_given || scale == REDUCED) return;
  const bool stays = lmp->domain->box_change_size == 0;
  if (stays && !once) ready = false;
  once = stays;
}

void ChunkBins::set_up()
{
  for (Layers &l : layers) set_up_layers(l);
  if (!layered()) set_up_shells();
  check_count();
  nbins = layered() ? 1 : shells.n;
  for (const Layers &l : layers) nbins *= l.n;
  find_coordinates();
  find_volumes();
  ready = true;
}

/* ----------------------------------------------------------------------
   Whole layers are added from the origin in both directions, until they fill the box or
   the bounds
------------------------------------------------------------------------- */

void ChunkBins::set_up_layers(Layers &l)
{
  const double inverse = 1.0 / l.thickness;
  double lo = are_reduced() ? 0.0 : lmp->domain->boxlo[l.axis], hi = are_reduced() ? 1.0 : lmp->domain->boxhi[l.axis];
  if (low[l.axis].given) lo = low[l.axis].value;
  if (high[l.axis].given) hi = high[l.axis].value;
  if (l.border == LOWER) l.origin = lo;
  if (l.border == UPPER) l.origin = hi;
  if (l.border == CENTER) l.origin = 0.5 * (lo + hi);

  double first, last;
  if (l.origin < lo) {
    first = l.origin + trunc((lo - l.origin) * inverse) * l.thickness;
  } else {
    first = l.origin - trunc((l.origin - lo) * inverse) * l.thickness;
    if (first > lo) first -= l.thickness;
  }
  if (l.origin < hi) {
    last = l.origin + trunc((hi - l.origin) * inverse) * l.thickness;
    if (last < hi) last += l.thickness;
  } else {
    last = l.origin - trunc((l.origin - hi) * inverse) * l.thickness;
  }
  const double n = trunc((last - first) * inverse + 0.5);
  if (!(n >= 1.0)) refuse(fmt::format("bins from {} to {} along {}", first, last, "xyz"[l.axis]), "at least one");
  if (n > MAXSMALLINT) refuse(fmt::format("{:.0f} layers along {}", n, "xyz"[l.axis]), fmt::format("up to {}", MAXSMALLINT));
  l.first = first;
  l.n = static_cast<int>(n);
}

/* ---------------------------------------------------------------------- */

void ChunkBins::set_up_shells()
{
  const int across = layers.empty() || layers[0].axis != 0 ? 0 : 1;
  const double unit = are_reduced() ? lmp->domain->boxhi[across] - lmp->domain->boxlo[across] : 1.0;
  std::copy_n(shells.center_given, 3, shells.center);
  if (are_reduced()) lmp->domain->lamda2x(shells.center_given, shells.center);
  shells.least = shells.least_given * unit;
  shells.most = shells.most_given * unit;
  check_shells();
}

void ChunkBins::check_shells() const
{
  for (int d = 0; d < 3 && nearest; d++) {
    if ((!layers.empty() && layers[0].axis == d) || !lmp->domain->periodicity[d] || (d == 2 && lmp->domain->dimension == 2))
      continue;
    if (shells.most > lmp->domain->prd_half[d])
      refuse(fmt::format("shells of radius {} with pbc yes", shells.most),
             fmt::format("up to half a period, {}", lmp->domain->prd_half[d]));
    const double away = std::max(lmp->domain->boxlo[d] - shells.center[d], shells.center[d] - lmp->domain->boxhi[d]);
    if (away > (DS_MAX_PERIODS - 2) * lmp->domain->prd[d])
      refuse(fmt::format("shells around {} along {} with pbc yes", shells.center[d], "xyz"[d]),
             fmt::format("up to {} periods from the box", DS_MAX_PERIODS - 2));
  }
}

/* ----------------------------------------------------------------------
   The engine limits the number of values in all bins
------------------------------------------------------------------------- */

void ChunkBins::check_count() const
{
  double n = layered() ? 1.0 : shells.n;
  for (const Layers &l : layers) n *= l.n;
  if (n > MAXSMALLINT / DS_BIN_VALUES)
    refuse(fmt::format("{:.0f} bins", n), fmt::format("up to {}", MAXSMALLINT / DS_BIN_VALUES));
}

double ChunkBins::shell_radius(int k) const
{
  return k == shells.n ? shells.most : shells.least + k * (shells.most - shells.least) / shells.n;
}

/* ----------------------------------------------------------------------
   Coordinates of centers of bins, and volumes of bins
------------------------------------------------------------------------- */

int ChunkBins::ncoord() const
{
  return static_cast<int>(layers.size()) + (layered() ? 0 : 1);
}

void ChunkBins::find_coordinates()
{
  const int n = ncoord(), offset = layered() ? 0 : 1;
  coordinates.resize(static_cast<size_t>(nbins) * n);
  for (int bin = 0; bin < nbins; bin++) {
    double *const c = coordinates.data() + static_cast<size_t>(bin) * n;
    int rest = bin;
    for (int k = static_cast<int>(layers.size()) - 1; k >= 0; k--) {
      const Layers &l = layers[k];
      c[offset + k] = l.first + (rest % l.n + 0.5) * l.thickness;
      rest /= l.n;
    }
    if (!layered()) c[0] = 0.5 * (shell_radius(rest) + shell_radius(rest + 1));
  }
}

void ChunkBins::find_volumes()
{
  static constexpr double UNIT[3] = {1.0, 1.0, 1.0};
  const double *const period = are_reduced() ? UNIT : lmp->domain->prd;
  if (layered()) {
    double volume = lmp->domain->xprd * lmp->domain->yprd;
    if (lmp->domain->dimension == 3) volume *= lmp->domain->zprd;
    for (const Layers &l : layers) volume *= l.thickness / period[l.axis];
    volumes.assign(1, volume);
    return;
  }
  volumes.resize(shells.n);
  for (int k = 0; k < shells.n; k++) {
    const double inner = shell_radius(k), outer = shell_radius(k + 1);
    if (kind == DS_BINS_SPHERE) {
      volumes[k] = 4.0 / 3.0 * PI * outer * outer * outer - 4.0 / 3.0 * PI * inner * inner * inner;
    } else {
      const int axis = layers[0].axis;
      volumes[k] = (PI * outer * outer - PI * inner * inner) * (lmp->domain->prd[axis] * layers[0].thickness / period[axis]);
    }
  }
}

/* ---------------------------------------------------------------------- */

void ChunkBins::put(ds_binning &b) const
{
  b.kind = kind;
  b.reduced = are_reduced() ? 1 : 0;
  b.nlayers = static_cast<int>(layers.size());
  for (size_t k = 0; k < layers.size(); k++) {
    const Layers &l = layers[k];
    const bool keeps = discard != YES;
    b.layers[k] = {l.axis, l.n, keeps && (discard == NO || !low[l.axis].given), keeps && (discard == NO || !high[l.axis].given),
                   l.first, 1.0 / l.thickness};
  }
  b.keeps_beyond = discard != YES;
  b.nearest = nearest;
  for (int d = 0; d < 3; d++) {
    b.periodic[d] = lmp->domain->periodicity[d];
    b.lo[d] = lmp->domain->boxlo[d];
    b.hi[d] = lmp->domain->boxhi[d];
    b.period[d] = lmp->domain->prd[d];
  }
  std::copy_n(lmp->domain->h_inv, 6, b.inverse);
  if (layered()) return;
  b.nshells = shells.n;
  std::copy_n(shells.center, 3, b.center);
  b.radius = shells.least;
  b.inverse_width = shells.n / (shells.most - shells.least);
}
