# A short DPD run for the tests of installation.
# SPDX-License-Identifier: GPL-2.0-or-later
INPUT = """\
units lj
atom_style atomic
comm_modify vel yes
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 random 375 4711 NULL
mass 1 1.0
velocity all create 1.0 815
pair_style dpd/gpu 1.0 1.0 34387
pair_coeff 1 1 25.0 4.5
neighbor 0.3 bin
fix 1 all nve
timestep 0.01
thermo 10
run 20
"""


def finished(output):
    """Whether LAMMPS got to the end of that input."""
    return "for 20 steps with 375 atoms" in output and "Total wall time" in output
