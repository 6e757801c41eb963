#!/usr/bin/env python3
# Compares a run in one piece with interrupted ones, on 1 and 4 ranks, byte for byte; and runs an ensemble of seeds.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exact restart, and an ensemble of seeds.

Criteria: all dumps of in.restart at steps 1500 and 2000 are the same to the byte, and those of another seed are
not; the mean pressure of the eight runs of in.ensemble, which differ in their seeds only, is within 4 standard
errors of that of example dpd/fluid. The exit code is 0 if they hold and 1 if not."""

import argparse
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))
from plots import Verdict, execute, mean_error, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

FLUID, FLUID_ERROR = 23.685, 0.005  # pressure in example dpd/fluid
# ranks of the run in one piece, or of both parts of an interrupted one
RUNS = {"one piece, 1 rank": (1,), "one piece, 4 ranks": (4,), "two parts, 1 rank": (1, 1),
        "two parts, 4 ranks and 1": (4, 1), "two parts, 1 rank and 4": (1, 4)}
PLOTTED = {"one piece, 1 rank": "C0-", "two parts, 4 ranks and 1": "C1o", "two parts, 1 rank and 4": "C2x"}
RESTART = 1000  # step
# more ranks than cores are normal here: those that wait should not spin
PATIENT = {"OMP_NUM_THREADS": "1", "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
           "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "3"}


def lammps(args, folder, script, ranks, *words):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / script, folder)
    command = [args.mpiexec, "-n", str(ranks)] if ranks > 1 else []
    command += [args.lmp, "-in", script, *words]
    done = subprocess.run(command, cwd=folder, env={**PATIENT, **os.environ}, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{done.stdout[-1500:]}\nrun.py: LAMMPS failed: {' '.join(command)}")


def dump_of(args, name, ranks):
    """Runs in.restart in one piece or in two, and returns the path of the last dump."""
    folder = args.out / name.replace(",", "").replace(" ", "-")
    for part, n in zip(("whole",) if len(ranks) == 1 else ("first", "second"), ranks):
        lammps(args, folder, "in.restart", n, "-var", "part", part, "-log", f"log.{part}")
    return folder / f"restart.{part}.dump"


def thermo(log):
    """Steps and potential energies of a run, from its log, without those of the random start."""
    rows = log.read_text().split("PotEng")[-1].split("Loop time")[0].splitlines()[1:]
    step, _, _, energy = np.array([line.split() for line in rows], dtype=float).T
    return step[step > 0], energy[step > 0]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--lmp", default="lmp", help="LAMMPS executable that knows dpd/exact/gpu (default: %(default)s)")
    p.add_argument("--mpiexec", default="mpiexec", help="MPI launcher (default: %(default)s)")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results"), help="folder for what is written")
    args = p.parse_args()

    verdict = Verdict()
    dumps = {name: dump_of(args, name, ranks) for name, ranks in RUNS.items()}
    first = dumps["one piece, 1 rank"]
    for name, dump in dumps.items():
        if dump != first:
            verdict(f"{name}: {dump.stat().st_size} bytes, the same as in one piece on 1 rank",
                    filecmp.cmp(first, dump, shallow=False))
    lammps(args, args.out / "other-seed", "in.restart", 1, "-var", "seed", "34388")
    verdict("another seed: other bytes",
            not filecmp.cmp(first, args.out / "other-seed" / "restart.whole.dump", shallow=False))

    lammps(args, args.out, "in.ensemble", 1)
    seed, T, P = read_table(args.out / "ensemble.dat")
    (p_mean, p_error), (t_mean, t_error) = mean_error(P), mean_error(T)
    print(f"{len(P)} seeds: temperature {t_mean:.4f} +- {t_error:.4f}")
    verdict(f"pressure {p_mean:.3f} +- {p_error:.3f}, {FLUID} +- {FLUID_ERROR} in dpd/fluid   within 4 standard errors",
            abs(p_mean - FLUID) < 4 * np.hypot(p_error, FLUID_ERROR))

    fig, (left, axis) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for name, style in PLOTTED.items():
        for log in sorted(dumps[name].parent.glob("log.*")):
            left.plot(*thermo(log), style, label=name if log.name != "log.second" else None, ms=4)
    left.axvline(RESTART, color="k", lw=0.8, ls=":", label="restart")
    left.set(title="one fluid, whole and in two parts", xlabel="step", ylabel="potential energy of a particle")
    left.legend()
    axis.plot(range(1, len(P) + 1), P, "o", label="one seed")
    axis.axhspan(p_mean - p_error, p_mean + p_error, alpha=0.3, label="mean and its standard error")
    axis.axhline(FLUID, color="k", lw=0.8, ls=":", label="dpd/fluid")
    axis.set(title="an ensemble", xlabel="seed", ylabel="pressure")
    axis.legend()
    return verdict.end(fig, args.out / "ensemble.png")


if __name__ == "__main__":
    execute(main)
