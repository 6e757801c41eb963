/* pair_style and pair_coeff of the pair styles of this package.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_gpu.h"

#include "atom.h"
#include "error.h"
#include "utils.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

namespace {
// The values are in the order of the enum of their meanings

struct Keyword {
  const char *name;
  const char *values[3];
  const char *allowed;
};

constexpr Keyword KEYWORDS[] = {
    {"precision", {"mixed", "double", nullptr},
     "mixed, double (single has been removed: it was no faster)"},
    {"backend", {"auto", "host", "cuda"}, "auto, cuda, host"},
    {"neigh", {"own", nullptr, nullptr},
     "own (lammps has been removed: own serves neigh_modify include and atom_style template, too)"},
};
enum { PRECISION, BACKEND, NEIGH, NKEYWORDS };

static_assert(DS_PRECISION_MIXED == 0 && DS_PRECISION_DOUBLE == 1 && DS_BACKEND_AUTO == 0 &&
                  DS_BACKEND_HOST == 1 && DS_BACKEND_CUDA == 2,
              "order of keyword values");
}    // namespace

const char *PairGPU::name_of_precision() const
{
  return KEYWORDS[PRECISION].values[precision];
}

/* ---------------------------------------------------------------------- */

static bool is_allowed(double value, PairGPUStyle::Range range)
{
  if (!std::isfinite(value)) return false;
  if (range == PairGPUStyle::NOT_NEGATIVE) return value >= 0.0;
  if (range == PairGPUStyle::POSITIVE) return value > 0.0;
  if (range == PairGPUStyle::EXPONENT) return value > 0.0 && value <= DS_MAX_EXPONENT;
  return true;
}

static std::string allowed(PairGPUStyle::Range range)
{
  if (range == PairGPUStyle::NOT_NEGATIVE) return "finite numbers >= 0";
  if (range == PairGPUStyle::POSITIVE) return "finite numbers > 0";
  if (range == PairGPUStyle::EXPONENT)
    return fmt::format("numbers > 0 and <= {}", DS_MAX_EXPONENT);
  return "finite numbers";
}

/* ----------------------------------------------------------------------
   Reads a number of a command. The error names where it stands and what is allowed
------------------------------------------------------------------------- */

double PairGPU::number(const char *command, const char *name, const char *text,
                       PairGPUStyle::Range range)
{
  if (utils::is_double(text)) {
    const double value = utils::numeric(FLERR, text, false, lmp);
    if (is_allowed(value, range)) return value;
  }
  error->all(FLERR, "Pair {}: {}: {} is {}, allowed are {}", style.name, command, name, text,
             allowed(range));
}

/* ----------------------------------------------------------------------
   Sets what follows from the settings
------------------------------------------------------------------------- */

void PairGPU::reset_settings()
{
  // Pair hybrid and Comm read this before the engine exists. A message has 28 bytes per ghost, or 52 in double precision. On
  // one rank, owner and image of a ghost take 4 numbers.

  comm_forward = precision == DS_PRECISION_DOUBLE ? 7 : 4;
  coeffs_changed = 1;
}

/* ---------------------------------------------------------------------- */

void PairGPU::read_keywords(int narg, char **arg)
{
  int chosen[NKEYWORDS] = {DS_PRECISION_MIXED, DS_BACKEND_AUTO};
  const bool may_ramp = ntemperatures == 1;
  for (int iarg = 0; iarg < narg; iarg += 2) {
    const bool ramps = may_ramp && strcmp(arg[iarg], "tstop") == 0;
    int k = 0;
    while (k < NKEYWORDS && strcmp(arg[iarg], KEYWORDS[k].name) != 0) k++;
    if (k == NKEYWORDS && !ramps)
      error->all(FLERR,
                 "Pair {}: pair_style: unknown keyword {}, allowed are {}precision, backend, neigh",
                 style.name, arg[iarg], may_ramp ? "tstop, " : "");
    if (iarg + 1 == narg)
      error->all(FLERR, "Pair {}: pair_style: keyword {} has no value, allowed are {}", style.name,
                 arg[iarg], ramps ? allowed(PairGPUStyle::NOT_NEGATIVE) : KEYWORDS[k].allowed);
    if (ramps) {
      t_stop = number("pair_style", "tstop", arg[iarg + 1], PairGPUStyle::NOT_NEGATIVE);
      continue;
    }
    chosen[k] = -1;
    for (int value = 0; value < 3; value++)
      if (KEYWORDS[k].values[value] && strcmp(arg[iarg + 1], KEYWORDS[k].values[value]) == 0)
        chosen[k] = value;
    if (chosen[k] < 0)
      error->all(FLERR, "Pair {}: pair_style: {} is {}, allowed are {}", style.name, arg[iarg],
                 arg[iarg + 1], KEYWORDS[k].allowed);
  }
  precision = chosen[PRECISION];
  backend = chosen[BACKEND];
}

/* ----------------------------------------------------------------------
   Less than 2^31, because noise does not depend on the top bit
------------------------------------------------------------------------- */

void PairGPU::read_seed(const char *text)
{
  const bigint wanted = utils::is_integer(text) ? utils::bnumeric(FLERR, text, false, lmp) : 0;
  if (wanted < 1 || wanted > MAXSMALLINT)
    error->all(FLERR, "Pair {}: pair_style: seed is {}, allowed are integers from 1 to {}",
               style.name, text, MAXSMALLINT);
  seed = static_cast<int>(wanted);
}

