#!/usr/bin/env python3
# Runs in.fluid with pair_style dpd/exact/gpu and with the dpd of LAMMPS, compares the two and plots them.
# SPDX-License-Identifier: GPL-2.0-or-later
"""DPD fluid: pair_style dpd/exact/gpu beside LAMMPS's own pair_style dpd.

Both styles run the same input for the same time. The run is cut into blocks of 10 time units, far
longer than any correlation time of the fluid (below 1), so the block means are independent and their
scatter gives the standard error of every number. Criteria:

  T          within 1 % of kT, both styles
  P, D       difference of the styles below 3 standard errors
  g(r)       largest difference in any bin, in its standard errors, below the bound that all bins
             together exceed by chance as rarely as one number exceeds 3 standard errors (Bonferroni;
             Student's t, because a standard error from few blocks is itself uncertain)

The exit code is 0 if all hold and 1 if not."""

import argparse
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))
from plots import Verdict, execute, mean_error, number, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

KT = 1.0
DT = 0.01
FIT_FROM = 2.0  # MSD is fitted from here on: the ballistic part is over after some 0.5 time units
STYLES = {"dpd/exact/gpu": "fluid-dpd-gpu", "dpd": "fluid-dpd"}


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--lmp", default="lmp", help="LAMMPS executable that knows dpd/exact/gpu (default: %(default)s)")
    p.add_argument("--mpiexec", default="mpiexec", help="MPI launcher (default: %(default)s)")
    p.add_argument("--ranks", type=number(int, 1), default=1, help="MPI ranks of each run (default: %(default)s)")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder for what is written")
    p.add_argument("--blocks", type=number(int, 10), default=20, help="blocks of 1000 steps; standard errors come from the "
                   "scatter of 10 or more (default: %(default)s)")
    p.add_argument("--options", default="", help='further words for dpd/exact/gpu, e.g. "precision double"')
    p.add_argument("--no-run", action="store_true", help="only analyse what an earlier run wrote")
    return p.parse_args()


def start(args, style, name):
    """Start in.fluid with one style; its output goes to log.<name> and to <name>.*.dat in args.out."""
    command = [args.mpiexec, "-n", str(args.ranks)] if args.ranks > 1 else []
    command += [args.lmp, "-in", str(HERE / "in.fluid"), "-log", f"log.{name}", "-screen", "none",
                "-var", "style", style, "-var", "blocks", str(args.blocks), "-var", "name", name]
    if style == "dpd/exact/gpu" and args.options:
        command += ["-var", "options", args.options]
    print(f"pair_style {style}: {2 + args.blocks} x 1000 steps of 3000 particles, ranks: {args.ranks}", flush=True)
    try:
        return subprocess.Popen(command, cwd=args.out, stdin=subprocess.DEVNULL,
                                env={"OMP_NUM_THREADS": "1", **os.environ}, start_new_session=True)
    except OSError as error:
        sys.exit(f"run.py: cannot start {command[0]}: {error.strerror}")


def finish(args, style, name, run):
    if run.wait() == 0:
        return
    log = args.out / f"log.{name}"
    lines = log.read_text().splitlines() if log.exists() else []
    sys.exit("\n".join(lines[-5:] + [f"run.py: LAMMPS failed with pair_style {style}: " + " ".join(run.args)]))


def simulate(args):
    """Run both styles, at once if there are cores for both: the result is the same."""
    begin = time.monotonic()
    at_once = 2 * args.ranks <= len(os.sched_getaffinity(0))
    running = []
    try:
        for style, name in STYLES.items():
            running.append((style, name, start(args, style, name)))
            if not at_once:
                finish(args, *running[-1])
        for run in running:
            finish(args, *run)
    finally:
        for *_, run in running:
            if run.poll() is None:  # the other one failed, or the user broke off; lmp may be a launcher
                os.killpg(run.pid, signal.SIGTERM)
    print(f"both runs took {time.monotonic() - begin:.0f} s")
    for line in (args.out / f"log.{STYLES['dpd/exact/gpu']}").read_text().splitlines():
        if line.startswith(("Pair dpd/gpu:", "  no GPU is used")):
            print(line)
    print()


def student_quantile(p, dof):
    """Quantile of Student's t from that of the normal distribution (Abramowitz & Stegun 26.7.5)."""
    z = statistics.NormalDist().inv_cdf(p)
    return (z + (z**3 + z) / (4 * dof) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * dof**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * dof**3))


class Fluid:
    """What one run measured: block values of T, P, D, g(r) and MSD(t)."""

    def __init__(self, out, name):
        self.T, self.P = read_table(out / f"{name}.state.dat")[1:]
        gr = read_blocks(out / f"{name}.rdf.dat")[1]
        self.r, self.g = gr[0, :, 1], gr[:, :, 2]
        # rows of the MSD file: one at the start, then those of each block, whose last is the block's end
        msd = read_table(out / f"{name}.msd.dat")[1, 1:].reshape(len(self.T), -1)
        self.t = DT * 1000 / msd.shape[1] * np.arange(1, msd.shape[1] + 1)
        self.msd = msd
        late = self.t >= FIT_FROM
        self.D = np.array([np.polyfit(self.t[late], block[late], 1)[0] / 6 for block in msd])


