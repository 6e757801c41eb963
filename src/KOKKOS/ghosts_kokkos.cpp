/* Ghosts that are not needed are left out of LAMMPS's communication.

   LAMMPS makes ghosts on all sides, also along an axis that one process has for itself, and sends their positions in each
   step. In a wide box the engine needs no ghosts along such an axis. Along the other axes it gets positions of ghosts by its
   own messages. On one GPU, making and moving all ghosts would take longer than forces.

   CommBrick numbers its messages axis by axis, `maxneed` to either side, and sends these `nswap` messages in each step. Here
   the messages along some axes are taken off its list, and the list is empty except during the communication of the pair
   style. Comm::setup() makes the list anew when a run begins and when the box changes. All ghosts are then there again, until
   lists are built the next time. All of them are restored at the end of a run.

   LAMMPS's public interface cannot do this, neither in 4 Feb 2025 nor in 4 Jul 2026. CommBrick::extract() knows nothing but
   `localsendlist`. Comm::cutghostuser counts for all axes alike and cannot become less than the range of LAMMPS's lists. A
   class of our own, derived from CommKokkos, could not take the place of LAMMPS's object, because CommKokkos has no
   constructor that takes over the settings of another one. So protected members are named here through a derived class.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "ghosts_kokkos.h"

#include "atom_kokkos.h"
#include "atom_masks.h"
#include "comm_brick.h"
#include "compute.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "modify.h"
#include "neighbor.h"
#include "pair.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

// Pointers to protected members of CommBrick, which only a derived class can name

struct Brick : public CommBrick {
  using CommBrick::maxneed;
  using CommBrick::nswap;
  using CommBrick::pbc;
  using CommBrick::pbc_flag;
  using CommBrick::recvproc;
  using CommBrick::sendproc;
  using CommBrick::slabhi;
  using CommBrick::slablo;
};

static constexpr auto MAXNEED = &Brick::maxneed;
static constexpr auto NSWAP = &Brick::nswap;
static constexpr auto PBC = &Brick::pbc;
static constexpr auto PBC_FLAG = &Brick::pbc_flag;
static constexpr auto RECVPROC = &Brick::recvproc;
static constexpr auto SENDPROC = &Brick::sendproc;
static constexpr auto SLABHI = &Brick::slabhi;
static constexpr auto SLABLO = &Brick::slablo;

/* ---------------------------------------------------------------------- */

GhostsKokkos::GhostsKokkos(LAMMPS *lmp) : Pointers(lmp), begun(false), made(-1), missing(0) {}

// Points of a step before its end
static constexpr int IN_STEP =
    FixConst::INITIAL_INTEGRATE | FixConst::POST_INTEGRATE | FixConst::PRE_EXCHANGE |
    FixConst::PRE_NEIGHBOR | FixConst::POST_NEIGHBOR | FixConst::PRE_FORCE | FixConst::PRE_REVERSE |
    FixConst::POST_FORCE | FixConst::FINAL_INTEGRATE;

/* ----------------------------------------------------------------------
   Says who else may read ghosts, as the end of a log line, or nothing. A fix that is
   called in steps and is not KOKKOS's may read them: it makes the run slow anyway
------------------------------------------------------------------------- */

static std::string needed_by(LAMMPS *lmp, Pair *pair)
{
  const Atom *const atom = lmp->atom;
  const Comm *const comm = lmp->comm;
  const Force *const force = lmp->force;
  const Modify *const modify = lmp->modify;
  const Neighbor *const neighbor = lmp->neighbor;
  if (lmp->update->whichflag != 1) return "of a minimization";
  if (force->pair != pair) return "of pair style " + std::string(force->pair_style);
  if (atom->molecular != Atom::ATOMIC) return "of an atom style with bonds";
  if (force->kspace) return "of kspace style " + std::string(force->kspace_style);
  if (neighbor->nlist > 0) return "of a neighbor list of LAMMPS";
  if (comm->style != Comm::BRICK || !dynamic_cast<const CommBrick *>(comm))
    return "of comm_style tiled";
  if (comm->mode != Comm::SINGLE) return "of comm_modify mode multi";
  if (comm->cutghostuser > 0.0) return "of comm_modify cutoff";
  if (neighbor->includegroup) return "of neigh_modify include";
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *const fix = modify->fix[k];
    if (fix->comm_forward || fix->comm_reverse || fix->comm_border ||
        ((modify->fmask[k] & IN_STEP) && !fix->kokkosable))
      return fmt::format("of fix {} of style {}", fix->id, fix->style);
  }
  for (int k = 0; k < modify->ncompute; k++) {
    const Compute *const compute = modify->compute[k];
    if (compute->comm_forward || compute->comm_reverse || utils::strmatch(compute->style, "/grid"))
      return fmt::format("of compute {} of style {}", compute->id, compute->style);
  }
  return "";
}

