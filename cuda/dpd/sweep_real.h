/* The host's force sweep for one arithmetic; included by sweep_simd.c with its names and types. No
   include guard.   SPDX-License-Identifier: GPL-2.0-or-later

   Rows are taken in batches: their entries within the cutoff are collected, the pair terms of the
   whole batch are one long vector loop, and each row's share is summed. */

/* Pairs of a batch and their rounded terms. */
typedef struct {
  int n;
  uint32_t i[DS_BATCH], j[DS_BATCH]; /* slots; j with its special code */
  DS_SUM fx[DS_BATCH], fy[DS_BATCH], fz[DS_BATCH], energy[DS_BATCH], virial[6][DS_BATCH];
} DS_S(ds_batch);

DS_FUNC DS_REAL DS_S(separate)(const ds_frame *f, const DS_COORD *x, size_t i, size_t j,
                               DS_REAL *dx, DS_REAL *dy, DS_REAL *dz)
{
  DS_SEPARATE(f, DS_DIFF(x[4 * i], x[4 * j]), DS_DIFF(x[4 * i + 1], x[4 * j + 1]),
              DS_DIFF(x[4 * i + 2], x[4 * j + 2]), dx, dy, dz);
  return DS_SQUARE(*dx, *dy, *dz);
}

DS_FUNC void DS_S(load_pair)(const ds_frame *f, const DS_COORD *x, const DS_REAL *v, size_t i,
                             size_t j, DS_R(ds_dpd_pair) * p)
{
  p->r2 = DS_S(separate)(f, x, i, j, &p->dx, &p->dy, &p->dz);
  p->vx = v[4 * i] - v[4 * j];
  p->vy = v[4 * i + 1] - v[4 * j + 1];
  p->vz = v[4 * i + 2] - v[4 * j + 2];
}

/* Append the entries of a row that are within the cutoff. Branch-free, as in the list's filter.
   `types` is a constant at every call: 0 where there is one type. */
DS_FUNC void DS_S(collect)(const ds_sweep *s, const ds_frame *f, int row, DS_S(ds_batch) * b,
                           int types)
{
  const DS_COORD *x = s->position;
  const uint32_t *entries = s->entries + (size_t) row * s->capacity;
  const size_t ntypes = (size_t) s->params->ntypes;
  const int count = s->count[row];
  const uint32_t i = s->row_slot[row];
  const DS_R(ds_dpd_coeff) *ci =
      DS_COEFF(s->params) + (types ? (size_t) x[4 * (size_t) i + 3] * ntypes : 0);
  const DS_REAL only2 = ci->cut2, *table = &ci->cut2;
  const ds_frame frame = *f; /* a local that nothing can alias: the loop stays vector code */
  for (int first = 0; first < count; first += DS_TILE) {
    const int n = count - first < DS_TILE ? count - first : DS_TILE;
    int32_t hit[DS_TILE];
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      const size_t j = entries[first + k] & DS_INDEX_MASK;
      DS_REAL dx, dy, dz; /* not a struct: gcc keeps those out of vector registers */
      const DS_REAL r2 = DS_S(separate)(&frame, x, i, j, &dx, &dy, &dz);
      const DS_REAL cut2 = types ? table[8 * (size_t) x[4 * j + 3]] : only2;
      hit[k] = (r2 < cut2) & (r2 > (DS_REAL) DS_CONTACT2);
    }
    int m = b->n;
    for (int k = 0; k < n; k++) {
      b->i[m] = i;
      b->j[m] = entries[first + k];
      m += hit[k];
    }
    b->n = m;
  }
}

static void DS_S(collect_variant)(const ds_sweep *s, const ds_frame *f, int row, DS_S(ds_batch) * b)
{
  if (s->params->ntypes == 1)
    DS_S(collect)(s, f, row, b, 0);
  else
    DS_S(collect)(s, f, row, b, 1);
}

/* Terms of pairs first .. last-1; returns 0 where one is out of range. `types`, `general`, `special`
   and `tally` are constants at every call, so each combination is a loop of its own. */
