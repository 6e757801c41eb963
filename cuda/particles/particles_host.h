/* Stages of particles on the host, in words of one width; included by particles_simd.c through each_arithmetic.h. No include
   guard.   SPDX-License-Identifier: GPL-2.0-or-later */

/* ----------------------------------------------------------------------------------------- reading */

/* Integer positions of a batch, and where they are not what own atoms may have: what is wrong. */
static int DS_W(find_positions)(const ds_frame *f, const batch *b, DS_WORD *restrict out)
{
  const ds_frame frame = *f;
  const int n = b->n;
  int near = 1, good = 1;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    double lambda[3];
    ds_fraction(&frame, b->x[k], b->y[k], b->z[k], lambda);
    near &= ds_fraction_near(&frame, lambda) | (b->own[k] < 0);
    const DS_W(ds_position) p = DS_W(ds_position_of)(&frame, lambda);
    out[4 * k] = p.x;
    out[4 * k + 1] = p.y;
    out[4 * k + 2] = p.z;
  }
  if (near) return 0; /* and so all are allowed */
  for (int k = 0; k < n; k++) {
    double lambda[3];
    ds_fraction(&frame, b->x[k], b->y[k], b->z[k], lambda);
    good &= ds_fraction_ok(&frame, lambda) | (b->own[k] < 0);
  }
  return good ? DS_FAR_POSITION : DS_BAD_POSITION;
}

static void DS_W(shift)(const ds_frame *f, const int32_t boxes[3], DS_WORD *p)
{
  const DS_W(ds_position) q = DS_W(ds_position_image)(f, (DS_W(ds_position)){p[0], p[1], p[2]}, boxes[0], boxes[1], boxes[2]);
  p[0] = q.x;
  p[1] = q.y;
  p[2] = q.z;
}

static DS_W(ds_message) DS_W(message_of)(const ds_atom_source *s, int ghost)
{
  DS_W(ds_message) m;
  memcpy(&m, s->message + sizeof m * (size_t) (ghost - s->nlocal), sizeof m);
  return m;
}

/* 4 words per atom: x y z and 0-based type. Returns what is wrong with atoms. */
static int DS_W(read_positions)(const ds_atom_source *s, batch *b, DS_WORD *position)
{
  read_array(&s->x, b);
  int bad = DS_W(find_positions)(&s->frame, b, position);
  for (int k = 0; k < b->n; k++) {
    const int i = atom_of(b, k), own = b->own[k];
    DS_WORD *const p = position + 4 * k;
    int64_t type;
    if (own >= 0) {
      type = ds_array_int(&s->type, own, 0) - 1;
      if (i >= s->nlocal) DS_W(shift)(&s->frame, s->owner + 4 * (size_t) (i - s->nlocal) + 1, p);
    } else {
      const DS_W(ds_message) m = DS_W(message_of)(s, i);
      type = m.type;
      p[0] = m.x;
      p[1] = m.y;
      p[2] = m.z;
    }
    const int is_wrong = type < 0 || type >= s->ntypes;
    p[3] = is_wrong ? 0 : (DS_WORD) type;
    if (is_wrong) bad |= DS_BAD_TYPE;
  }
  return bad;
}

/* Into the batch: those that atoms have at their places in the box, as messages have them already. */
static void DS_W(read_velocities)(const ds_atom_source *s, batch *b)
{
  read_array(&s->v, b);
  for (int k = 0; k < b->n && (s->frame.images_move || b->messages); k++) {
    const int i = b->own[k];
    double u[3] = {b->x[k], b->y[k], b->z[k]};
    if (i < 0) {
      const DS_W(ds_message) m = DS_W(message_of)(s, atom_of(b, k));
      u[0] = m.vx;
      u[1] = m.vy;
      u[2] = m.vz;
    } else if (s->frame.images_move) {
      double lambda[3];
      int boxes[3];
      ds_fraction(&s->frame, ds_array_get(&s->x, i, 0), ds_array_get(&s->x, i, 1), ds_array_get(&s->x, i, 2), lambda);
      for (int d = 0; d < 3; d++) boxes[d] = DS_W(ds_boxes)(&s->frame, d, lambda[d]);
      ds_velocity_in_box(&s->frame, boxes, u);
    }
    b->x[k] = u[0];
    b->y[k] = u[1];
    b->z[k] = u[2];
  }
}

