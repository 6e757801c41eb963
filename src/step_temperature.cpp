/* The compute of the temperature that a thermostat of this package follows.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_temperature.h"

#include "compute_temp_gpu.h"

#include "comm.h"
#include "error.h"
#include "group.h"
#include "modify.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

void StepTemperature::make(const std::string &id_in, int igroup)
{
  id = id_in;
  made = true;
  modify->add_compute(fmt::format("{} {} temp/exact/gpu", id, group->names[igroup]), 0);
}

void StepTemperature::drop()
{
  if (made && modify->get_compute_by_id(id)) modify->delete_compute(id);
  made = false;
}

void StepTemperature::name(const char *id_in, int igroup)
{
  const Compute *const named = modify->get_compute_by_id(id_in);
  if (!named) error->all(FLERR, "{}: compute {} does not exist, allowed: the ID of a temperature", user, id_in);
  if (!named->tempflag)
    error->all(FLERR, "{}: compute {} of style {} is no temperature, allowed: the ID of one", user, id_in, named->style);
  if (named->igroup != igroup && comm->me == 0)
    error->warning(FLERR, "{}: its group {} is not that of the temperature, {}", user, group->names[igroup],
                   group->names[named->igroup]);
  drop();
  id = id_in;
}

/* ---------------------------------------------------------------------- */

Compute *StepTemperature::compute() const
{
  Compute *const found = modify->get_compute_by_id(id);
  if (!found) error->all(FLERR, "{}: compute {} does not exist any more, allowed: that it stays", user, id);
  return found;
}

const ComputeTempGPU *StepTemperature::known() const
{
  return dynamic_cast<const ComputeTempGPU *>(modify->get_compute_by_id(id));
}

std::string StepTemperature::why_not_declared() const
{
  if (id.empty() || known()) return "";
  return fmt::format("compute {} is of LAMMPS's style {}", id, compute()->style);
}

void StepTemperature::put_bias(double number[4]) const
{
  if (const ComputeTempGPU *const ours = known()) ours->put_bias(number);
}
