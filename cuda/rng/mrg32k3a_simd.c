/* MRG32k3a on the host, many places of the sequence at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mrg32k3a_state.h"

enum { LANES = DS_MRG32K3A_LANES, STEPS = 16 };

/* The residues of the last three words, and of the STEPS words after them. */
typedef struct {
  double x[STEPS + 3][LANES], y[STEPS + 3][LANES];
} history;

static void begin(history *restrict h, uint32_t (*restrict lanes)[LANES])
{
  for (int k = 0; k < 3; k++) {
    DS_VECTOR_LOOP
    for (int l = 0; l < LANES; l++) {
      h->x[k][l] = ds_mrg32k3a_centre(lanes[k][l], DS_MRG32K3A_HALF1);
      h->y[k][l] = ds_mrg32k3a_centre(lanes[3 + k][l], DS_MRG32K3A_HALF2);
    }
  }
}

/* Words of `steps` steps to w, and the last three residues to the front. */
static void advance(history *restrict h, int steps, uint32_t (*restrict w)[LANES])
{
  for (int s = 0; s < steps; s++) {
    DS_VECTOR_LOOP
    for (int l = 0; l < LANES; l++) {
      const double x = ds_mrg32k3a_x(h->x[s + 1][l], h->x[s][l]);
      const double y = ds_mrg32k3a_y(h->y[s + 2][l], h->y[s][l]);
      h->x[s + 3][l] = x;
      h->y[s + 3][l] = y;
      w[s][l] = ds_mrg32k3a_word(x, y);
    }
  }
  memmove(h->x[0], h->x[steps], sizeof h->x[0] * 3);
  memmove(h->y[0], h->y[steps], sizeof h->y[0] * 3);
}

/* The lanes are where the history ends, moved on by a matrix. */
static void end(const history *restrict h, const ds_mrg32k3a_matrix *jump, uint32_t (*restrict lanes)[LANES])
{
  const ds_mrg32k3a_matrix a = *jump;
  DS_VECTOR_LOOP
  for (int l = 0; l < LANES; l++) {
    uint32_t s[6];
    for (int k = 0; k < 3; k++) {
      s[k] = ds_mrg32k3a_residue(h->x[k][l], DS_MRG32K3A_HALF1);
      s[3 + k] = ds_mrg32k3a_residue(h->y[k][l], DS_MRG32K3A_HALF2);
    }
    ds_mrg32k3a_apply(&a, s);
    for (int k = 0; k < 6; k++) lanes[k][l] = s[k];
  }
}

void DS_KERNEL(ds_mrg32k3a_lanes)(uint32_t lanes[6][LANES], const ds_mrg32k3a_matrix *jump, int run, uint32_t *out)
{
  history h;
  uint32_t w[STEPS][LANES];
  begin(&h, lanes);
  for (int s = 0; s < run; s += STEPS) {
    const int steps = run - s < STEPS ? run - s : STEPS;
    advance(&h, steps, w);
    for (int l = 0; l < LANES; l++)
      for (int c = 0; c < steps; c++) out[l * run + s + c] = w[c][l];
  }
  end(&h, jump, lanes);
}

void DS_KERNEL(ds_mrg32k3a_row)(uint32_t state[6], int n, uint32_t *out)
{
  ds_mrg32k3a g;
  ds_mrg32k3a_set(&g, state);
  for (int k = 0; k < n; k++) out[k] = ds_mrg32k3a_next(&g);
  ds_mrg32k3a_get(&g, state);
}
