#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
export DPDSOP_PLUGIN_PATH_BEFORE="${LAMMPS_PLUGIN_PATH:-}"
export LAMMPS_PLUGIN_PATH="$CONDA_PREFIX/lib/lammps/plugins${LAMMPS_PLUGIN_PATH:+:$LAMMPS_PLUGIN_PATH}"
