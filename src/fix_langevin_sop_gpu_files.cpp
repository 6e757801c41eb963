/* fix langevin/sop/gpu: its files, which have a line per molecule.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "sop_beads.h"

#include "comm.h"
#include "error.h"
#include "modify.h"
#include "update.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   append() and close_file() return 0 or an errno, on the first rank. Each line is flushed
   to the system, which alone knows whether the disk has room
------------------------------------------------------------------------- */

static int close_file(FILE *&out)
{
  FILE *const file = out;
  out = nullptr;
  errno = 0;
  return !file || fclose(file) == 0 ? 0 : errno ? errno : EIO;
}

static int append(FILE *&out, const std::string &text)
{
  if (!out) return 0;
  errno = 0;
  const bool good = fwrite(text.data(), 1, text.size(), out) == text.size();
  if (good && fflush(out) == 0) return 0;
  const int problem = errno ? errno : EIO;
  close_file(out);
  return problem;
}

/* ----------------------------------------------------------------------
   Digits as {} and {:.8g} of fmt::format() have them, in a third of the time
------------------------------------------------------------------------- */

template <class... How> static void append_number(std::string &text, How... number)
{
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number...).ptr);
}

/* ----------------------------------------------------------------------
   The first rank writes the file. An error there stops all ranks, because lost lines
   would be noticed only after the run
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_file(const CopyFile &file, int problem, const char *what)
{
  MPI_Bcast(&problem, 1, MPI_INT, 0, world);
  if (problem) error->all(FLERR, "{}: cannot {} {}: {}", user, what, file.name, strerror(problem));
}

/* ----------------------------------------------------------------------
   What a program needs to know of the lines that follow: so it can read the file alone
------------------------------------------------------------------------- */

std::string FixLangevinSOPGPU::settings_line() const
{
  std::string text = fmt::format("# units {} timestep {:.8g}", update->unit_style, update->dt);
  if (pull.mode == DS_SOP_PULL_SPRING) text += fmt::format(" spring {:.8g} speed {:.8g}", pull.spring, pull.speed);
  if (pull.mode == DS_SOP_PULL_FORCE) text += fmt::format(" force {:.8g}", pull.force);
  return text + "\n";
}

/* ----------------------------------------------------------------------
   Whether a keyword of this fix or of another one has opened the same file, by whatever
   name; on the first rank
------------------------------------------------------------------------- */