DS_FUNC int DS_S(evaluate)(const ds_sweep *s, const ds_frame *f, DS_S(ds_batch) * b, int types,
                           int general, int special, int tally)
{
  const DS_COORD *x = s->position;
  const DS_REAL *v = s->velocity;
  const ds_dpd_params *params = s->params;
  const DS_R(ds_dpd_coeff) *coeff = DS_COEFF(params);
  const DS_R(ds_dpd_coeff) only = coeff[0];
  const DS_REAL *table = &coeff->a;
  const int32_t ntypes = params->ntypes;
  const DS_REAL scale_f = DS_SCALE_F(params), scale_e = DS_SCALE_E(params);
  const DS_REAL *factor = DS_SPECIAL(params), *root = DS_SPECIAL_ROOT(params);
  const ds_frame frame = *f;
  int bad = 0;
  const int n = b->n;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const size_t i = b->i[k], j = b->j[k] & DS_INDEX_MASK;
    const uint32_t code = b->j[k] >> DS_INDEX_BITS;
    DS_R(ds_dpd_pair) p;
    DS_S(load_pair)(&frame, x, v, i, j, &p);
    DS_R(ds_dpd_coeff) c = only;
    if (types) { /* word by word from a plain array: what a gather instruction can do */
      const int32_t m = 8 * ((int32_t) x[4 * i + 3] * ntypes + (int32_t) x[4 * j + 3]);
      c.a = table[m];
      c.gamma = table[m + 1];
      c.sigma = table[m + 2];
      c.inverse_cut = table[m + 3];
      c.power = table[m + 5];
      c.energy = table[m + 6];
    }
    const DS_REAL noise = DS_NOISE(DS_SIGNATURE(v[4 * i + 3]), DS_SIGNATURE(v[4 * j + 3]));
    const DS_R(ds_dpd_term) t =
        DS_R(ds_dpd_term_of)(&c, &p, noise, special ? factor[code] : 1, special ? root[code] : 1,
                             general, scale_f, scale_e);
    bad |= !(DS_IN_RANGE(t.fx) & DS_IN_RANGE(t.fy) & DS_IN_RANGE(t.fz));
    b->fx[k] = DS_ROUND_TERM(t.fx);
    b->fy[k] = DS_ROUND_TERM(t.fy);
    b->fz[k] = DS_ROUND_TERM(t.fz);
    if (tally) {
      DS_REAL w[6];
      DS_R(ds_dpd_virial)(&p, &t, w);
      b->energy[k] = DS_ROUND_TERM(t.energy);
      b->virial[0][k] = DS_ROUND_TERM(w[0]);
      b->virial[1][k] = DS_ROUND_TERM(w[1]);
      b->virial[2][k] = DS_ROUND_TERM(w[2]);
      b->virial[3][k] = DS_ROUND_TERM(w[3]);
      b->virial[4][k] = DS_ROUND_TERM(w[4]);
      b->virial[5][k] = DS_ROUND_TERM(w[5]);
    }
  }
  return !bad;
}

static int DS_S(evaluate_variant)(const ds_sweep *s, const ds_frame *f, DS_S(ds_batch) * b)
{
  const ds_dpd_params *p = s->params;
  if (p->ntypes == 1 && !s->special) {
    if (!p->general_power)
      return s->tally ? DS_S(evaluate)(s, f, b, 0, 0, 0, 1) : DS_S(evaluate)(s, f, b, 0, 0, 0, 0);
    return s->tally ? DS_S(evaluate)(s, f, b, 0, 1, 0, 1) : DS_S(evaluate)(s, f, b, 0, 1, 0, 0);
  }
  if (!p->general_power)
    return s->tally ? DS_S(evaluate)(s, f, b, 1, 0, 1, 1) : DS_S(evaluate)(s, f, b, 1, 0, 1, 0);
  return s->tally ? DS_S(evaluate)(s, f, b, 1, 1, 1, 1) : DS_S(evaluate)(s, f, b, 1, 1, 1, 0);
}

/* Sum of terms first .. last-1 as a 64-bit integer. */
DS_FUNC int64_t DS_S(total)(const DS_SUM *term, int first, int last)
{
#ifdef DS_FLOAT_SUMS
  float sum = 0.0f;
  DS_VECTOR_LOOP
  for (int k = first; k < last; k++) sum += term[k];
  return ds_round64((double) sum);
#else
  int64_t sum = 0;
  DS_VECTOR_LOOP
  for (int k = first; k < last; k++) sum += term[k];
  return sum;
#endif
}

static void DS_S(store)(const ds_sweep *s, const DS_S(ds_batch) * b, int row, int first, int last)
{
  s->force[3 * (size_t) row] = DS_S(total)(b->fx, first, last);
  s->force[3 * (size_t) row + 1] = DS_S(total)(b->fy, first, last);
  s->force[3 * (size_t) row + 2] = DS_S(total)(b->fz, first, last);
  if (!s->tally) return;
  s->energy[row] = DS_S(total)(b->energy, first, last);
  for (int c = 0; c < 6; c++)
    s->virial[6 * (size_t) row + c] = DS_S(total)(b->virial[c], first, last);
}

