/* Pair styles of this package in a hybrid, which one engine evaluates together.   SPDX-License-Identifier: GPL-2.0-or-later

   In a set-up LAMMPS's hybrid calls its sub-styles one after the other. In the steps of verlet/gpu this style takes their
   place: they share particles and list. Each keeps its coefficients, special factors and energies. */

#include "pair_together.h"

#include "engine_handle.h"
#include "pair_mdpd_rhosum_gpu.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "error.h"
#include "force.h"
#include "modify.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

static const PairGPUStyle TOGETHER = {"hybrid", {}, {}, nullptr, nullptr};

/* ---------------------------------------------------------------------- */

static EngineHandle *engine_for(LAMMPS *lmp, const std::vector<PairGPU *> &parts)
{
  std::vector<EngineHandle *> engines;
  for (PairGPU *part : parts) engines.push_back(part->get_engine());
  return new EngineHandle(lmp, "Pair hybrid", engines);
}

PairTogether::PairTogether(LAMMPS *lmp, Pair *whole_in, const std::vector<PairGPU *> &parts_in) :
    PairGPU(lmp, TOGETHER, engine_for(lmp, parts_in)), whole(whole_in), parts(parts_in)
{
  for (PairGPU *part : parts) part->together = this;
}

PairTogether::~PairTogether()
{
  lose_parts();
}

void PairTogether::lose_parts()
{
  for (PairGPU *part : parts) part->together = nullptr;
  parts.clear();
}

/* ----------------------------------------------------------------------
   All sub-styles of a hybrid that make forces, in its order. Force::pair_match() numbers those that match,
   if the hybrid itself does not. So styles that begin with h are found apart; this
   package has none
------------------------------------------------------------------------- */

static constexpr char NOT_H[] = "^[^h]", OTHER_H[] = "^h[^y]";

static std::vector<Pair *> sub_styles(Force *force)
{
  std::vector<Pair *> all;
  if (Pair *const other = force->pair_match(OTHER_H, 0, 1)) all.push_back(other);
  for (int n = 1; Pair *const found = force->pair_match(NOT_H, 0, n); n++) {
    if (!all.empty() && found == all.back()) break;    // a single match is returned for any number
    all.push_back(found);
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](Pair *p) { return dynamic_cast<PairMDPDRhosumExactGPU *>(p); }),
            all.end());
  return all;
}

static bool is_hybrid(const char *name)
{
  return strcmp(name, "hybrid") == 0 || strcmp(name, "hybrid/overlay") == 0;
}

static std::vector<Pair *> styles_that_add_up(Force *force)
{
  if (!force->pair) return {};
  return is_hybrid(force->pair_style) ? sub_styles(force) : std::vector<Pair *>{force->pair};
}

static bool has_energies_of_atoms(Modify *modify)
{
  const auto &computes = modify->get_compute_list();
  return std::any_of(computes.begin(), computes.end(), [](const Compute *c) { return c->peatomflag || c->pressatomflag; });
}

static std::string why_not(LAMMPS *lmp, const std::vector<Pair *> &all)
{
  if (!is_hybrid(lmp->force->pair_style)) return "only hybrid and hybrid/overlay have one";
  if (all.size() > DS_MAX_STYLES) return fmt::format("there are more than {} sub-styles", int(DS_MAX_STYLES));
  const PairGPU *first = nullptr, *noisy = nullptr;
  int styles = 0;
  for (Pair *pair : all) {
    auto *const part = dynamic_cast<PairGPU *>(pair);
    if (!part) return "some sub-style is not of this package";
    styles += part->get_engine()->styles();
    if (!first) first = part;
    if (!first->goes_with(*part)) return "precision or backend of sub-styles differ";
    if (part->has_noise() && noisy) return "several sub-styles have noise";
    if (part->has_noise()) noisy = part;
  }
  if (styles > DS_MAX_STYLES)
    return fmt::format("the sub-styles have more than {} kinds of forces", int(DS_MAX_STYLES));
  if (has_energies_of_atoms(lmp->modify)) return "a compute wants energies or stresses of atoms";
  return "";
}

/* ---------------------------------------------------------------------- */

std::unique_ptr<PairTogether> PairTogether::of_hybrid(LAMMPS *lmp, std::unique_ptr<PairTogether> before, std::string *why)
{
  const std::vector<Pair *> all = sub_styles(lmp->force);
  *why = why_not(lmp, all);
  if (!why->empty()) return nullptr;
  std::vector<PairGPU *> parts;
  for (Pair *pair : all) parts.push_back(static_cast<PairGPU *>(pair));
  if (!before || before->whole != lmp->force->pair || before->parts != parts)
    before.reset(new PairTogether(lmp, lmp->force->pair, parts));
  before->open();
  return before;
}

void PairTogether::open()
{
  take_options(*parts[0]);
  engine->open(static_cast<ds_precision>(precision), static_cast<ds_backend>(backend));
  engine->join_state();
}

std::vector<EngineHandle *> PairTogether::engines_of(LAMMPS *lmp)
{
  std::vector<EngineHandle *> engines;
  for (Pair *pair : styles_that_add_up(lmp->force)) {
    auto *const part = dynamic_cast<PairGPU *>(pair);
    if (!part) return {};
    if (part->together && part->together->engine->resides()) return {part->together->engine};
    engines.push_back(part->get_engine());
  }
  return engines;
}

/* ---------------------------------------------------------------------- */

bool PairTogether::changes_in_run() const
{
  return std::any_of(parts.begin(), parts.end(), [](const PairGPU *part) { return part->changes_in_run(); });
}

void PairTogether::begin(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  for (PairGPU *part : parts) part->begin(eflag, vflag);
}

bool PairTogether::charges_have_changed()
{
  bool any = false;
  for (PairGPU *part : parts) any = part->charges_have_changed() || any;
  return any;
}

void PairTogether::look_at_charges()
{
  for (PairGPU *part : parts) part->look_at_charges();
}

void PairTogether::follow_step()
{
  for (PairGPU *part : parts) part->follow_step();
}

void PairTogether::show_atoms(EngineHandle &made_by)
{
  for (PairGPU *part : parts) part->show_atoms(made_by);
}

/* ----------------------------------------------------------------------
   Sums of the parts, in the order in which LAMMPS's hybrid adds them
------------------------------------------------------------------------- */

void PairTogether::take_totals(const ds_pair_totals *totals)
{
  for (PairGPU *part : parts) {
    part->take_totals(totals);
    totals += part->get_engine()->styles();
    eng_vdwl += part->eng_vdwl;
    eng_coul += part->eng_coul;
    for (int c = 0; c < 6; c++) virial[c] += part->virial[c];
  }
  whole->eng_vdwl = eng_vdwl;
  whole->eng_coul = eng_coul;
  std::copy(virial, virial + 6, whole->virial);
}
