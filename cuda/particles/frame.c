/* The integer frame of a box.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "particles.h"

#include <math.h>

static const char *const axis_name[3] = {"x", "y", "z"};

/* Axis whose edge each of the six numbers of h belongs to. */
static const int edge_axis[6] = {0, 1, 2, 2, 2, 1};

/* Inverse of the upper triangular edge matrix, in its own order. */
static void invert_edges(const double h[6], double inverse[6])
{
  inverse[0] = 1.0 / h[0];
  inverse[1] = 1.0 / h[1];
  inverse[2] = 1.0 / h[2];
  inverse[3] = -h[3] / (h[1] * h[2]);
  inverse[4] = (h[3] * h[5] - h[1] * h[4]) / (h[0] * h[1] * h[2]);
  inverse[5] = -h[5] / (h[0] * h[1]);
}

/* As ldexp(1.0, k) for the exponents of a frame, which a barostat asks for in each step. */
static double power_of_two(int k)
{
  return ds_ulong_as_double((uint64_t) (1023 + k) << 52);
}

/* 2^bits units an edge such that every coordinate a process sees and every difference of one with an
   own atom's, at most 1 + reach edges, stays below 2^31 units: 30 bits, fewer where ghosts reach round
   the box. */
static int edge_bits(double reach)
{
  int bits = 30;
  while (bits > 0 && (1.0 + reach) * power_of_two(bits) > 2147483647.0) bits--;
  return bits;
}

/* Axes along which there need be no images: a pair within `range` can have only one, as the box is wider than two ranges
   between the faces. All that the process has whole, or none. The margin is for the rounding of positions. */
static int wrapped_axes(const ds_box *box, const double density[3], double range)
{
  int axes = 0;
  for (int d = 0; d < 3; d++) {
    if (!box->undecomposed[d]) continue;
    if (box->periodic[d] && !(2.0 * range * density[d] < 1.0 - 1e-6)) return 0;
    axes |= 1 << d;
  }
  return axes;
}

int ds_frame_wrapped(const ds_box *box, double range)
{
  double inverse[6], density[3];
  invert_edges(box->h, inverse);
  ds_face_densities(inverse, density);
  return wrapped_axes(box, density, range);
}

static double lattice_vector2(const double h[6], int a, int b, int c)
{
  const double x = h[0] * a + h[5] * b + h[4] * c, y = h[1] * b + h[3] * c, z = h[2] * c;
  return x * x + y * y + z * z;
}

/* 1 where a sphere of this radius may hold two images of one point: where some sum of whole periodic edges is shorter
   than the diameter. Of edge d such a sum has no more than the diameter over the distance of its faces. In a box that is
   extremely flat not all sums are tried, and 1 is returned. The margin is for the rounding of positions. */
static int sees_several_images(const ds_box *box, const double density[3], double radius)
{
  enum { LIMIT = 32 };
  const double reach = 2.0 * radius * (1.0 + 1e-6);
  int most[3];
  for (int d = 0; d < 3; d++) {
    const double edges = box->periodic[d] ? reach * density[d] : 0.0;
    if (!(edges < LIMIT)) return 1;
    most[d] = (int) edges;
  }
  for (int a = -most[0]; a <= most[0]; a++)
    for (int b = -most[1]; b <= most[1]; b++)
      for (int c = -most[2]; c <= most[2]; c++)
        if ((a || b || c) && lattice_vector2(box->h, a, b, c) < reach * reach) return 1;
  return 0;
}

double ds_frame_unit(const ds_frame *frame, const ds_box *box)
{
  const double *const h = box->h;
  const double edge[3] = {h[0], sqrt(h[1] * h[1] + h[5] * h[5]), sqrt(h[2] * h[2] + h[3] * h[3] + h[4] * h[4])};
  double unit = 0.0;
  for (int d = 0; d < 3; d++) unit = fmax(unit, edge[d] * power_of_two(-frame->bits[d]));
  return unit;
}

/* How fast images move: where an axis is not periodic there are none along it. */
static ds_status set_image_rate(ds_frame *frame, const ds_box *box, ds_error *err)
{
  frame->images_move = 0;
  for (int k = 0; k < 6; k++) {
    if (!isfinite(box->image_rate[k]))
      return ds_fail(err, DS_ERR_ARGUMENT, "rate %g of the box's edges must be finite", box->image_rate[k]);
    frame->image_rate[k] = box->periodic[edge_axis[k]] ? box->image_rate[k] : 0.0;
    frame->images_move |= frame->image_rate[k] != 0.0;
  }
  return DS_OK;
}

ds_status ds_frame_init(ds_frame *frame, const ds_box *box, double cutoff, double range, ds_error *err)
{
  double density[3];
  for (int k = 3; k < 6; k++)
    if (!isfinite(box->h[k])) return ds_fail(err, DS_ERR_ARGUMENT, "tilt %g of the box must be finite", box->h[k]);
  for (int d = 0; d < 3; d++) {
    if (!(box->sublo[d] <= box->subhi[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "subdomain from %g to %g along axis %d", box->sublo[d], box->subhi[d], d);
    if (!(box->h[d] > 0.0) || !isfinite(box->h[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "box edge %s = %g must be positive", axis_name[d], box->h[d]);
    if (!isfinite(box->lo[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "lower corner %s = %g of the box must be finite", axis_name[d], box->lo[d]);
  }
  if (!(box->slack >= 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "slack %g of the box must be >= 0", box->slack);
  invert_edges(box->h, frame->inverse);
  ds_face_densities(frame->inverse, density);
  frame->wrapped = wrapped_axes(box, density, range);
  frame->tilted = box->h[3] != 0.0 || box->h[4] != 0.0 || box->h[5] != 0.0;
  for (int d = 0; d < 3; d++) {
    const double slack = box->slack * density[d] + 1e-9;
    const double reach = box->ghost_reach[d] + slack;
    if (!(reach >= 0.0 && reach < 1048576.0))
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "ghosts reach %g box edges in %s, with cutoff and skin %g together; at most "
                     "2^20 are supported",
                     reach, axis_name[d], range);
    frame->lo[d] = box->lo[d];
    frame->bits[d] = edge_bits(reach + slack);
    frame->shift[d] = (frame->wrapped >> d & 1) && box->periodic[d] ? 32 - frame->bits[d] : 0;
    frame->units[d] = power_of_two(frame->bits[d]);
    frame->periodic[d] = box->periodic[d];
    frame->near_low[d] = box->sublo[d] - slack;
    frame->near_high[d] = box->subhi[d] + slack;
    /* where differences wrap, forces are right wherever an atom is; a program takes it back by one edge at a time */
    const double beyond = frame->shift[d] ? 1.0 - 1e-9 : 0.0;
    frame->low[d] = fmin(frame->near_low[d], box->sublo[d] - beyond);
    frame->high[d] = fmax(frame->near_high[d], box->subhi[d] + beyond);
  }
  for (int k = 0; k < 6; k++) {
    const int d = edge_axis[k];
    frame->edge[k] = box->h[k] / cutoff * power_of_two(-(frame->bits[d] + frame->shift[d]));
    frame->edgef[k] = (float) frame->edge[k];
  }
  for (int d = 0; d < 3; d++) frame->half[d] = 0.5 * frame->edge[d] * power_of_two(frame->bits[d] + frame->shift[d]);
  frame->several_images = sees_several_images(box, density, cutoff);
  return set_image_rate(frame, box, err);
}