/* 4 words per atom: x y z and the signature. */
static void DS_W(sign_velocities)(const ds_atom_source *s, const batch *b, DS_REAL *velocity)
{
  int64_t tag[BATCH];
  uint32_t signature[BATCH];
  const uint32_t seed = s->seed;
  const uint64_t step = s->step;
  const int n = b->n;
  for (int k = 0; k < n; k++) tag[k] = ds_array_int(&s->tag, atom_of(b, k), 0);
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++)
    signature[k] = ds_signature((uint64_t) tag[k], (float) b->x[k], (float) b->y[k], (float) b->z[k], seed, step);
  for (int k = 0; k < n; k++) {
    velocity[4 * k] = (DS_REAL) b->x[k];
    velocity[4 * k + 1] = (DS_REAL) b->y[k];
    velocity[4 * k + 2] = (DS_REAL) b->z[k];
    velocity[4 * k + 3] = DS_W(ds_signature_word)(signature[k]);
  }
}

/* Upper 32 bits of positions: what lists are made from. */
static void DS_W(take_upper)(const DS_WORD *position, int n, int32_t *out)
{
  enum { LOWER_BITS = 8 * sizeof(DS_WORD) - 32 };
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < 3; c++) out[4 * k + c] = (int32_t) (position[4 * k + c] >> LOWER_BITS);
    out[4 * k + 3] = (int32_t) position[4 * k + 3];
  }
}

/* ------------------------------------------------------------------------------------------ ghosts */

/* Own atoms, or ghosts that have arrived. Wrong atoms are sent as they are: their owner stops. */
static ds_status DS_W(pack)(ds_particles *p, const ds_atom_source *s, int n, const int32_t *list, const int shift[3], void *to,
                            ds_error *err)
{
  (void) p, (void) err;
#pragma omp parallel for num_threads(p->threads) if (n > 8 * BATCH)
  for (int first = 0; first < n; first += BATCH) {
    DS_WORD position[4 * BATCH];
    batch b;
    begin_batch(&b, s, 0, list + first, batch_size(first, n));
    DS_W(read_positions)(s, &b, position);
    DS_W(read_velocities)(s, &b);
    for (int k = 0; k < b.n; k++) {
      DS_WORD *const q = position + 4 * k;
      DS_W(shift)(&s->frame, shift, q);
      const DS_W(ds_message) m = {q[0], q[1], q[2], (int32_t) q[3], (DS_REAL) b.x[k], (DS_REAL) b.y[k], (DS_REAL) b.z[k]};
      memcpy((char *) to + sizeof m * (size_t) (first + k), &m, sizeof m);
    }
  }
  return DS_OK;
}

/* -------------------------------------------------------------------------------- places and gather */

/* The first atom with each fault. */
static void DS_W(report_faults)(ds_particles *p, const ds_launch_id *launch)
{
  ds_control *const r = launch->control;
  const int own = p->source.nlocal;
  for (int i = own + p->nghost - 1; i >= 0; i--) {
    DS_WORD position[4];
    batch b;
    begin_batch(&b, &p->source, i, NULL, 1);
    const int bad = DS_W(read_positions)(&p->source, &b, position);
    if (i < own && bad & DS_BAD_POSITION) r->position_fault = (uint32_t) (own - i);
    if (i < own && bad & DS_BAD_TYPE) r->type_fault = (uint32_t) (own - i);
    if (i >= own && !p->source.owner && bad & DS_BAD_ATOM && !r->ghost_fault) r->ghost_fault = (uint32_t) (i - own) + 1;
  }
  ds_stage_stop(launch);
}

