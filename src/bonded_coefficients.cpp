/* Coefficients of bond, angle, dihedral and improper styles of this package.   SPDX-License-Identifier: GPL-2.0-or-later

   A restart file has one column of coefficients after the other, a data file one line per type. LAMMPS's style of the same
   name writes both in the same way, so each style reads what the other has written. */

#include "bonded_coefficients.h"

#include "comm.h"
#include "error.h"
#include "memory.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

BondedCoefficients::BondedCoefficients(LAMMPS *lmp, const char *kind_in, const char *style, std::vector<Column> columns_in) :
    Pointers(lmp), kind(kind_in),
    user(fmt::format("{}{} style {}", static_cast<char>(toupper(kind_in[0])), kind_in + 1, style)),
    columns(std::move(columns_in)), ntypes(0)
{
  // KOKKOS has lists of bonds of its own; LAMMPS's pointers to them are null then
  const std::string name = style;
  if (lmp->kokkos)
    error->all(FLERR, "{}: a run with -k on, allowed there are styles of KOKKOS such as {}/kk", user,
               name.substr(0, name.find('/')));
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

void BondedCoefficients::check(const Column &column, double value, const std::string &word) const
{
  if (!std::isfinite(value)) error->all(FLERR, "{}: {} is {}, allowed is a finite number", user, column.name, word);
  if (column.allows && !column.allows(value))
    error->all(FLERR, "{}: {} is {}, allowed {}", user, column.name, word, column.allowed);
}

double BondedCoefficients::value_of(const Column &column, const char *word) const
{
  const double value = column.whole ? utils::inumeric(FLERR, word, false, lmp) : utils::numeric(FLERR, word, false, lmp);
  check(column, value, word);
  return value;
}

void BondedCoefficients::set(int narg, char **arg, int *setflag)
{
  if (narg != static_cast<int>(columns.size()) + 1)
    error->all(FLERR, "{}: {}_coeff has {} values, allowed are {}: {}", user, kind, narg, columns.size() + 1, syntax());
  int first, last;
  utils::bounds(FLERR, arg[0], 1, ntypes, first, last, error);
  for (size_t c = 0; c < columns.size(); c++) {
    const double value = value_of(columns[c], arg[c + 1]);
    for (int t = first; t <= last; t++) values[c][t] = columns[c].unit * value;
  }
  for (int t = first; t <= last; t++) setflag[t] = 1;
}

/* ---------------------------------------------------------------------- */

void BondedCoefficients::write_whole(FILE *file, const std::vector<double> &column) const
{
  const std::vector<int> numbers(column.begin(), column.end());
  fwrite(numbers.data() + 1, sizeof(int), ntypes, file);
}

template <class Number> static bool read_column(FILE *file, std::vector<double> &column)
{
  std::vector<Number> numbers(column.size());
  if (fread(numbers.data() + 1, sizeof(Number), numbers.size() - 1, file) != numbers.size() - 1) return false;
  column.assign(numbers.begin(), numbers.end());
  return true;
}

void BondedCoefficients::write_restart(FILE *file) const
{
  for (size_t c = 0; c < columns.size(); c++) {
    if (columns[c].whole)
      write_whole(file, values[c]);
    else
      fwrite(values[c].data() + 1, sizeof(double), ntypes, file);
  }
}

void BondedCoefficients::read_restart(FILE *file)
{
  for (size_t c = 0; c < columns.size() && comm->me == 0; c++)
    if (!(columns[c].whole ? read_column<int>(file, values[c]) : read_column<double>(file, values[c])))
      error->one(FLERR, "{}: the restart file ends among its coefficients", user);
  for (size_t c = 0; c < columns.size(); c++) {
    double *const column = values[c].data() + 1;
    MPI_Bcast(column, ntypes, MPI_DOUBLE, 0, world);
    for (int t = 0; t < ntypes; t++) check(columns[c], column[t], fmt::format("{}", column[t]));
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
    if (!columns[c].whole && strcmp(name, columns[c].name) == 0) return values[c].data();
  return nullptr;
}

ds_bonded_type BondedCoefficients::of(int type) const
{
  ds_bonded_type one = {};
  for (size_t c = 0; c < columns.size(); c++)
    if (columns[c].where) one.*columns[c].where = values[c][type];
  return one;
}