static bool are_same(FILE *one, FILE *other)
{
  struct stat a, b;
  return fstat(fileno(one), &a) == 0 && fstat(fileno(other), &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
      a.st_ino == b.st_ino;
}

bool FixLangevinSOPGPU::is_open_elsewhere(const CopyFile &file) const
{
  for (const Fix *fix : modify->get_fix_list()) {
    const auto *const other = dynamic_cast<const FixLangevinSOPGPU *>(fix);
    if (!other) continue;
    for (const CopyFile &of_other : other->files)
      if (&of_other != &file && of_other.out && are_same(file.out, of_other.out)) return true;
  }
  return false;
}

/* ----------------------------------------------------------------------
   A run that begins at step 0 begins the file anew
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::open_file(CopyFile &file)
{
  int problem = 0, is_taken = 0;
  if (comm->me == 0 && !file.out) {
    file.out = fopen(file.name.c_str(), "a");
    problem = file.out ? 0 : errno;
    is_taken = file.out && is_open_elsewhere(file) ? 1 : 0;
    struct stat now;
    const bool begins = file.out && !is_taken && done == 0 && fstat(fileno(file.out), &now) == 0 && S_ISREG(now.st_mode);
    if (begins && ftruncate(fileno(file.out), 0) != 0) problem = errno;
  }
  check_file(file, problem, "open");
  MPI_Bcast(&is_taken, 1, MPI_INT, 0, world);
  if (is_taken) {
    close_file(file.out);
    error->all(FLERR, "{}: {} is written by another keyword or fix, allowed is a file for each", user, file.name);
  }
  const bool empty = file.out && fseek(file.out, 0, SEEK_END) == 0 && ftell(file.out) == 0;
  const std::string settings = settings_line();
  std::string text;
  if (empty || (!file.settings.empty() && settings != file.settings)) text = settings;
  if (empty) {
    text += "# step molecule";
    for (const int column : file.columns) text += std::string(" ") + COLUMNS[column];
    text += "\n";
  }
  file.settings = settings;
  check_file(file, append(file.out, text), "write to");
}

/* ----------------------------------------------------------------------
   Some file systems report a full disk only when a file is closed
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::post_run()
{
  for (auto &file : files) check_file(file, close_file(file.out), "close");
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::end_of_step()
{
  for (auto &file : files)
    if (update->ntimestep % file.every == 0) write_file(file);
}

/* ----------------------------------------------------------------------
   The columns of this rank's molecules, one molecule after the other
------------------------------------------------------------------------- */

std::vector<double> FixLangevinSOPGPU::columns_of(const CopyFile &file)
{
  const int n = beads->molecules(), told_here = beads->count_of(comm->me);
  std::vector<double> force(n + 1), extension(n + 1), direction(3 * n + 3), projection(n + 1), tip(n + 1), travel(n + 1), mine;
  std::vector<ds_sop_energies> each(n + 1);
  std::vector<int64_t> intact(n + 1);
  ds_sop_energies sum;
  auto wanted = [&](int first, int last) {
    return session->working() && std::any_of(file.columns.begin(), file.columns.end(),
                                             [=](int column) { return column >= first && column <= last; });
  };
  ds_error *const err = session->error_text();
  put_positions();
  if (session->working() && pull.mode != DS_SOP_PULL_NONE)
    session->note(ds_sop_pulling(sop, force.data(), extension.data(), err));
  if (wanted(C_FX, C_PROJECTION)) session->note(ds_sop_pull_direction(sop, direction.data(), projection.data(), err));
  if (wanted(C_TIP, C_TRAVEL)) session->note(ds_sop_indenting(sop, tip.data(), travel.data(), err));
  if (wanted(C_ENERGY, C_ANGLES)) session->note(ds_sop_energy(sop, &sum, each.data(), err));
  if (wanted(C_INTACT, C_INTACT)) session->note(ds_sop_intact(sop, intact.data(), err));
  agree();

  for (int m = 0; m < told_here; m++) {
    const ds_sop_energies &e = each[m];
    const double share = topology.contacts ? (double) intact[m] / topology.contacts : 1.0;
    const double values[] = {force[m], extension[m], share, e.bonds + e.native + e.other + e.angles, e.bonds, e.native, e.other,
                             e.angles, force[m] * direction[3 * m], force[m] * direction[3 * m + 1],
                             force[m] * direction[3 * m + 2], projection[m], tip[m], travel[m]};
    for (const int column : file.columns) mine.push_back(values[column]);
  }
  return mine;
}

/* ----------------------------------------------------------------------
   A line per molecule, in the order of their numbers
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::write_file(CopyFile &file)
{
  const int nprocs = comm->nprocs, ncolumns = (int) file.columns.size();
  std::vector<double> mine = columns_of(file), all(ncolumns * beads->all_molecules() + 1);
  std::vector<int> count(nprocs), start(nprocs);
  for (int r = 0; r < nprocs; r++) {
    start[r] = ncolumns * beads->first_molecule(r);
    count[r] = ncolumns * beads->count_of(r);
  }
  const int sent = (int) mine.size();
  mine.push_back(0.0);
  MPI_Gatherv(mine.data(), sent, MPI_DOUBLE, all.data(), count.data(), start.data(), MPI_DOUBLE, 0, world);
  std::string text;
  for (bigint m = 0; comm->me == 0 && m < beads->all_molecules(); m++) {
    append_number(text, update->ntimestep);
    text += ' ';
    append_number(text, beads->number_of(m));
    for (int k = 0; k < ncolumns; k++) {
      text += ' ';
      append_number(text, all[ncolumns * m + k], std::chars_format::general, file.columns[k] == C_INTACT ? 6 : 8);
    }
    text += '\n';
  }
  check_file(file, append(file.out, text), "write to");
}
