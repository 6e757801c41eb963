/* LAMMPS's atoms and box in the form that operations of a step take.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_arrays.h"

#include "atom_access.h"
#include "atom_arrays.h"
#include "engine_session.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "force.h"
#include "lammps.h"
#include "neighbor.h"
#include "update.h"

#include "dpdsop/device/step/bins.h"
#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ds_resident_atoms StepArrays::atoms_of(const Atom *atom, const AtomAccess &access, const std::vector<double **> &anchors,
                                       int *bodies, bool molecules)
{
  ds_resident_atoms a = {};
  a.n = atom->nlocal;
  a.x = access.x();
  a.v = access.v();
  a.f = access.f();
  a.image = access.image();
  a.type = access.type();
  a.mask = access.mask();
  a.rmass = access.rmass();
  a.tag = access.tag();
  for (size_t k = 0; k < anchors.size(); k++) a.anchor[k] = AtomArrays::rows(anchors[k], 3);
  a.body = AtomArrays::vector(bodies);
  if (molecules) a.molecule = access.molecule();
  a.ntypes = atom->ntypes;
  a.mass = atom->rmass ? nullptr : atom->mass;
  return a;
}

ds_wrap StepArrays::box_of(LAMMPS *lmp)
{
  const Domain *const domain = lmp->domain;
  ds_wrap wrap = {};
  wrap.tilted = domain->triclinic;
  for (int d = 0; d < 3; d++) {
    wrap.periodic[d] = domain->periodicity[d];
    wrap.origin[d] = domain->boxlo[d];
    wrap.lo[d] = wrap.tilted ? domain->boxlo_lamda[d] : domain->boxlo[d];
    wrap.hi[d] = wrap.tilted ? domain->boxhi_lamda[d] : domain->boxhi[d];
    wrap.period[d] = wrap.tilted ? domain->prd_lamda[d] : domain->prd[d];
  }
  std::copy(domain->h, domain->h + 6, wrap.edge);
  std::copy(domain->h_inv, domain->h_inv + 6, wrap.inverse);
  wrap.image_bits = IMGBITS;
  wrap.moving = domain->deform_vremap;
  if (wrap.moving) std::copy(domain->h_rate, domain->h_rate + 6, wrap.rate);
  return wrap;
}

/* ----------------------------------------------------------------------
   The flow of a box that changes: a point at fractions s of the edges moves with velocity
   h_rate s
------------------------------------------------------------------------- */

void StepArrays::flow_of(LAMMPS *lmp, double flow[9])
{
  const Domain *const domain = lmp->domain;
  const double *const rate = domain->h_rate, *const inverse = domain->h_inv, *const lo = domain->boxlo;
  flow[0] = rate[0] * inverse[0];
  flow[1] = rate[1] * inverse[1];
  flow[2] = rate[2] * inverse[2];
  flow[3] = rate[1] * inverse[3] + rate[3] * inverse[2];
  flow[4] = rate[0] * inverse[4] + rate[5] * inverse[3] + rate[4] * inverse[2];
  flow[5] = rate[0] * inverse[5] + rate[5] * inverse[1];
  flow[6] = domain->h_ratelo[0] - (flow[0] * lo[0] + flow[5] * lo[1] + flow[4] * lo[2]);
  flow[7] = domain->h_ratelo[1] - (flow[1] * lo[1] + flow[3] * lo[2]);
  flow[8] = domain->h_ratelo[2] - flow[2] * lo[2];
}

/* ----------------------------------------------------------------------
   Units of exact sums. A fast particle is taken to move four skins in 64 steps. When the
   velocity command asks for a temperature, the cutoff may not be known yet
------------------------------------------------------------------------- */

static double power_of_two(double x)
{
  static constexpr int LIMIT = 150;    // so that products of units do not overflow
  return x > 0.0 ? std::ldexp(1.0, std::clamp(std::ilogb(x), -LIMIT, LIMIT)) : 1.0;
}

StepArrays::Units StepArrays::units_of(LAMMPS *lmp)
{
  const Atom *const atom = lmp->atom;
  double mine = 0.0, mass = 0.0;
  if (atom->rmass)
    for (int i = 0; i < atom->nlocal; i++) mine = std::max(mine, atom->rmass[i]);
  else
    mine = *std::max_element(atom->mass + 1, atom->mass + 1 + atom->ntypes);
  MPI_Allreduce(&mine, &mass, 1, MPI_DOUBLE, MPI_MAX, lmp->world);

  const double length = power_of_two(4.0 * lmp->neighbor->skin);
  const double velocity = power_of_two(length / (64.0 * lmp->update->dt));
  Units u = {};
  u.mass = power_of_two(mass);
  u.length = length;
  u.momentum = u.mass * velocity;
  u.mvv = u.momentum * velocity;
  u.energy = power_of_two(u.mvv * lmp->force->mvv2e);
  u.force = u.energy / length;
  return u;
}

