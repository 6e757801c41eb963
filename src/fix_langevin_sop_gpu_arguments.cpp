/* fix langevin/sop/gpu: its arguments, and the topology file.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "comm.h"
#include "error.h"
#include "update.h"
#include "utils.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace LAMMPS_NS;

// Values of keywords, in the order of the enums of their meanings

static constexpr const char *BACKENDS[] = {"auto", "host", "cuda"};
static constexpr const char *SCHEMES[] = {"auto", "particle", "pair", "block"};
static constexpr const char *YES_NO[] = {"no", "yes"};
static constexpr const char *HYDRO[] = {"none", "exact", "tea"};

/* ---------------------------------------------------------------------- */

template <size_t N> static int find(const char *const (&names)[N], const char *name)
{
  for (size_t k = 0; k < N; k++)
    if (strcmp(names[k], name) == 0) return (int) k;
  return -1;
}

template <size_t N> static std::string list(const char *const (&names)[N])
{
  std::string text;
  for (size_t k = 0; k < N; k++) text += (k ? ", " : "") + std::string(names[k]);
  return text;
}

/* ----------------------------------------------------------------------
   fix ID group langevin/sop/gpu Tstart Tstop zeta seed topology file
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::read_arguments(int narg, char **arg)
{
  if (narg < 9)
    error->all(
        FLERR,
        "{}: expected Tstart Tstop zeta seed topology file, then keywords; found {} arguments",
        user, narg - 3);
  t_start = utils::numeric(FLERR, arg[3], false, lmp);
  t_stop = utils::numeric(FLERR, arg[4], false, lmp);
  zeta = utils::numeric(FLERR, arg[5], false, lmp);
  const bigint seed = utils::bnumeric(FLERR, arg[6], false, lmp);
  if (!(t_start >= 0.0) || !std::isfinite(t_start))
    error->all(FLERR, "{}: Tstart = {}, must be >= 0", user, arg[3]);
  if (!(t_stop >= 0.0) || !std::isfinite(t_stop))
    error->all(FLERR, "{}: Tstop = {}, must be >= 0", user, arg[4]);
  if (!(zeta > 0.0) || !std::isfinite(zeta))
    error->all(FLERR, "{}: friction coefficient zeta = {}, must be above 0", user, arg[5]);
  if (seed < 1) error->all(FLERR, "{}: seed = {}, must be above 0", user, arg[6]);
  options.seed = (uint64_t) seed;
  if (strcmp(arg[7], "topology") != 0)
    error->all(FLERR, "{}: expected the word topology and a file, found {}", user, arg[7]);
  read_topology(arg[8]);

  int iarg = 9;
  while (iarg < narg) iarg = read_keyword(iarg, narg, arg);
  options.rng = rng.c_str();

  // the engine checks what it can check itself

  if (options.inter && options.scheme == DS_SOP_BLOCK)
    error->all(
        FLERR,
        "{}: scheme block and inter yes: with the scheme block molecules do not see each other",
        user);
  for (const auto &file : files) {
    if (file.is_pullfile && pull.mode == DS_SOP_PULL_NONE) error->all(FLERR, "{}: pullfile without pull", user);
    for (const int column : file.columns) check_column(file, column);
  }
}

/* ----------------------------------------------------------------------
   returns where the next keyword is
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::read_keyword(int iarg, int narg, char **arg)
{
  const char *const word = arg[iarg];
  auto need = [&](int n) {
    if (iarg + n >= narg)
      error->all(FLERR, "{}: keyword {} wants {} value{}", user, word, n, n == 1 ? "" : "s");
  };
  auto choice = [&](const auto &names) {
    need(1);
    const int k = find(names, arg[iarg + 1]);
    if (k < 0)
      error->all(FLERR, "{}: {} = {}, must be one of {}", user, word, arg[iarg + 1], list(names));
    return k;
  };

  if (strcmp(word, "rng") == 0) {
    need(1);
    rng = arg[iarg + 1];
    if (!ds_sop_knows_generator(rng.c_str()))
      error->all(FLERR, "{}: unknown generator {}, must be one of {}", user, rng,
                 ds_sop_known_generators());
    if (rng == "lfib") rng = "fibonacci";    // one name in restart files
    return iarg + 2;
  }
  if (strcmp(word, "substeps") == 0) {
    need(1);
    const bigint m = utils::bnumeric(FLERR, arg[iarg + 1], false, lmp);
    if (m < 1 || m > 1000000000)
      error->all(FLERR, "{}: substeps = {}, must be from 1 to 1000000000", user, arg[iarg + 1]);
    substeps = (int) m;
    return iarg + 2;
  }
  if (strcmp(word, "order") == 0) {
    need(1);
    options.order = utils::inumeric(FLERR, arg[iarg + 1], false, lmp);
    if (options.order != 1 && options.order != 2)
      error->all(FLERR, "{}: order = {}, must be 1 or 2", user, arg[iarg + 1]);
    return iarg + 2;
  }
  if (strcmp(word, "cutoff") == 0) {
    need(2);
    options.cutoff = utils::numeric(FLERR, arg[iarg + 1], false, lmp);
    options.skin = utils::numeric(FLERR, arg[iarg + 2], false, lmp);
    if (!(options.cutoff > 0.0) || !std::isfinite(options.cutoff))
      error->all(FLERR, "{}: cutoff = {}, must be above 0", user, arg[iarg + 1]);
    if (!(options.skin >= 0.0) || !std::isfinite(options.skin))
      error->all(FLERR, "{}: skin = {}, must be >= 0", user, arg[iarg + 2]);
    return iarg + 3;
  }
  if (strcmp(word, "backend") == 0) {
    options.backend = (ds_backend) choice(BACKENDS);
    return iarg + 2;
  }
  if (strcmp(word, "scheme") == 0) {
    options.scheme = (ds_sop_scheme) choice(SCHEMES);
    return iarg + 2;
  }
  if (strcmp(word, "inter") == 0) {
    options.inter = choice(YES_NO);
    return iarg + 2;
  }
  if (strcmp(word, "hydro") == 0) {
    need(1);
    if (options.hydro != DS_SOP_HYDRO_NONE) error->all(FLERR, "{}: a second hydro", user);
    options.radius = utils::numeric(FLERR, arg[iarg + 1], false, lmp);
    const int k = iarg + 2 < narg ? find(HYDRO, arg[iarg + 2]) : -1;
    options.hydro = k > 0 ? (ds_sop_hydro) k : DS_SOP_HYDRO_EXACT;
    return iarg + (k > 0 ? 3 : 2);
  }
  if (strcmp(word, "stability") == 0) {
    static constexpr const char *WAYS[] = {"ignore", "check"};
    check_stability = choice(WAYS);
    return iarg + 2;
  }
  if (strcmp(word, "offset") == 0) {
    need(1);
    offset = utils::bnumeric(FLERR, arg[iarg + 1], false, lmp);
    const bigint most = MAXTAGINT - beads_of_copies();
    if (offset < 0 || offset > most)
      error->all(FLERR, "{}: offset = {}, must be from 0 to {}", user, arg[iarg + 1], most);
    return iarg + 2;
  }
  if (strcmp(word, "pull") == 0) return read_pull(iarg, narg, arg);
  if (strcmp(word, "indent") == 0) return read_indent(iarg, narg, arg);
  if (strcmp(word, "pullfile") == 0 || strcmp(word, "copyfile") == 0) {
    need(2);
    return read_file(iarg, narg, arg);
  }
  error->all(FLERR,
             "{}: unknown keyword {}, must be one of rng, substeps, order, scheme, cutoff, inter, "
             "backend, stability, "
             "pull, pullfile, copyfile, indent, offset, hydro",
             user, word);
  return narg;
}

/* ----------------------------------------------------------------------
   indent R X Y Z spring K V DX DY DZ, then: repulsion EPS SIGMA, lj A B,
   friction ZETA, plane X Y Z, normal NX NY NZ,
   cylinder X Y Z AX AY AZ R inside|outside, in any order or not at all
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::read_indent(int iarg, int narg, char **arg)
{
  static constexpr char FORM[] = "indent wants R X Y Z spring K V DX DY DZ, and may have repulsion "
                                 "EPS SIGMA, lj A B, friction ZETA, plane X Y Z, normal NX NY NZ, cylinder X Y Z AX AY "
                                 "AZ R inside|outside";
  if (indent.radius > 0.0) error->all(FLERR, "{}: a second indent", user);
  if (iarg + 10 >= narg) error->all(FLERR, "{}: {}", user, FORM);
  if (strcmp(arg[iarg + 5], "spring") != 0)
    error->all(FLERR, "{}: {}; found {}", user, FORM, arg[iarg + 5]);
  int at = iarg + 1;
  auto next = [&] {
    if (at >= narg) error->all(FLERR, "{}: {}", user, FORM);
    return utils::numeric(FLERR, arg[at++], false, lmp);
  };
  indent.radius = next();
  if (!(indent.radius > 0.0))
    error->all(FLERR, "{}: radius of the tip = {}, must be above 0", user, arg[iarg + 1]);
  for (double &x : indent.start) x = next();
  at++;
  indent.spring = next();
  indent.speed = next();
  for (double &x : indent.direction) x = next();
  indent.eps = topology.parameters.eps_r;
  indent.sigma = topology.parameters.sigma;
  indent.friction = 10.0 * zeta;
  std::string before;
  while (at < narg) {
    const std::string word = arg[at];
    static const std::vector<std::string> WORDS = {"repulsion", "lj", "friction", "plane", "normal", "cylinder"};
    if (std::find(WORDS.begin(), WORDS.end(), word) == WORDS.end()) break;
    if (before.find(word) != std::string::npos)
      error->all(FLERR, "{}: indent has a second {}", user, word);
    before += word + " ";
    at++;
    if (word == "repulsion") {
      indent.eps = next();
      indent.sigma = next();
    } else if (word == "lj") {
      indent.twelfth = next();
      indent.sixth = next();
      if (indent.twelfth == 0.0 && indent.sixth == 0.0)
        error->all(FLERR, "{}: indent has lj 0 0, allowed: A or B above 0", user);
    } else if (word == "friction")
      indent.friction = next();
    else if (word == "plane") {
      indent.has_plane = 1;
      for (double &x : indent.plane) x = next();
    } else if (word == "normal") {
      for (double &x : indent.normal) x = next();
      if (indent.normal[0] == 0.0 && indent.normal[1] == 0.0 && indent.normal[2] == 0.0)
        error->all(FLERR, "{}: indent has normal 0 0 0, which has no direction", user);
    } else
      at = read_cylinder(at, narg, arg, FORM);
  }
  if (before.find("normal") != std::string::npos && !indent.has_plane)
    error->all(FLERR, "{}: indent has a normal, allowed only with plane", user);
  return at;
}

int FixLangevinSOPGPU::read_cylinder(int at, int narg, char **arg, const char *form)
{
  if (at + 7 >= narg) error->all(FLERR, "{}: {}", user, form);
  for (double &x : indent.axis_point) x = utils::numeric(FLERR, arg[at++], false, lmp);
  for (double &x : indent.axis) x = utils::numeric(FLERR, arg[at++], false, lmp);
  indent.cylinder_radius = utils::numeric(FLERR, arg[at++], false, lmp);
  const std::string side = arg[at++];
  if (side != "inside" && side != "outside")
    error->all(FLERR, "{}: beads of cylinder are {}, allowed: inside, outside", user, side);
  indent.cylinder = side == "inside" ? DS_SOP_BEADS_INSIDE : DS_SOP_BEADS_OUTSIDE;
  return at;
}

/* ----------------------------------------------------------------------
   pullfile FILE N, or copyfile FILE N COLUMN ...
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::read_file(int iarg, int narg, char **arg)
{
  const std::string word = arg[iarg];
  CopyFile file = {arg[iarg + 1], utils::inumeric(FLERR, arg[iarg + 2], false, lmp), word == "pullfile", {}, "", nullptr};
  if (file.every < 1) error->all(FLERR, "{}: {} every {} steps, must be above 0", user, word, arg[iarg + 2]);
  int at = iarg + 3;
  if (word == "pullfile")
    file.columns = {C_FORCE, C_EXTENSION, C_INTACT};
  else
    for (int k; at < narg && (k = find(COLUMNS, arg[at])) >= 0; at++) file.columns.push_back(k);
  if (file.columns.empty())
    error->all(FLERR, "{}: copyfile {} wants columns, one or more of {}", user, file.name, list(COLUMNS));
  for (const auto &other : files)
    if (other.name == file.name) error->all(FLERR, "{}: {} {}: another keyword writes this file", user, word, file.name);
  files.push_back(file);
  return at;
}

void FixLangevinSOPGPU::check_column(const CopyFile &file, int column)
{
  const bool of_tip = column == C_TIP || column == C_TRAVEL;
  const bool of_pull = column == C_FORCE || column == C_EXTENSION || (column >= C_FX && column <= C_PROJECTION);
  if (of_tip ? indent.radius > 0.0 : !of_pull || pull.mode != DS_SOP_PULL_NONE) return;
  error->all(FLERR, "{}: {} has the column {}, but the fix has no {}", user, file.name, COLUMNS[column],
             of_tip ? "indent" : "pull");
}

/* ----------------------------------------------------------------------
   fix_modify ID pull speed V, or indent speed V: from the next step on
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::modify_param(int narg, char **arg)
{
  const std::string word = arg[0];
  if (word != "pull" && word != "indent") return 0;
  if (narg < 3 || strcmp(arg[1], "speed") != 0)
    error->all(FLERR, "{}: fix_modify {} wants speed V{}", user, word, narg > 1 ? fmt::format("; found {}", arg[1]) : "");
  const bool is_pull = word == "pull";
  if (is_pull ? pull.mode == DS_SOP_PULL_NONE : !(indent.radius > 0.0))
    error->all(FLERR, "{}: fix_modify {} speed {}, but the fix has no {}", user, word, arg[2], word);
  if (is_pull && pull.mode == DS_SOP_PULL_FORCE)
    error->all(FLERR, "{}: fix_modify pull speed {}, but the fix pulls with a constant force; only a spring has a speed",
               user, arg[2]);
  NewSpeed &speed = is_pull ? pull_speed : tip_speed;
  if (!std::isfinite(strtod(arg[2], nullptr)))
    error->all(FLERR, "{}: fix_modify {} speed {}, must be finite", user, word, arg[2]);
  speed.value = utils::numeric(FLERR, arg[2], false, lmp);
  speed.waits = true;
  return 3;
}

/* ----------------------------------------------------------------------
   One rank reads the file, so it need not be on all nodes
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::read_topology(const char *name)
{
  std::string text, problem;
  if (comm->me == 0) {
    const std::string path = utils::get_potential_file_path(name);
    FILE *file = path.empty() ? nullptr : fopen(path.c_str(), "rb");
    if (!file)
      problem = fmt::format("cannot open topology file {}: {}", name, utils::getsyserror());
    char part[65536];
    for (size_t n; file && (n = fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
    if (file && ferror(file)) problem = fmt::format("cannot read topology file {}", name);
    if (file) fclose(file);
  }
  bigint size[2] = {(bigint) text.size(), (bigint) problem.size()};
  MPI_Bcast(size, 2, MPI_LMP_BIGINT, 0, world);
  text.resize(size[0]);
  problem.resize(size[1]);
  MPI_Bcast(&problem[0], (int) size[1], MPI_CHAR, 0, world);
  if (size[1]) error->all(FLERR, "{}: {}", user, problem);
  if (size[0] > MAXSMALLINT) error->all(FLERR, "{}: topology file {} is too large", user, name);
  MPI_Bcast(&text[0], (int) size[0], MPI_CHAR, 0, world);

  ds_error err;
  if (ds_sop_topology_parse(&topology, text.data(), text.size(), &err) != DS_OK)
    error->all(FLERR, "{}: topology file {}: {}", user, name, err.text);
  if (topology.units[0] && strcmp(topology.units, update->unit_style) != 0)
    error->all(FLERR, "{}: topology file {} is in units {}, this input in units {}", user, name,
               topology.units, update->unit_style);
}
