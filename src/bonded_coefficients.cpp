/* Coefficients of bond and angle styles of this package.   SPDX-License-Identifier: GPL-2.0-or-later

   A restart file has the columns one behind the other, and a data file has a line per type: both are as those of LAMMPS's
   style of the same name, so that either style reads what the other has written. */

#include "bonded_coefficients.h"

#include "comm.h"
#include "error.h"
#include "memory.h"

#include <cmath>
#include <cstring>
#include <utility>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

BondedCoefficients::BondedCoefficients(LAMMPS *lmp, const char *kind_in, const char *style,
                                       std::vector<Column> columns_in) :
    Pointers(lmp), kind(kind_in), user(fmt::format("{} style {}", kind_in[0] == 'b' ? "Bond" : "Angle", style)),
    columns(std::move(columns_in)), ntypes(0)
{
}

void BondedCoefficients::allocate(int ntypes_in, int *&setflag)
{
  ntypes = ntypes_in;
  values.assign(columns.size(), std::vector<double>(ntypes + 1, 0.0));
  memory->destroy(setflag);
  memory->create(setflag, ntypes + 1, "bonded:setflag");
  for (int t = 0; t <= ntypes; t++) setflag[t] = 0;
}

/* ---------------------------------------------------------------------- */

std::string BondedCoefficients::syntax() const
{
  std::string names = "a type";
  for (const Column &column : columns) names += fmt::format(", {}", column.name);
  return names;
}

void BondedCoefficients::set(int narg, char **arg, int *setflag)
{
  if (narg != static_cast<int>(columns.size()) + 1)
    error->all(FLERR, "{}: {}_coeff has {} values, allowed are {}: {}", user, kind, narg, columns.size() + 1, syntax());
  int first, last;
  utils::bounds(FLERR, arg[0], 1, ntypes, first, last, error);
  for (size_t c = 0; c < columns.size(); c++) {
    const double value = utils::numeric(FLERR, arg[c + 1], false, lmp);
    if (!std::isfinite(value))
      error->all(FLERR, "{}: {} is {}, allowed is a finite number", user, columns[c].name, arg[c + 1]);
    for (int t = first; t <= last; t++) values[c][t] = columns[c].unit * value;
  }
  for (int t = first; t <= last; t++) setflag[t] = 1;
}

/* ---------------------------------------------------------------------- */

void BondedCoefficients::write_restart(FILE *file) const
{
  for (const std::vector<double> &column : values) fwrite(column.data() + 1, sizeof(double), ntypes, file);
}

void BondedCoefficients::read_restart(FILE *file)
{
  for (std::vector<double> &column : values) {
    if (comm->me == 0)
      utils::sfread(FLERR, column.data() + 1, sizeof(double), ntypes, file, nullptr, error);
    MPI_Bcast(column.data() + 1, ntypes, MPI_DOUBLE, 0, world);
  }
}

void BondedCoefficients::write_data(FILE *file) const
{
  for (int t = 1; t <= ntypes; t++) {
    fprintf(file, "%d", t);
    for (size_t c = 0; c < columns.size(); c++) fprintf(file, " %g", values[c][t] / columns[c].unit);
    fputs("\n", file);
  }
}

/* ---------------------------------------------------------------------- */

void *BondedCoefficients::extract(const char *name)
{
  for (size_t c = 0; c < values.size(); c++)
    if (strcmp(name, columns[c].name) == 0) return values[c].data();
  return nullptr;
}

ds_bonded_type BondedCoefficients::of(int type) const
{
  ds_bonded_type one = {};
  for (size_t c = 0; c < columns.size(); c++) one.*columns[c].where = values[c][type];
  return one;
}

std::vector<ds_bonded_type> BondedCoefficients::all() const
{
  std::vector<ds_bonded_type> types(ntypes + 1);
  for (int t = 1; t <= ntypes; t++) types[t] = of(t);
  return types;
}
