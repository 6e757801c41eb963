/* The objects of the pair styles.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "style.h"

#include <math.h>

static const char ds_dpd_name[] = "dpd", ds_dpd_ext_name[] = "dpd/ext", ds_dpd_tstat_name[] = "dpd/tstat",
                  ds_lj_cut_name[] = "lj/cut", ds_coul_slater_name[] = "coul/slater/long", ds_mdpd_name[] = "mdpd";

static const ds_coefficient ds_dpd_coefficients[] = {
    {"A", DS_COEFF_FINITE}, {"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}};

static const ds_coefficient ds_dpd_ext_coefficients[] = {{"A", DS_COEFF_FINITE},
                                                         {"gamma", DS_COEFF_FRICTION},
                                                         {"gamma_across", DS_COEFF_FRICTION},
                                                         {"s", DS_COEFF_EXPONENT},
                                                         {"s_across", DS_COEFF_EXPONENT}};

static const ds_coefficient ds_dpd_tstat_coefficients[] = {{"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}};

static const ds_coefficient ds_lj_cut_coefficients[] = {
    {"epsilon", DS_COEFF_FINITE}, {"sigma", DS_COEFF_LENGTH}, {"shift", DS_COEFF_FINITE}};

static const ds_coefficient ds_coul_slater_coefficients[] = {{"scale", DS_COEFF_FINITE},
                                                             {"strength", DS_COEFF_FINITE},
                                                             {"lamda", DS_COEFF_POSITIVE},
                                                             {"g_ewald", DS_COEFF_POSITIVE},
                                                             {"largest charge", DS_COEFF_LENGTH}};
static const ds_coefficient ds_mdpd_coefficients[] = {{"A", DS_COEFF_FINITE},
                                                      {"B", DS_COEFF_FINITE},
                                                      {"gamma", DS_COEFF_FRICTION},
                                                      {"cutoff_d", DS_COEFF_RANGE},
                                                      {"rho_cutoff", DS_COEFF_RANGE},
                                                      {"mass", DS_COEFF_MASS}};

#define DS_FOR_STYLE "../styles/style_object.h" /* from the folder of the public headers */
#include "each_style.h"

/* Integrals of 2 pi r^2 E and of -(2/3) pi r^3 dE/dr from the cutoff on. */
void ds_lj_cut_tail(double epsilon, double sigma, double cutoff, double *energy, double *pressure)
{
  const double pi = 3.14159265358979323846, s3 = pow(sigma, 3.0), x3 = pow(sigma / cutoff, 3.0), x9 = x3 * x3 * x3;
  *energy = 8.0 * pi * epsilon * s3 * (x9 / 9.0 - x3 / 3.0);
  *pressure = 16.0 * pi * epsilon * s3 * (2.0 * x9 / 9.0 - x3 / 3.0);
}

int ds_pair_style_reads_charges(const ds_pair_style *style)
{
  return style->charged;
}

/* Of the virial's integral 2 pi/3 n^2 r^3 F over r, with F = a (1 - r/cutoff) + 2 b rho (1 - r/cutoff_d) and rho = mass n. */
double ds_mdpd_pressure_slope(double kT, double density, double mass, double a, double b, double cutoff, double cutoff_d)
{
  const double pi = 3.14159265358979323846;
  return kT + pi / 15.0 * a * pow(cutoff, 4.0) * density + pi / 5.0 * b * mass * pow(cutoff_d, 4.0) * density * density;
}
