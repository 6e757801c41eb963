/* fix langevin/sop/gpu: its values, and the file of pulling forces.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "sop_beads.h"

#include "comm.h"
#include "error.h"
#include "force.h"
#include "update.h"

#include <cerrno>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Computes all values of the fix for this step
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::evaluate()
{
  if (values_step == update->ntimestep) return;
  if (!sop || beads->all_molecules() == 0)
    error->all(FLERR, "{}: there are no values before the first run", user);
  if (update->whichflag == 0) beads->plan();    // atoms may have gone since the last run
  ds_sop_energies e;
  const int n = beads->molecules(), told_here = beads->count_of(comm->me);
  std::vector<double> pulling(n + 1), extension(n + 1), pressing(n + 1), travel(n + 1);
  double kT = 0.0;
  int64_t moving = 0;

  // other fixes may have moved atoms since

  put_positions();
  if (session->working()) session->note(ds_sop_energy(sop, &e, nullptr, session->error_text()));
  if (session->working())
    session->note(ds_sop_pulling(sop, pulling.data(), extension.data(), session->error_text()));
  if (session->working())
    session->note(ds_sop_indenting(sop, pressing.data(), travel.data(), session->error_text()));
  if (session->working())
    session->note(ds_sop_noise_temperature(sop, &kT, &moving, session->error_text()));
  agree();

  double mine[NVALUES + 1] = {};
  if (told_here) {    // if ranks share molecules, all have the same values, and one counts
    mine[BONDS] = e.bonds;
    mine[NATIVE] = e.native;
    mine[OTHER] = e.other;
    mine[ANGLES] = e.angles;
    mine[INTACT] = (double) e.intact;
  }
  mine[TEMPERATURE] = kT / force->boltz * (double) moving;
  for (int m = 0; m < told_here; m++) {
    mine[PULL] += pulling[m];
    mine[EXTENSION] += extension[m];
    mine[TIP] += pressing[m];
    mine[TRAVEL] += travel[m];
  }
  mine[NVALUES] = (double) moving;
  double all[NVALUES + 1];
  MPI_Allreduce(mine, all, NVALUES + 1, MPI_DOUBLE, MPI_SUM, world);
  for (int k = 0; k < NVALUES; k++) values[k] = all[k];

  const double molecules = MAX((double) beads->all_molecules(), 1.0);
  values[TEMPERATURE] = all[NVALUES] > 0.0 ? all[TEMPERATURE] / all[NVALUES] : 0.0;
  values[INTACT] = topology.contacts ? all[INTACT] / (molecules * topology.contacts) : 1.0;
  for (int k : {PULL, EXTENSION, TIP, TRAVEL}) values[k] /= molecules;

  // command rerun evaluates steps that this fix has not made

  if (moved < 0)
    values[TEMPERATURE] = values[PULL] = values[TIP] = values[TRAVEL] = 0.0;
  values_step = update->ntimestep;
}

/* ---------------------------------------------------------------------- */

double FixLangevinSOPGPU::compute_scalar()
{
  evaluate();
  return values[BONDS] + values[NATIVE] + values[OTHER] + values[ANGLES];
}

double FixLangevinSOPGPU::compute_vector(int k)
{
  evaluate();
  return values[k];
}

/* ----------------------------------------------------------------------
   a line per molecule, in the order of their numbers
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::end_of_step()
{
  if (update->ntimestep % pull_every == 0) write_pulling();
}

void FixLangevinSOPGPU::write_pulling()
{
  const int n = beads->molecules(), told_here = beads->count_of(comm->me), nprocs = comm->nprocs;
  std::vector<double> pulling(n + 1), extension(n + 1), mine;
  std::vector<ds_sop_energies> each(n + 1);
  ds_sop_energies sum;
  put_positions();
  if (session->working())
    session->note(ds_sop_pulling(sop, pulling.data(), extension.data(), session->error_text()));
  if (session->working())
    session->note(ds_sop_energy(sop, &sum, each.data(), session->error_text()));
  agree();
  for (int m = 0; m < told_here; m++) {
    mine.push_back(pulling[m]);
    mine.push_back(extension[m]);
    mine.push_back((double) each[m].intact);
  }
  std::vector<int> count(nprocs), start(nprocs);
  for (int r = 0; r < nprocs; r++) {
    start[r] = 3 * beads->first_molecule(r);
    count[r] = 3 * beads->count_of(r);
  }
  std::vector<double> all(3 * beads->all_molecules() + 1);
  mine.push_back(0.0);
  MPI_Gatherv(mine.data(), 3 * told_here, MPI_DOUBLE, all.data(), count.data(), start.data(), MPI_DOUBLE, 0,
              world);
  std::string text;
  for (bigint m = 0; comm->me == 0 && m < beads->all_molecules(); m++)
    text += fmt::format("{} {} {:.8g} {:.8g} {:.6g}\n", update->ntimestep, beads->number_of(m),
                        all[3 * m], all[3 * m + 1],
                        topology.contacts ? all[3 * m + 2] / topology.contacts : 1.0);
  check_pull_file(append(text), "write to");
}

/* ----------------------------------------------------------------------
   The first rank writes the file. An error there stops all ranks, because lost lines
   would be noticed only after the run
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_pull_file(int problem, const char *what)
{
  MPI_Bcast(&problem, 1, MPI_INT, 0, world);
  if (problem) error->all(FLERR, "{}: cannot {} {}: {}", user, what, pull_file, strerror(problem));
}

/* ----------------------------------------------------------------------
   Flushes each line to the system, which alone knows whether the disk has room
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::append(const std::string &text)
{
  if (!pull_out) return 0;
  errno = 0;
  const bool good = fwrite(text.data(), 1, text.size(), pull_out) == text.size();
  if (good && fflush(pull_out) == 0) return 0;
  const int problem = errno ? errno : EIO;
  close();
  return problem;
}

int FixLangevinSOPGPU::close()
{
  FILE *const file = pull_out;
  pull_out = nullptr;
  errno = 0;
  return !file || fclose(file) == 0 ? 0 : errno ? errno : EIO;
}

/* ----------------------------------------------------------------------
   What a program needs to know of the lines that follow: so it can read the file alone
------------------------------------------------------------------------- */

std::string FixLangevinSOPGPU::settings_line() const
{
  return fmt::format("# units {} timestep {:.8g} {}\n", update->unit_style, update->dt,
                     pull.mode == DS_SOP_PULL_SPRING ? fmt::format("spring {:.8g} speed {:.8g}", pull.spring, pull.speed)
                                                     : fmt::format("force {:.8g}", pull.force));
}

/* ----------------------------------------------------------------------
   A run that begins at step 0 begins the file anew
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::open_pull_file()
{
  int problem = 0;
  if (comm->me == 0 && !pull_out) {
    pull_out = fopen(pull_file.c_str(), done == 0 ? "w" : "a");
    problem = pull_out ? 0 : errno;
  }
  check_pull_file(problem, "open");
  const bool empty = pull_out && fseek(pull_out, 0, SEEK_END) == 0 && ftell(pull_out) == 0;
  const std::string settings = settings_line();
  std::string text;
  if (empty || (!pull_settings.empty() && settings != pull_settings)) text = settings;
  if (empty) text += "# step molecule force extension intact\n";
  pull_settings = settings;
  check_pull_file(append(text), "write to");
}

/* ----------------------------------------------------------------------
   Some file systems report a full disk only when a file is closed
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::post_run()
{
  if (!pull_file.empty()) check_pull_file(close(), "close");
}