/* Rare: find a pair that was out of range, by the size of its force. */
static void DS_S(name_fault)(const ds_sweep *s, const ds_frame *f, const DS_S(ds_batch) * b,
                             ds_sweep_fault *fault)
{
  const DS_COORD *x = s->position;
  const DS_REAL *v = s->velocity;
  const ds_dpd_params *params = s->params;
  for (int k = 0; k < b->n && !fault->found; k++) {
    const size_t i = b->i[k], j = b->j[k] & DS_INDEX_MASK;
    const uint32_t code = b->j[k] >> DS_INDEX_BITS;
    DS_R(ds_dpd_pair) p;
    DS_S(load_pair)(f, x, v, i, j, &p);
    const DS_R(ds_dpd_coeff) *c =
        DS_COEFF(params) + (size_t) x[4 * i + 3] * (size_t) params->ntypes + (size_t) x[4 * j + 3];
    const DS_R(ds_dpd_term) t = DS_R(ds_dpd_term_of)(
        c, &p, DS_NOISE(DS_SIGNATURE(v[4 * i + 3]), DS_SIGNATURE(v[4 * j + 3])),
        DS_SPECIAL(params)[code], DS_SPECIAL_ROOT(params)[code], params->general_power,
        DS_SCALE_F(params), DS_SCALE_E(params));
    if (DS_IN_RANGE(t.fx) & DS_IN_RANGE(t.fy) & DS_IN_RANGE(t.fz)) continue;
    fault->found = 1;
    fault->i = (uint32_t) i;
    fault->j = (uint32_t) j;
    fault->force = sqrt((double) t.fx * t.fx + (double) t.fy * t.fy + (double) t.fz * t.fz) /
                   params->scales.force;
  }
}

/* A row longer than a batch (a dense cluster) is summed in parts. */
static void DS_S(sweep_long_row)(const ds_sweep *s, const ds_frame *f, int row, DS_S(ds_batch) * b,
                                 ds_sweep_fault *fault)
{
  int64_t sum[10] = {0};
  int64_t part[10];
  ds_sweep one = *s;
  int32_t count = 0;
  const int total = s->count[row];
  const size_t r = (size_t) row;
  for (int first = 0; first < total; first += DS_BATCH - DS_TILE) {
    count = total - first < DS_BATCH - DS_TILE ? total - first : DS_BATCH - DS_TILE;
    one.row_slot = s->row_slot + row;
    one.count = &count;
    one.entries = s->entries + r * s->capacity + first;
    one.force = part;
    one.energy = part + 3;
    one.virial = part + 4;
    b->n = 0;
    DS_S(collect_variant)(&one, f, 0, b);
    if (!DS_S(evaluate_variant)(&one, f, b)) DS_S(name_fault)(&one, f, b, fault);
    DS_S(store)(&one, b, 0, 0, b->n);
    for (int c = 0; c < 10; c++) sum[c] += c < 3 || s->tally ? part[c] : 0;
  }
  for (int c = 0; c < 3; c++) s->force[3 * r + c] = sum[c];
  if (!s->tally) return;
  s->energy[r] = sum[3];
  for (int c = 0; c < 6; c++) s->virial[6 * r + c] = sum[4 + c];
}

void DS_SWEEP_NAME(const ds_sweep *s, int first, int last, ds_sweep_fault *fault)
{
  const ds_frame frame = *s->frame;
  DS_S(ds_batch) b;
  int begin[DS_BATCH_ROWS + 1];
  for (int row = first; row < last;) {
    int rows = 0;
    b.n = 0;
    while (row + rows < last && rows < DS_BATCH_ROWS &&
           b.n + s->count[row + rows] + DS_TILE <= DS_BATCH) {
      begin[rows] = b.n;
      DS_S(collect_variant)(s, &frame, row + rows, &b);
      rows++;
    }
    if (rows == 0) {
      DS_S(sweep_long_row)(s, &frame, row++, &b, fault);
      continue;
    }
    begin[rows] = b.n;
    if (!DS_S(evaluate_variant)(s, &frame, &b)) DS_S(name_fault)(s, &frame, &b, fault);
    for (int k = 0; k < rows; k++) DS_S(store)(s, &b, row + k, begin[k], begin[k + 1]);
    row += rows;
  }
}
