/* What every use of the engine needs: where it runs, and what becomes of its errors.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_session.h"

#include "launcher_rank.h"

#include "comm.h"
#include "error.h"
#include "universe.h"

#include <cstdlib>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

EngineSession::EngineSession(LAMMPS *lmp, const std::string &user_in) :
    Pointers(lmp), user(user_in), err(), failed(false), following(false), warned(false), first(-1),
    on_node(-1), ranks_on_node(-1)
{
}

/* ----------------------------------------------------------------------
   Finds the number of this process on its node, which decides its GPU, and how many
   processes of this run the node has. Partitions of LAMMPS share the GPUs of a node,
   so processes of all partitions are numbered together
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

  // the launcher's numbers are used only if it has told every rank of the partition

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
   Environment variables only choose what results do not depend on
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
  const char *value = variable("DPDSOP_OWN_COPIES");
  return value && strcmp(value, "0") != 0;
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
  if (!failed) set_text("a process that has failed sent no valid data of ghosts");
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
   Looks for the rank whose error stops LAMMPS. It is the first rank that has failed
   itself. A rank that has only heard of a failure is taken if there is no other. All
   ranks raise the same error, so that it is printed once, and before MPI kills any
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
  int names_itself = err.code == DS_ERR_CALLER ? 1 : 0;    // a style has answered
  MPI_Bcast(&names_itself, 1, MPI_INT, first, world);
  MPI_Bcast(err.text, DS_ERROR_LENGTH, MPI_CHAR, first, world);
  if (names_itself) error->all(FLERR, "{}", err.text);
  error->all(FLERR, "{}: {}", user, err.text);
}

/* ----------------------------------------------------------------------
   A rank that has failed warns at once: LAMMPS may find another error before
   agree() is called, such as a lost bond partner, and stop with that one
------------------------------------------------------------------------- */

void EngineSession::warn()
{
  if (!failed || warned) return;
  error->warning(FLERR, "{}: {}; this stops the run", user, err.text);
  warned = true;
}