/* ----------------------------------------------------------------------
   global settings: [temperatures] cutoff [seed] keyword value ...
------------------------------------------------------------------------- */

void PairGPU::settings(int narg, char **arg)
{
  const char *const command = "pair_style";
  const char *const *const names = style.temperatures;
  const int nt = ntemperatures;
  const int needed = nt + (has_noise() ? 2 : 1);
  if (narg < needed)
    error->all(FLERR, "Pair {}: pair_style has {} arguments, needed are {}{}{}{}cutoff{}", style.name, narg, nt ? names[0] : "",
               nt > 1 ? " " : "", nt > 1 ? names[1] : "", nt ? " " : "", has_noise() ? " seed" : "");

  if (nt) temperature = number(command, names[0], arg[0], PairGPUStyle::NOT_NEGATIVE);
  t_start = t_stop = temperature;
  if (nt > 1) t_stop = number(command, names[1], arg[1], PairGPUStyle::NOT_NEGATIVE);
  cut_global = number(command, "cutoff", arg[nt], PairGPUStyle::POSITIVE);
  if (has_noise()) read_seed(arg[nt + 1]);

  read_keywords(narg - needed, arg + needed);
  reset_settings();

  // reset cutoffs that have been explicitly set

  if (allocated)
    for (int i = 1; i <= atom->ntypes; i++)
      for (int j = i; j <= atom->ntypes; j++)
        if (setflag[i][j]) cut[i][j] = cut_global;
}

/* ----------------------------------------------------------------------
   Reads the words of pair_coeff after the types into coefficients. Returns the cutoff
------------------------------------------------------------------------- */

double PairGPU::read_coefficients(int narg, char **arg, double *one)
{
  const char *const command = "pair_coeff";
  for (int k = 0; k < ncoeff; k++) {
    const auto &c = style.coeff[k];
    if (k >= nneeded && k < nplain)
      one[k] = number(command, c.name, arg[k + 1], c.range);    // behind the cutoff
    else
      one[k] = k < nneeded ? number(command, c.name, arg[k], c.range) : PairGPUStyle::neutral(c.range);
  }

  double cut_one = cut_global;
  int iarg = nneeded;
  if (iarg < narg && (nneeded == nwritten || nplain > nneeded || utils::is_double(arg[iarg])))
    cut_one = number(command, "cutoff", arg[iarg++], PairGPUStyle::POSITIVE);
  iarg += nplain - nneeded;

  for (; iarg < narg; iarg += 2) {
    int k = nplain;
    while (k < nwritten && strcmp(arg[iarg], style.coeff[k].name) != 0) k++;
    if (k == nwritten)
      error->all(FLERR, "Pair {}: pair_coeff: unknown keyword {}, allowed is {}", style.name,
                 arg[iarg], names_of(nplain, nwritten, ", "));
    const auto &c = style.coeff[k];
    if (iarg + 1 == narg)
      error->all(FLERR, "Pair {}: pair_coeff: keyword {} has no value, allowed are {}", style.name,
                 c.name, allowed(c.range));
    one[k] = number(command, c.name, arg[iarg + 1], c.range);
  }
  return cut_one;
}

/* ---------------------------------------------------------------------- */

std::string PairGPU::names_of(int first, int last, const char *between) const
{
  std::string names;
  for (int k = first; k < last; k++)
    names += std::string(k > first ? between : "") + style.coeff[k].name;
  return names;
}

/* ----------------------------------------------------------------------
   coefficients of one or more pairs of types: I J needed ... [cutoff] [keyword value ...],
   or I J needed ... cutoff behind ...
------------------------------------------------------------------------- */

void PairGPU::coeff(int narg, char **arg)
{
  const std::string behind = nplain > nneeded ? " cutoff " + names_of(nneeded, nplain, " ") : "";
  if (narg < 2 + nplain + (behind.empty() ? 0 : 1))
    error->all(FLERR, "Pair {}: pair_coeff has {} arguments, needed are I J {}{}", style.name, narg,
               names_of(0, nneeded, " "), behind);
  if (narg > 3 + nplain && nplain == nwritten)
    error->all(FLERR, "Pair {}: pair_coeff has {} arguments, allowed are I J {}{}",
               style.name, narg, names_of(0, nneeded, " "), behind.empty() ? " and cutoff" : behind);
  if (!allocated) allocate();

  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, jlo, jhi, error);

  double one[PairGPUStyle::LIMIT];
  const double cut_one = read_coefficients(narg - 2, arg + 2, one);

  int count = 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = MAX(jlo, i); j <= jhi; j++) {
      // both i,j and j,i, because init_one() is not called before a run with pre no
      for (int k = 0; k < ncoeff; k++) values[k][i][j] = values[k][j][i] = one[k];
      cut[i][j] = cut_one;    // used from the next init_one() on
      setflag[i][j] = 1;
      count++;
    }
  if (count == 0)
    error->all(FLERR, "Pair {}: pair_coeff: types {} {} name no pair with I <= J", style.name,
               arg[0], arg[1]);
  coeffs_changed = 1;
}
