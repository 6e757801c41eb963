/* Pair styles, for ds_pair_options.style, and the coefficients of their models.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_H
#define DPDSOP_DPD_H

#include "dpdsop/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tang & Karniadakis 2014, eqs. 3-9: A (force), gamma (force/velocity, >= 0), exponent s (0 < s <= 100). */
extern const ds_pair_style ds_style_dpd;
enum { DS_DPD_A = 0, DS_DPD_GAMMA, DS_DPD_POWER };

/* With a transverse thermostat (Junghans, Praprotnik & Kremer 2008): gamma and s along the line of centers, and
   across it. */
extern const ds_pair_style ds_style_dpd_ext;
enum { DS_EXT_A = 0, DS_EXT_GAMMA, DS_EXT_GAMMA_ACROSS, DS_EXT_POWER, DS_EXT_POWER_ACROSS };

/* The thermostat alone, no conservative force. */
extern const ds_pair_style ds_style_dpd_tstat;
enum { DS_TSTAT_GAMMA = 0, DS_TSTAT_POWER };

/* Lennard-Jones with a cutoff: epsilon (energy), sigma (length, >= 0), and shift: 1 where the energy is shifted to 0 at the
   cutoff, else 0. Neither temperature nor seed is used. */
extern const ds_pair_style ds_style_lj_cut;
enum { DS_LJ_EPSILON = 0, DS_LJ_SIGMA, DS_LJ_SHIFT };

/* Many-body DPD (Warren 2003): A (force) of the weight 1 - r/cutoff; B (force/density) of the weight 1 - r/cutoff_d times the
   sum of both densities; gamma; cutoff_d and rho_cutoff, the range of the density's weight (length, 0 to the cutoff); mass of
   the second of the two types, the only coefficient that need not be symmetric. With noise; densities of ghosts that come by
   messages are messages, too: ds_pair_make_densities. */
extern const ds_pair_style ds_style_mdpd;
enum { DS_MDPD_A = 0, DS_MDPD_B, DS_MDPD_GAMMA, DS_MDPD_CUTOFF_D, DS_MDPD_RHO_CUTOFF, DS_MDPD_MASS };

/* Slope of the pressure with the number density (energy) of a uniform fluid without correlations: where it is not > 0 such a
   fluid is not stable. */
double ds_mdpd_pressure_slope(double kT, double density, double mass, double a, double b, double cutoff, double cutoff_d);

/* What pairs beyond the cutoff add in a fluid that is uniform there (Allen & Tildesley, Computer Simulation of Liquids, 2.8):
   for n_i and n_j atoms of two types in a volume V, n_i n_j energy / V to the energy and n_i n_j pressure / V^2 to the
   pressure. Where the types differ, i j and j i both count. */
void ds_lj_cut_tail(double epsilon, double sigma, double cutoff, double *energy, double *pressure);

/* Part in real space of the Coulomb force between charges that are smeared out by Slater functions exp(-2 r / lamda)
   (Gonzalez-Melchor, Mayoral, Velazquez & Alejandre, J. Chem. Phys. 125, 224107 (2006)); the other part is a sum over wave
   vectors with the screening parameter g_ewald, which is the caller's. strength: energy times length by charges squared, of two
   unit charges; scale: a factor of it by pairs of types; lamda (length) and g_ewald (1/length) > 0; the largest charge of any
   atom, which forces are expected from. The special factors of its model are those of charges: what they leave out is left out
   of the whole Coulomb force. Neither temperature nor seed is used. */
extern const ds_pair_style ds_style_coul_slater;
enum { DS_COUL_SCALE = 0, DS_COUL_STRENGTH, DS_COUL_LAMDA, DS_COUL_EWALD, DS_COUL_LARGEST };

/* 1: the style reads the charges of atoms (ds_pair_set_charges). */
int ds_pair_style_reads_charges(const ds_pair_style *style);

#ifdef __cplusplus
}
#endif
#endif
