/* What every use of the engine needs: where it runs, and what becomes of its errors.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_session.h"

#include "launcher_rank.h"

#include "comm.h"
#include "error.h"
#include "universe.h"

#include <cstdlib>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

EngineSession::EngineSession(LAMMPS *lmp, const std::string &user_in) :
    Pointers(lmp), user(user_in), err(), failed(false), following(false), warned(false), first(-1),
    on_node(-1), ranks_on_node(-1)
{
}

/* ----------------------------------------------------------------------
   number of this process on its node, by which GPUs are given out, and how many
   of this run are there. Partitions of LAMMPS share the GPUs of a node, so that a
   number counts the processes of all of them
------------------------------------------------------------------------- */

void EngineSession::find_node()
{
  if (on_node >= 0) return;

  on_node = comm->me;
  ranks_on_node = comm->nprocs;
#if !defined(MPI_STUBS)
  MPI_Comm node;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, comm->me, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &on_node);
  MPI_Comm_size(node, &ranks_on_node);
  MPI_Comm_free(&node);
  if (universe->nworlds == 1) return;

  // the ranks of a partition all know their numbers by the launcher, or none of them uses what it knows

  int rank_in_job, told, least;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_in_job);
  told = launcher_rank_on_node(rank_in_job, getenv);
  MPI_Allreduce(&told, &least, 1, MPI_INT, MPI_MIN, world);
  on_node =
      rank_among_partitions(on_node, universe->root_proc[universe->iworld], least >= 0 ? told : -1);
#endif
}

int EngineSession::node_rank()
{
  find_node();
  return on_node;
}

int EngineSession::node_ranks()
{
  find_node();
  return ranks_on_node;
}

/* ----------------------------------------------------------------------
   environment variables can force nothing but what results do not depend on
------------------------------------------------------------------------- */

static const char *variable(const char *name)
{
  const char *value = getenv(name);
  return value && *value ? value : nullptr;
}

const char *EngineSession::instruction_set() const
{
  return variable("DPDSOP_ISA");
}

bool EngineSession::has_own_copies() const
{
  return variable("DPDSOP_OWN_COPIES") != nullptr;
}

/* ---------------------------------------------------------------------- */

void EngineSession::note(ds_status status)
{
  if (status == DS_ERR_GHOST)
    following = true;
  else if (status != DS_OK)
    failed = true;
}

void EngineSession::follow()
{
  following = true;
  if (!failed) set_text("messages of ghosts have come from a process that has failed");
}

void EngineSession::fail(const std::string &text)
{
  failed = true;
  set_text(text);
}

void EngineSession::set_text(const std::string &text)
{
  err.code = DS_ERR_ARGUMENT;
  err.text[text.copy(err.text, DS_ERROR_LENGTH - 1)] = '\0';
}

/* ----------------------------------------------------------------------
   that of the first rank that has failed is the error of all: a line that is
   printed once, and not lost with a killed process. One that follows comes after
   these: it has heard of a failure, which is then somebody's
------------------------------------------------------------------------- */

bool EngineSession::agree()
{
  const int n = comm->nprocs;
  int mine = failed ? comm->me : following ? n + comm->me : 2 * n;
  first = mine;
  if (n > 1) MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world);
  const bool good = first == 2 * n;
  first %= n;
  return good;
}

void EngineSession::raise()
{
  clear();
  MPI_Bcast(err.text, DS_ERROR_LENGTH, MPI_CHAR, first, world);
  error->all(FLERR, "{}: {}", user, err.text);
}

/* ----------------------------------------------------------------------
   LAMMPS may come upon something else before (a bond partner that is lost), and
   stop without us
------------------------------------------------------------------------- */

void EngineSession::warn()
{
  if (!failed || warned) return;
  error->warning(FLERR, "{}: {}; this stops the run", user, err.text);
  warned = true;
}