static ds_status DS_W(place)(ds_particles *p, const ds_placing *to, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  const ds_launch_id launch = ds_queue_launch_id(p->queue, p->step);
  int bad = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(p->threads) reduction(| : bad)
  for (int first = 0; first < n; first += BATCH) {
    DS_WORD position[4 * BATCH];
    int32_t upper[4 * BATCH];
    batch b;
    begin_batch(&b, &p->source, first, NULL, batch_size(first, n));
    bad |= DS_W(read_positions)(&p->source, &b, position);
    DS_W(take_upper)(position, b.n, upper);
    for (int i = 0; i < b.n; i++) {
      const ds_position at = {upper[4 * i], upper[4 * i + 1], upper[4 * i + 2]};
      ds_note_key(to, first + i, at);
    }
  }
  if (bad & DS_BAD_ATOM) DS_W(report_faults)(p, &launch);
  return DS_OK;
}

/* What is written where the order is new. */
static void DS_W(fill_new_order)(const ds_particles *p, const ds_sorted *to, const ds_gather *how, int first, int n)
{
  const DS_WORD *const position = DS_DATA(DS_WORD, to->position) + 4 * (size_t) first;
  for (int k = 0; k < n; k++) {
    DS_DATA(int64_t, to->tag)[first + k] = ds_array_int(&p->source.tag, how->atom_of_slot[first + k], 0);
    if (how->by_type) DS_DATA(int32_t, to->list_type)[first + k] = (int32_t) position[4 * k + 3];
  }
  if (p->is_wide) DS_W(take_upper)(position, n, DS_DATA(int32_t, to->upper) + 4 * (size_t) first);
}

static int DS_W(has_other_types)(const ds_sorted *to, int first, int n)
{
  const DS_WORD *const position = DS_DATA(DS_WORD, to->position) + 4 * (size_t) first;
  int differ = 0;
  for (int k = 0; k < n; k++) differ |= position[4 * k + 3] != DS_DATA(int32_t, to->list_type)[first + k];
  return differ;
}

static ds_status DS_W(gather)(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(p->queue, p->step);
  int bad = 0, other_types = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(p->threads) reduction(| : bad, other_types)
  for (int first = 0; first < how->slots; first += BATCH) {
    batch b;
    begin_batch(&b, &p->source, 0, how->atom_of_slot + first, batch_size(first, how->slots));
    bad |= DS_W(read_positions)(&p->source, &b, DS_DATA(DS_WORD, to->position) + 4 * (size_t) first);
    DS_W(read_velocities)(&p->source, &b);
    DS_W(sign_velocities)(&p->source, &b, DS_DATA(DS_REAL, to->velocity) + 4 * (size_t) first);
    if (how->new_order)
      DS_W(fill_new_order)(p, to, how, first, b.n);
    else if (how->by_type)
      other_types |= DS_W(has_other_types)(to, first, b.n);
  }
  if ((bad & DS_FAR_POSITION) &&
      launch.control->outlived_list != how->list) { /* once per list, kept longer than it is good for */
    launch.control->outlived_list = how->list;
    launch.control->outlived_lists++;
  }
  if (bad & DS_BAD_ATOM) DS_W(report_faults)(p, &launch);
  if (other_types) {
    launch.control->other_types = 1;
    ds_stage_stop(&launch);
  }
  return DS_OK;
}

/* A ghost without a message has the charge of its owner. */
static ds_status DS_W(gather_charges)(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const ds_atom_source *const s = &p->source;
  DS_REAL *const charge = DS_DATA(DS_REAL, to->charge);
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int k = 0; k < how->slots; k++) {
    const int i = how->atom_of_slot[k];
    charge[k] = (DS_REAL) ds_array_get(&s->charge, ds_charged_atom(s, i), 0);
  }
  return DS_OK;
}
