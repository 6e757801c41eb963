/* system.h: boxes of atoms for the engine's tests, in plain double precision.
   SPDX-License-Identifier: GPL-2.0-or-later

   A test_system is what one process has: its own atoms and ghosts. Nothing here knows the engine's
   integers or its backends; the same systems serve host and GPU. Memory is not checked for: a test
   that runs out of it stops. */
#ifndef DPDSOP_TEST_SYSTEM_H
#define DPDSOP_TEST_SYSTEM_H

#include "dpdsop/dpd.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ds_box box;
  double range; /* ghosts are wanted this far outside the subdomain: cutoff + skin, length */
  int nlocal, nghost, room;
  double *x, *v; /* 3 an atom; of a ghost: those of the atom that it is an image of */
  int *image;    /* 3 an atom: whole box edges from x to the image; own atoms: 0 */
  int *origin;   /* which atom a ghost is an image of: own atom of the one process; where there are
                        several (ranks.h), atom of the whole system, and so for own atoms */
  int64_t *tag;
  int32_t *type;     /* 1-based */
  int max_special;   /* 0: no special partners */
  int32_t *nspecial; /* 3 an own atom, cumulative */
  int64_t *special;  /* max_special an own atom */
  int nexclusions;
  const ds_exclusion *exclusion; /* the caller's */
  int32_t *mask;                 /* 1 an atom; 0 where not set */
  int64_t *molecule;
} test_system;

/* The same atoms as one process has them that needs no ghosts: a view, not to be closed. Nothing of it but the box
   may be changed. */
test_system system_alone(const test_system *s);

/* An empty box with lower corner lo and edges h (as in ds_box); range and skin are lengths. */
void system_open(test_system *s, const double lo[3], const double h[6], const int periodic[3],
                 double range, double skin);
void system_close(test_system *s);

/* One own atom more, tag and number in the order of the calls; returns its number. */
int system_add(test_system *s, const double x[3], const double v[3], int type);

/* Charges go by tags: so all processes agree on them. */
#define TEST_LARGEST_CHARGE 2.0
double system_charge(int64_t tag);

/* n atoms at random in the box, or in a ball, types 1 .. ntypes at random, velocities normal with
   deviation `thermal`. */
void system_fill(test_system *s, int n, int ntypes, double thermal, uint64_t *seed);
void system_ball(test_system *s, int n, const double center[3], double radius, int ntypes,
                 double thermal, uint64_t *seed);

/* Own atoms back into the box along periodic edges. */
void system_wrap(test_system *s);

/* Own atoms to the nearest multiples of a power of two: in a box whose edges are powers of two and
   that begins at zero, no coordinate is then ever rounded. */
void system_snap(test_system *s, double grain);

/* Make the ghosts anew: all images within range of the subdomain. */
void system_images(test_system *s);

/* Own atoms are linear chains of `length` consecutive atoms: 1-2, 1-3 and 1-4 partners. */
void system_chains(test_system *s, int length);

/* The same atoms in an order of chance, ghosts included. */
void system_shuffle(test_system *to, const test_system *from, uint64_t *seed);

/* Own atoms in some of the groups 1, 2, 4 and 8, and in molecules of `size` consecutive atoms. */
void system_groups(test_system *s, int size, uint64_t *seed);

/* Add `offset` to every tag. */
void system_shift_tags(test_system *s, int64_t offset);

/* Room for n atoms altogether. */
void system_reserve(test_system *s, int n);

/* Fractional coordinates of atom k, its image counted; position in length units. */
void system_fraction(const test_system *s, int k, double lambda[3]);
void system_place(const test_system *s, int k, double x[3]);

/* r_i - r_k for own atom i and any atom k, from owners' coordinates, as accurate as double
   allows. In a view without ghosts, from the image of k whose fractional distance is least: the nearest
   one wherever that is closer than half the box is wide. */
void system_separation(const test_system *s, int i, int k, double d[3]);

/* What is to be added to the velocity of k where it is the image that i sees, as images move with the box. */
void system_image_velocity(const test_system *s, int i, int k, double w[3]);

/* Length of the shortest sum of whole periodic edges (infinite: none), as long as it has no more than 12 of an edge. */
double system_shortest_period(const test_system *s);

/* Whole boxes between the nearest image of k and the image that i sees, along each periodic axis. */
void system_image_number(const test_system *s, int i, int k, int number[3]);

/* Special code (0-3) of atom k for own atom i: by tag, and only for the image less than half a
   periodic box away. */
int system_special_code(const test_system *s, int i, int k);

/* Whether the rules leave the pair out. */
int system_excluded(const test_system *s, int i, int k);

/* Distance of opposite faces of the box. */
void system_widths(const ds_box *box, double width[3]);

/* Normal deviate by the polar method on check.h's generator. */
double random_normal(uint64_t *seed);

/* malloc that stops the test where there is no memory; never NULL. */
void *test_alloc(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