def rdf_deviation(gpu, ref):
    """Difference of the two g(r) in standard errors, and which bins it is for (those with pairs in them)."""
    (a, ea), (b, eb) = mean_error(gpu.g), mean_error(ref.g)
    error = np.hypot(ea, eb)
    filled = error > 0
    return (a[filled] - b[filled]) / error[filled], filled


def compare(runs):
    """Prints the table; returns the verdict."""
    gpu, ref = runs["dpd/exact/gpu"], runs["dpd"]
    verdict = Verdict()
    print(f"{'':22}{'dpd/exact/gpu':>20}{'dpd':>20}{'difference':>22}")
    for label, key in (("temperature T", "T"), ("pressure P", "P"), ("self-diffusion D", "D")):
        (a, ea), (b, eb) = mean_error(getattr(gpu, key)), mean_error(getattr(ref, key))
        deviation = (a - b) / math.hypot(ea, eb)
        line = f"{label:22}{a:11.4f} +- {ea:.4f}{b:11.4f} +- {eb:.4f}{deviation:+9.2f} standard errors"
        if key == "T":
            print(line)
        else:
            verdict(line + "   < 3", abs(deviation) < 3)
    for style, run in runs.items():
        off = run.T.mean() / KT - 1
        verdict(f"  T of {style:13} is off kT by {100 * off:+.2f} %   < 1 %", abs(off) < 0.01)

    z, filled = rdf_deviation(gpu, ref)
    chance = 2 * (1 - statistics.NormalDist().cdf(3))
    bound = student_quantile(1 - chance / (2 * len(z)), len(gpu.T) + len(ref.T) - 2)
    worst = np.argmax(abs(z))
    verdict(f"  g(r): largest difference {abs(z[worst]):.2f} standard errors, at r = {gpu.r[filled][worst]:.3f}"
            f" (mean square {np.mean(z**2):.2f})   < {bound:.2f} ({len(z)} bins)", abs(z[worst]) < bound)
    return verdict


def plot(runs):
    fig, ((rdf, msd), (temp, pres)) = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    look = {"dpd/exact/gpu": dict(color="C0", marker="o", ms=4, lw=0), "dpd": dict(color="C1", lw=1.5)}
    for style in ("dpd", "dpd/exact/gpu"):
        run, kw = runs[style], look[style]
        g, eg = mean_error(run.g)
        m, em = mean_error(run.msd)
        D, eD = mean_error(run.D)
        if style == "dpd":
            rdf.plot(run.r, g, label=style, **kw)
            msd.plot(run.t, m, label=f"{style}: D = {D:.4f} ± {eD:.4f}", **kw)
        else:
            rdf.errorbar(run.r, g, eg, label=style, elinewidth=1, **kw)
            msd.errorbar(run.t, m, em, label=f"{style}: D = {D:.4f} ± {eD:.4f}", elinewidth=1, **kw)
        x = DT * 1000 * (np.arange(len(run.T)) + 0.5)
        for axis, values in ((temp, run.T), (pres, run.P)):
            v, ev = mean_error(values)
            axis.plot(x, values, color=kw["color"], marker="o", ms=4, lw=0.8, label=f"{style}: {v:.4f} ± {ev:.4f}")
            axis.axhspan(v - ev, v + ev, color=kw["color"], alpha=0.2, lw=0)
    z, filled = rdf_deviation(runs["dpd/exact/gpu"], runs["dpd"])
    below = rdf.inset_axes((0.45, 0.12, 0.52, 0.28))
    below.bar(runs["dpd"].r[filled], z, width=runs["dpd"].r[1] - runs["dpd"].r[0], color="C0")
    below.set(xlim=(0, 2), ylim=(-5, 5), yticks=(-3, 0, 3))
    below.set_title("difference in standard errors", fontsize=9)
    below.tick_params(labelsize=8)
    below.grid(alpha=0.3)
    temp.axhline(KT, color="k", lw=0.8)
    for y in (0.99 * KT, 1.01 * KT):
        temp.axhline(y, color="k", lw=0.8, ls=":")
    temp.set_ylim(0.98 * KT, 1.02 * KT)
    rdf.set(title="radial distribution function", xlabel="r", ylabel="g(r)", xlim=(0, 2))
    msd.set(title="mean square displacement", xlabel="t", ylabel="MSD(t)", xlim=(0, None), ylim=(0, None))
    temp.set(title="temperature of each block (dotted: ±1 %)", xlabel="t", ylabel="T")
    pres.set(title="pressure of each block", xlabel="t", ylabel="P")
    pres.margins(y=0.35)
    for axis, place in ((rdf, "upper left"), (msd, "upper left"), (temp, "upper right"), (pres, "lower right")):
        axis.legend(loc=place)
    fig.suptitle("DPD fluid: ρ = 3, a = 25, γ = 4.5, kT = 1, 3000 particles (bands: ± one standard error)")
    return fig


def main():
    args = arguments()
    if not args.no_run:
        args.out.mkdir(parents=True, exist_ok=True)
        simulate(args)
    runs = {style: Fluid(args.out, name) for style, name in STYLES.items()}
    return compare(runs).end(plot(runs), args.out / "fluid.png")


if __name__ == "__main__":
    execute(main)
