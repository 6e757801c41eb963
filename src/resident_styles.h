/* -*- c++ -*- Styles of LAMMPS that run_style verlet/gpu knows by name.
   SPDX-License-Identifier: GPL-2.0-or-later

   A style is named here if that spares work, because it reads only atoms of its own process, or changes nothing. A style
   that is not named is assumed to do both, so that it always finds what it needs. */

#ifndef LMP_DPDSOP_RESIDENT_STYLES_H
#define LMP_DPDSOP_RESIDENT_STYLES_H

#include <algorithm>
#include <cstring>

namespace LAMMPS_NS {
namespace ResidentStyles {

// end_of_step() of these fixes changes no atoms, and needs ghosts only for computes

constexpr const char *const OBSERVERS[] = {
    "ave/time",      "ave/chunk",          "ave/atom", "ave/histo", "ave/histo/weight",
    "ave/correlate", "ave/correlate/long", "print",    "vector",    "halt",
    "ave/chunk/gpu", "ave/chunk/exact/gpu"};

// In the midst of a step, these fixes work only in multiples of their nevery; 0: never. They change values of styles and of
// atoms, and read no ghosts

constexpr const char *const SELDOM_IN_STEP[] = {"adapt"};

// These fixes read only atoms of their own process

constexpr const char *const OWN_ATOMS_FIXES[] = {"adapt",
                                                 "nve",
                                                 "nve/limit",
                                                 "nve/noforce",
                                                 "nvt",
                                                 "npt",
                                                 "nph",
                                                 "langevin",
                                                 "addforce",
                                                 "aveforce",
                                                 "setforce",
                                                 "gravity",
                                                 "drag",
                                                 "efield",
                                                 "lineforce",
                                                 "planeforce",
                                                 "momentum",
                                                 "recenter",
                                                 "temp/rescale",
                                                 "temp/berendsen",
                                                 "temp/csvr",
                                                 "temp/csld",
                                                 "spring",
                                                 "spring/self",
                                                 "spring/couple",
                                                 "wall/reflect",
                                                 "wall/lj93",
                                                 "wall/lj126",
                                                 "wall/lj1043",
                                                 "wall/harmonic",
                                                 "wall/morse",
                                                 "wall/colloid",
                                                 "wall/region",
                                                 "indent",
                                                 "smd",
                                                 "move",
                                                 "deform",
                                                 "dt/reset",
                                                 "press/berendsen",
                                                 "viscous",
                                                 "heat",
                                                 "oneway",
                                                 "store/force",
                                                 "ave/time",
                                                 "ave/chunk",
                                                 "ave/chunk/gpu",
                                                 "ave/chunk/exact/gpu",
                                                 "ave/atom",
                                                 "ave/histo",
                                                 "ave/histo/weight",
                                                 "ave/correlate",
                                                 "ave/correlate/long",
                                                 "print",
                                                 "vector",
                                                 "halt",
                                                 "store/state",
                                                 "STORE/ATOM",
                                                 "STORE/PERATOM",
                                                 "STORE/GLOBAL",
                                                 "STORE/LOCAL",
                                                 "GROUP",
                                                 "DPD_GPU/STATE",
                                                 "DPD_GPU/CENTERS"};

constexpr const char *const OWN_ATOMS_COMPUTES[] = {"temp",
                                                    "temp/partial",
                                                    "temp/com",
                                                    "temp/profile",
                                                    "temp/ramp",
                                                    "temp/region",
                                                    "temp/deform",
                                                    "temp/chunk",
                                                    "pressure",
                                                    "pe",
                                                    "ke",
                                                    "ke/atom",
                                                    "msd",
                                                    "msd/chunk",
                                                    "com",
                                                    "com/chunk",
                                                    "gyration",
                                                    "gyration/chunk",
                                                    "momentum",
                                                    "vacf",
                                                    "chunk/atom",
                                                    "property/atom",
                                                    "property/chunk",
                                                    "reduce",
                                                    "reduce/region",
                                                    "reduce/chunk",
                                                    "vcm/chunk",
                                                    "slice",
                                                    "displace/atom",
                                                    "pair",
                                                    "angmom/chunk",
                                                    "inertia/chunk",
                                                    "omega/chunk",
                                                    "torque/chunk",
                                                    "chunk/spread/atom"};

// These computes leave atoms as they are, to the last bit. Others may not: compute chunk/atom in reduced units converts
// positions to fractions of the box and back, and a temperature with a bias subtracts it from velocities and adds it again

constexpr const char *const OBSERVING_COMPUTES[] = {
    "temp",   "temp/partial",  "temp/region",  "pressure",      "pe",
    "ke",     "ke/atom",       "pe/atom",      "stress/atom",   "msd",
    "com",    "gyration",      "momentum",     "vacf",          "property/atom",
    "reduce", "reduce/region", "slice",        "displace/atom", "pair",
    "rdf",    "coord/atom",    "cluster/atom", "count/type",    "bond",
    "angle",  "group/group",   "pair/local",   "bond/local",    "property/local"};

// Dumps that read only atoms of their own process. The first ones write nothing but positions, the others what the command
// names. Dumps that are not named may look at ghosts, as dump image does for bonds

constexpr const char *const DUMPS_OF_PLACES[] = {"atom", "atom/gz", "atom/zstd", "xyz", "xyz/gz", "xyz/zstd", "dcd", "xtc"};

constexpr const char *const OWN_ATOMS_DUMPS[] = {
    "custom",     "custom/gz", "custom/zstd", "cfg",    "cfg/gz",        "cfg/zstd", "local",      "local/gz",
    "local/zstd", "yaml",      "extxyz",      "h5md",   "netcdf",        "netcdf/mpiio", "molfile", "atom/adios",
    "custom/adios"};

constexpr const char *const VELOCITY_COMPUTES[] = {"temp", "temp/partial", "pressure", "pe", "ke"};

// These computes read no atoms themselves

constexpr const char *const PLAIN_COMPUTES[] = {"pressure", "pe"};

// end_of_step() of these fixes reads values of computes and variables, and nothing else unless they are given values of atoms.
// Fix print is not one of them: its text may have formulas, and LAMMPS has no function that returns this text

constexpr const char *const READERS_OF_GLOBALS[] = {"ave/time", "ave/correlate", "ave/correlate/long", "vector", "halt"};

// Functions in formulas of variables that only read numbers

constexpr const char *const PLAIN_FUNCTIONS[] = {
    "sqrt", "exp", "ln", "log", "abs", "sign", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "ceil", "floor", "round", "ternary", "ramp", "stagger", "logfreq", "logfreq2", "logfreq3",
    "stride", "stride2", "vdisplace", "swiggle", "cwiggle", "is_active", "is_available", "is_defined",
    "is_file", "extract_setting"};

// Columns of the thermodynamic output that need at most the temperature of all atoms; then those that read velocities and
// masses

constexpr const char *const PLAIN_COLUMNS[] = {
    "Step",    "Elapsed", "Elaplong", "Dt",     "Time",   "CPU",     "T/CPU",
    "S/CPU",   "CPULeft", "Atoms",    "Temp",   "Press",  "PotEng",  "KinEng",
    "TotEng",  "Nbuild",  "Ndanger",  "E_vdwl", "E_coul", "E_pair",  "E_bond",
    "E_angle", "E_dihed", "E_impro",  "E_mol",  "E_long", "E_tail",  "Volume",
    "Lx",      "Ly",      "Lz",       "Xlo",    "Xhi",    "Ylo",     "Yhi",
    "Zlo",     "Zhi",     "Xy",       "Xz",     "Yz",     "Enthalpy"};

constexpr const char *const VELOCITY_COLUMNS[] = {"Density", "Pxx", "Pyy", "Pzz",
                                                  "Pxy",     "Pxz", "Pyz"};

template <int N> bool among(const char *const (&list)[N], const char *style)
{
  return std::any_of(list, list + N, [style](const char *s) { return strcmp(s, style) == 0; });
}

}    // namespace ResidentStyles
}    // namespace LAMMPS_NS

#endif