ds_operation &StepArrays::add_center(StepRecords &r, ds_point point, int group, const Units &units)
{
  ds_operation &o = r.add(DS_SUM_CENTER, point, group);
  o.nsums = 4;
  o.number[0] = units.length;
  o.unit = units.mass;
  return o;
}

/* ----------------------------------------------------------------------
   Sums are integers, so the order of ranks does not matter
------------------------------------------------------------------------- */

void StepArrays::add_over_ranks(void *user, ds_exact_sum *sums, int n)
{
  auto *const lmp = static_cast<LAMMPS *>(user);
  if (lmp->comm->nprocs == 1) return;
  std::vector<ds_exact_sum> mine(sums, sums + n);    // LAMMPS's own MPI for one process takes no pointer to const
  static constexpr int PARTS = sizeof(ds_exact_sum) / sizeof(bigint);
  MPI_Allreduce(mine.data(), sums, PARTS * n, MPI_LMP_BIGINT, MPI_SUM, lmp->world);
}

std::vector<ds_exact_sum> StepArrays::total_over_ranks(LAMMPS *lmp, std::vector<ds_exact_sum> sums)
{
  for (ds_exact_sum &sum : sums) ds_exact_carry(&sum);
  add_over_ranks(lmp, sums.data(), static_cast<int>(sums.size()));
  return sums;
}

/* ---------------------------------------------------------------------- */

StepArrays::Runner::Runner(LAMMPS *lmp_in, const std::string &user_in) :
    lmp(lmp_in), user(user_in), on_host(nullptr), on_gpu(nullptr)
{
}

StepArrays::Runner::~Runner()
{
  ds_stepper_close(on_host);
  ds_stepper_close(on_gpu);
}

/* ----------------------------------------------------------------------
   Where operations act: on arrays of LAMMPS, or of KOKKOS
------------------------------------------------------------------------- */

bool StepArrays::Runner::follow_kokkos(bool wanted)
{
  kokkos = wanted ? AtomAccess::of_kokkos(lmp) : nullptr;
  return kokkos != nullptr;
}

static bool is_plain(const ds_array &rows)
{
  return rows.type == DS_F64 && rows.atom_stride == 3 && rows.component_stride == 1;
}

/* ----------------------------------------------------------------------
   Arrays that the style changes, and tallies, are in host memory. Kokkos can have numbers or
   layouts of another kind
------------------------------------------------------------------------- */

bool StepArrays::Runner::may_act_on_gpu(StepPart &part, const ds_step_program &program, const int *mask) const
{
  if (!kokkos || kokkos->space() == DS_SPACE_HOST || mask || part.keeps_forces() || part.bodies()) return false;
  if (ds_step_tallies(&program, lmp->update->ntimestep)) return false;
  return is_plain(kokkos->x()) && is_plain(kokkos->v()) && is_plain(kokkos->f());
}

ds_stepper *StepArrays::Runner::stepper_in(ds_space memory, int threads, EngineSession &session)
{
  const bool is_gpu = memory == DS_SPACE_DEVICE;
  ds_stepper *&stepper = is_gpu ? on_gpu : on_host;
  ds_stepper_options options = {is_gpu ? DS_BACKEND_CUDA : DS_BACKEND_HOST, threads, 0, nullptr};
  if (is_gpu && !stepper) {
    options.local_rank = session.node_rank();
    options.stream = kokkos->stream();
  }
  if (!stepper && session.working()) session.note(ds_stepper_open(&stepper, &options, session.error_text()));
  return stepper;
}

static int fields_changed_by(const ds_step_program &program)
{
  int fields = 0;
  for (int k = 0; k < program.n; k++) fields |= ds_operation_writes(static_cast<ds_operation_kind>(program.operation[k].kind));
  return fields;
}

static void add_to(StepSums &sums, const StepSums &others)
{
  for (int j = 0; j < DS_OPERATION_SUMS; j++) {
    ds_exact_add(&sums[j], &others[j]);
    ds_exact_carry(&sums[j]);
  }
}

void StepArrays::Runner::take(StepPart &part, bigint step, const std::vector<StepSums> &of_operations)
{
  records = part.records(step);
  sums = of_operations;
  for (size_t k = 0; k < saved.size(); k++)
    if (lasts(k)) add_to(sums[k], saved[k]);
}