/* ---------------------------------------------------------------------- */

void GhostsKokkos::begin()
{
  begun = false;
  missing = 0;
  reason.clear();
}

void GhostsKokkos::decide(Pair *pair)
{
  begun = true;
  reason = needed_by(lmp, pair);
}

/* ---------------------------------------------------------------------- */

int GhostsKokkos::whole_axes() const
{
  int axes = 0;
  for (int d = 0; d < 3; d++)
    if (comm->procgrid[d] == 1) axes |= 1 << d;
  return axes;
}

/* ----------------------------------------------------------------------
   Saves the messages with which the present ghosts were made. Along an axis that was
   left out there are none, unless Comm::setup() has been called since
------------------------------------------------------------------------- */

bool GhostsKokkos::reneighbored()
{
  if (begun && made == neighbor->lastcall) return false;
  made = neighbor->lastcall;
  missing = 0;
  auto *const brick = dynamic_cast<CommBrick *>(comm);
  if (!brick || (begun && !reason.empty())) return true;

  now.clear();
  for (int d = 0; d < 3; d++) {
    const int need = (brick->*MAXNEED)[d];
    if (begun && need == 0 && comm->procgrid[d] == 1) missing |= 1 << d;
    for (int k = 0; k < 2 * need; k++) {
      const size_t m = now.size();
      Message message = {(brick->*SENDPROC)[m], (brick->*RECVPROC)[m], (brick->*PBC_FLAG)[m], {},
                         (brick->*SLABLO)[m],   (brick->*SLABHI)[m]};
      std::copy_n((brick->*PBC)[m], 6, message.pbc);
      now.push_back(message);
    }
  }
  return true;
}

/* ----------------------------------------------------------------------
   The next ghosts are made without these axes. In steps LAMMPS then sends nothing: not
   the positions of ghosts, and with newton on not their forces, which are zero. Only
   the pair style still sends
------------------------------------------------------------------------- */

void GhostsKokkos::leave_out(int axes)
{
  auto *const brick = dynamic_cast<CommBrick *>(comm);
  size_t from = 0;
  next.clear();
  for (int d = 0; d < 3; d++) {
    int &need = (brick->*MAXNEED)[d];
    const bool stays = !(axes >> d & 1);
    for (int k = 0; k < 2 * need; k++, from++)
      if (stays) next.push_back(now[from]);
    if (!stays) need = 0;
  }
  put(next);
  brick->*NSWAP = 0;
}

void GhostsKokkos::put(const std::vector<Message> &messages)
{
  auto *const brick = dynamic_cast<CommBrick *>(comm);
  for (size_t m = 0; m < messages.size(); m++) {
    const Message &message = messages[m];
    (brick->*SENDPROC)[m] = message.sendproc;
    (brick->*RECVPROC)[m] = message.recvproc;
    (brick->*PBC_FLAG)[m] = message.pbc_flag;
    std::copy_n(message.pbc, 6, (brick->*PBC)[m]);
    (brick->*SLABLO)[m] = message.slablo;
    (brick->*SLABHI)[m] = message.slabhi;
  }
}

/* ---------------------------------------------------------------------- */

void GhostsKokkos::send(Pair *pair)
{
  if (!begun || !reason.empty()) {
    comm->forward_comm(pair);
    return;
  }
  auto *const brick = dynamic_cast<CommBrick *>(comm);
  put(now);
  brick->*NSWAP = static_cast<int>(now.size());
  comm->forward_comm(pair);
  put(next);
  brick->*NSWAP = 0;
}

/* ----------------------------------------------------------------------
   Positions of own atoms are put back afterwards: in a triclinic box, ghosts are made
   in fractions of the box, and a conversion to these and back rounds
------------------------------------------------------------------------- */

bool GhostsKokkos::restore()
{
  const bool changed = begun && reason.empty();
  begin();
  if (!changed) return false;

  comm->setup();
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (!domain->triclinic) {
    comm->borders();
    return true;
  }
  auto *const atomKK = static_cast<AtomKokkos *>(atom);
  const int n = atom->nlocal;
  atomKK->sync(Host, X_MASK);
  std::vector<double> x(3 * static_cast<size_t>(n));
  if (n) std::copy_n(*atom->x, x.size(), x.begin());
  domain->x2lamda(n);
  comm->borders();
  domain->lamda2x(n + atom->nghost);
  atomKK->sync(Host, X_MASK);
  if (n) std::copy(x.begin(), x.end(), *atom->x);
  atomKK->modified(Host, X_MASK);
  return true;
}
