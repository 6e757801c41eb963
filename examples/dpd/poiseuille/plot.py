#!/usr/bin/env python3
# Viscosity and its error from what in.poiseuille wrote, and a plot of the velocity profile.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Viscosity of a DPD fluid from periodic Poiseuille flow.

Two estimates from one run (README derives both):

  parabola          least-squares fit of rho g y (d - y) / (2 eta) to the mean profile
  momentum balance  what the body force puts in and does not stay in the flow, over the mean flow

Criteria: the fitted viscosity is known to 2 % or better, and differs from the published one, 2.09 +- 0.02,
by less than 3 of the two standard errors together. Fewer than 5 blocks have no error; then the viscosity must be within
20 % of the published one, and the temperature within 2 %. The exit code is 0 if both hold and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, arguments, execute, mean_error, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

RHO, G, D = 6.0, 0.055, 6.0  # density, body force on a particle, width of one flow
KT = 0.5
BLOCK = 10.0                 # time units of a block of in.poiseuille
PUBLISHED, PUBLISHED_ERROR = 2.09, 0.02  # Backer et al., J. Chem. Phys. 122, 154503 (2005)


def parabola(x):
    """Direction of the flow and mean of y (d - y) in each bin; the flows meet at x = 3 and x = 9."""
    sign = np.where((x > 3) & (x < 9), 1.0, -1.0)
    y = (x - 3) % D
    return sign, y * (D - y) - (x[1] - x[0])**2 / 12


def fit(x, v):
    """Amplitude A and offset of v = sign * A * y (d - y) + offset. The offset takes up that the two
    flows need not hold the same number of particles."""
    sign, w = parabola(x)
    return np.linalg.lstsq(np.column_stack((sign * w, np.ones_like(x))), v, rcond=None)[0]


def spread(length, tau):
    """Variance of the mean over that length of a signal of variance 1 and correlation exp(-t/tau)."""
    u = length / tau
    return 2 / u**2 * (u - 1 + math.exp(-u))


def from_parabola(x, number, velocity):
    v = (number * velocity).sum(axis=0) / number.sum(axis=0)
    amplitude, offset = fit(x, v)
    eta = RHO * G / (2 * amplitude)
    # The flow relaxes with tau = d^2 rho / (pi^2 eta), about the length of a block, so blocks are correlated.
    blocks = np.array([fit(x, b)[0] for b in velocity])
    tau = D**2 * RHO / (math.pi**2 * eta)
    variance = blocks.var(ddof=1) * spread(len(blocks) * BLOCK, tau) / spread(BLOCK, tau)
    return eta, eta * math.sqrt(variance) / amplitude, amplitude, offset


def from_balance(flow, mean_w, moment):
    put_in = G * mean_w * BLOCK - np.diff(moment)
    through = 2 * flow * BLOCK
    nu = put_in.sum() / through.sum()
    rest = put_in - nu * through
    n = len(rest)
    return RHO * nu, RHO * math.sqrt(n / (n - 1) * (rest**2).sum()) / through.sum()


def judge_short(x, number, velocity, T):
    eta = RHO * G / (2 * fit(x, (number * velocity).sum(axis=0) / number.sum(axis=0))[0])
    print(f"{len(T)} block(s): too few for errors and a plot (README)")
    verdict = Verdict()
    verdict(f"temperature across the flow {T.mean():.4f}   within 2 % of {KT}", abs(T.mean() / KT - 1) < 0.02)
    verdict(f"viscosity from the parabola {eta:.3f}   within 20 % of {PUBLISHED}", abs(eta / PUBLISHED - 1) < 0.2)
    return 0 if verdict.good else 1


def main():
    args = arguments(__doc__, "poiseuille")
    blocks = read_blocks(args.out / f"{args.name}.profile.dat")[1]
    x, number, velocity = blocks[0, :, 1], blocks[:, :, 2], blocks[:, :, 3]
    T, flow, mean_w = read_table(args.out / f"{args.name}.state.dat")[1:]
    moment = read_table(args.out / f"{args.name}.moment.dat")[1]
    if len(T) < 5:
        return judge_short(x, number, velocity, T)

    eta, error, amplitude, offset = from_parabola(x, number, velocity)
    eta2, error2 = from_balance(flow, mean_w, moment)
    deviation = (eta - PUBLISHED) / math.hypot(error, PUBLISHED_ERROR)
    verdict = Verdict()
    print("temperature across the flow      {:.4f} +- {:.4f}   (kT = {})".format(*mean_error(T), KT))
    verdict(f"viscosity from the parabola      {eta:.3f} +- {error:.3f}   < 2 %", error < 0.02 * eta)
    print(f"viscosity from momentum balance  {eta2:.3f} +- {error2:.3f}")
    verdict(f"published                        {PUBLISHED:.3f} +- {PUBLISHED_ERROR:.3f}   difference {deviation:+.1f}"
            " standard errors   < 3", abs(deviation) < 3)

    v, ev = mean_error(velocity)
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(8, 7), sharex=True, height_ratios=(3, 1), layout="constrained")
    fine = np.linspace(0, 2 * D, 481)
    sign, w = np.where((fine > 3) & (fine < 9), 1, -1), ((fine - 3) % D) * (D - (fine - 3) % D)
    top.plot(fine, sign * amplitude * w + offset, color="C1", label=f"parabola: η = {eta:.3f} ± {error:.3f}")
    top.plot(fine, sign * RHO * G / (2 * PUBLISHED) * w + offset, color="k", lw=0.8, ls=":",
             label=f"published: η = {PUBLISHED} ± {PUBLISHED_ERROR}")
    top.errorbar(x, v, ev, color="C0", marker="o", ms=4, lw=0, elinewidth=1, label="run")
    top.set(ylabel="$v_z$", title="Periodic Poiseuille flow: velocity along the force, across the box")
    top.legend(loc="upper right")
    s, w = parabola(x)
    bottom.errorbar(x, v - s * amplitude * w - offset, ev, color="C0", marker="o", ms=4, lw=0, elinewidth=1)
    bottom.axhline(0, color="C1")
    bottom.set(xlabel="x", ylabel="run - parabola", xlim=(0, 2 * D))
    for axis in (top, bottom):
        for wall in (3, 9):
            axis.axvline(wall, color="k", lw=0.6)
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