void StepArrays::Runner::begin()
{
  saved.clear();
  sums.clear();
}

void StepArrays::Runner::begin_lasting()
{
  saved.clear();
  for (size_t k = 0; k < sums.size(); k++)
    if (lasts(k)) sums[k] = {};
}

double StepArrays::Runner::total(int k, int j) const
{
  if (k >= static_cast<int>(sums.size())) return 0.0;
  return ds_exact_value(&sums[k][j], records.operations[k].unit);
}

/* ----------------------------------------------------------------------
   Makes a program of the operations at this point. `place` gets their numbers in it, -1
   for others. Returns how many there are
------------------------------------------------------------------------- */

int StepArrays::Runner::select(StepPart &part, ds_point point, bigint step, std::vector<int> &place, ds_step_program &program)
{
  records = part.records(step);
  place.assign(records.operations.size(), -1);
  program = {};
  for (size_t k = 0; k < records.operations.size(); k++) {
    if (records.operations[k].point != point || step % records.operations[k].every) continue;
    place[k] = program.n;
    ds_operation &o = program.operation[program.n++];
    o = records.operations[k];
    o.flags &= ~DS_ADDS_UP;    // run() adds up itself, because the stepper gets another program at each point of a step
    if (o.from >= 0) o.from = place[o.from];
    if (o.also >= 0) o.also = place[o.also];
  }
  flow_of(lmp, program.flow);
  program.nregions = static_cast<int>(records.regions.size());
  std::copy(records.regions.begin(), records.regions.end(), program.region);
  program.nbinnings = static_cast<int>(records.binnings.size());
  std::copy(records.binnings.begin(), records.binnings.end(), program.binning);
  return program.n;
}

/* ---------------------------------------------------------------------- */

struct StepArrays::Runner::Asked {
  Runner *self;
  StepPart *part;
  ds_point point;
  std::vector<int> place;
  ds_wrap box;
};

ds_status StepArrays::Runner::answer(void *asked, ds_question *question, ds_error *err)
{
  auto *const a = static_cast<Asked *>(asked);
  const auto place = std::find(a->place.begin(), a->place.end(), question->operation);
  StepSums sums;
  if (question->sums) std::copy_n(question->sums, DS_OPERATION_SUMS, sums.begin());
  const int k = static_cast<int>(place - a->place.begin());
  const std::string wrong = a->part->answer_of(question->step, k, question->sums ? &sums : nullptr);
  a->self->select(*a->part, a->point, question->step, a->place, *question->program);
  if (a->part->changes_box()) a->box = box_of(a->self->lmp);
  return step_status(wrong, DS_ERR_CALLER, err);
}

ds_status StepArrays::step_status(const std::string &wrong, ds_status status, ds_error *err)
{
  if (wrong.empty()) return DS_OK;
  err->code = status;
  err->text[wrong.copy(err->text, DS_ERROR_LENGTH - 1)] = '\0';
  return status;
}

/* ---------------------------------------------------------------------- */

static ds_array from_atom(ds_array array, int i)
{
  if (array.data) array.data = static_cast<char *>(array.data) + i * array.atom_stride * ds_type_bytes(array.type);
  return array;
}

static ds_resident_atoms one_of(const ds_resident_atoms &all, int i, double *force)
{
  ds_resident_atoms a = all;
  a.n = 1;
  for (ds_array *field : {&a.x, &a.v, &a.image, &a.type, &a.mask, &a.rmass, &a.tag}) *field = from_atom(*field, i);
  a.f.data = force;
  return a;
}

void StepArrays::Runner::run_by_atom(StepPart &part, ds_point point, bigint step, int *mask,
                                     const std::function<void(int)> &look)
{
  EngineSession session(lmp, user);
  if (kokkos) kokkos->bring_to(DS_SPACE_HOST);
  ds_resident_atoms atoms = atoms_of(lmp->atom, AtomAccess(lmp), {}, nullptr, false);
  ds_step_program program = {};
  ds_exact_sum all[DS_STEP_SUMS];
  std::vector<size_t> acting;
  records = {};
  part.declare(records, step);
  for (size_t k = 0; k < records.operations.size(); k++) {
    if (records.operations[k].point != point || step % records.operations[k].every) continue;
    program.operation[program.n++] = records.operations[k];
    acting.push_back(k);
  }
  program.nregions = static_cast<int>(records.regions.size());
  std::copy(records.regions.begin(), records.regions.end(), program.region);
  const ds_wrap box = box_of(lmp);
  if (mask) atoms.mask.data = mask;
  ds_stepper *const stepper = stepper_in(DS_SPACE_HOST, 1, session);
  for (int i = 0; i < lmp->atom->nlocal && session.working(); i++) {
    double force[3] = {0.0, 0.0, 0.0};
    const ds_resident_atoms one = one_of(atoms, i, force);
    session.note(ds_stepper_operate(stepper, &one, &box, &program, step, nullptr, nullptr, all, session.error_text()));
    sums.assign(records.operations.size(), {});
    for (size_t j = 0; j < acting.size(); j++)
      std::copy_n(all + j * DS_OPERATION_SUMS, DS_OPERATION_SUMS, sums[acting[j]].begin());
    look(i);
  }
  if (!session.agree()) session.raise();
}

/* ---------------------------------------------------------------------- */

ds_step_program StepArrays::program_of(LAMMPS *lmp, const StepRecords &r)
{
  ds_step_program program = {};
  program.n = static_cast<int>(r.operations.size());
  std::copy(r.operations.begin(), r.operations.end(), program.operation);
  program.nregions = static_cast<int>(r.regions.size());
  std::copy(r.regions.begin(), r.regions.end(), program.region);
  program.nbinnings = static_cast<int>(r.binnings.size());
  std::copy(r.binnings.begin(), r.binnings.end(), program.binning);
  flow_of(lmp, program.flow);
  return program;
}

size_t StepArrays::cells_of(const ds_binning &b)
{
  return static_cast<size_t>(ds_bins_count(&b)) * b.nvalues;
}

std::vector<ds_exact_sum> StepArrays::Runner::take_bins(EngineSession &session, ds_stepper *stepper,
                                                        const ds_step_program &program)
{
  std::vector<ds_exact_sum> cells(cells_of(program.binning[0]));
  if (session.working()) session.note(ds_stepper_take_bins(stepper, 0, cells.data(), cells.size(), session.error_text()));
  return cells;
}

void StepArrays::Runner::run(StepPart &part, ds_point point, bigint step, int *mask)
{
  ds_step_program program;
  Asked asked = {this, &part, point, {}, box_of(lmp)};
  if (select(part, point, step, asked.place, program) == 0) return;

  const ds_tallies tallies = program.nbinnings ? part.tallies() : ds_tallies{};
  EngineSession session(lmp, user);
  const ds_space memory = may_act_on_gpu(part, program, mask) ? DS_SPACE_DEVICE : DS_SPACE_HOST;
  if (kokkos) kokkos->bring_to(memory);
  const std::vector<double **> anchors(part.anchors() ? 1 : 0, part.anchors());
  const AtomAccess lammps(lmp);
  ds_resident_atoms atoms = atoms_of(lmp->atom, memory == DS_SPACE_DEVICE ? *kokkos : lammps, anchors, part.bodies_of_atoms(),
                                     part.reads_molecules());
  std::vector<ds_body> *const bodies = part.bodies();
  ds_exact_sum all[DS_STEP_SUMS];
  if (mask) atoms.mask.data = mask;
  ds_stepper *const stepper = stepper_in(memory, lmp->comm->nthreads, session);
  if (session.working()) ds_stepper_set_answer(stepper, answer, &asked);
  if (session.working()) ds_stepper_set_tallies(stepper, &tallies, step);
  if (session.working() && bodies)
    session.note(ds_stepper_set_bodies(stepper, bodies->data(), static_cast<int>(bodies->size()), session.error_text()));
  if (session.working())
    session.note(ds_stepper_operate(stepper, &atoms, &asked.box, &program, step,
                                    lmp->comm->nprocs > 1 ? add_over_ranks : nullptr, lmp, all,
                                    session.error_text()));
  std::vector<ds_exact_sum> cells;
  if (program.nbinnings) cells = take_bins(session, stepper, program);
  if (session.working() && bodies) session.note(ds_stepper_bodies(stepper, bodies->data(), session.error_text()));
  if (kokkos) kokkos->changed_in(memory, fields_changed_by(program));
  if (!session.agree()) session.raise();
  if (program.nbinnings) part.take_bins(step, cells);
  sums.resize(records.operations.size());
  for (size_t k = 0; k < asked.place.size(); k++) {
    if (asked.place[k] < 0) continue;
    StepSums now;
    std::copy_n(all + asked.place[k] * DS_OPERATION_SUMS, DS_OPERATION_SUMS, now.begin());
    if (lasts(k)) add_to(now, sums[k]);
    sums[k] = now;
  }
}
