#!/usr/bin/env python3
# Structure factor of the charge in what in.charged wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A salt of charges that are spread out, in water.

S(k) = |sum_j q_j exp(-i k.r_j)|^2 / N for the N ions, for the waves of the periodic box below K_MAX, averaged over
waves of equal length. Debye and Hueckel's theory (the random phase approximation) has

   S(k) = 1 / (1 + (kappa/k)^2 / (1 + (lambda k/2)^2)^2),   kappa^2 = 4 pi l_B rho_ions / T,

where the last bracket is of the charges' spread: coul/slater is 1/r of two charges with the density exp(-2 r/lambda)
each. Without charges S would be 1. At small k it must vanish as k^2, since charges screen each other (Stillinger and
Lovett).

Criterion: the salt is neutral and S at the smallest k is below 1/2. With --screening: S is within 4 standard errors or
10 % of the theory at each k below K_SMALL, and within 4 standard errors or 20 % at all others. The exit
code is 0 if that holds and 1 if not."""

import itertools
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, parser, read_dump, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

K_MAX = 6.0
K_SMALL = 2.0  # the theory is that of long waves, and of weak charges


def waves(edge):
    """Wave vectors of the box up to K_MAX, one of k and -k, and the number of the length of each."""
    most = int(K_MAX * edge / (2 * np.pi))
    n = np.array([n for n in itertools.product(range(-most, most + 1), repeat=3) if n > (0, 0, 0)])
    n = n[(n**2).sum(axis=1) <= (K_MAX * edge / (2 * np.pi))**2]
    squares, number = np.unique((n**2).sum(axis=1), return_inverse=True)
    return 2 * np.pi * n / edge, 2 * np.pi * np.sqrt(squares) / edge, number


def structure_factor(k, number, x, q):
    """S, averaged over waves of equal length."""
    s = abs(np.exp(-1j * (k @ x.T)) @ q)**2 / len(x)
    return np.bincount(number, s) / np.bincount(number)


def theory(k, kappa2, spread):
    return 1 / (1 + kappa2 / k**2 / (1 + (spread * k / 2)**2)**2)


def main():
    p = parser(__doc__, "charged")
    p.add_argument("--screening", action="store_true", help="S(k) must be that of the theory")
    args = p.parse_args()
    T, spread, bjerrum = read_table(args.out / f"{args.name}.state.dat")[1:]
    frames = list(read_dump(args.out / f"{args.name}.ions.dat"))
    frames = frames[len(frames) // 4:]
    edge = frames[0][1][0]
    k, length, number = waves(edge)
    s = np.array([structure_factor(k, number, np.column_stack([c[axis] for axis in "xyz"]), c["q"])
                  for _, _, c in frames])
    charge, ions, T = frames[0][2]["q"].sum(), len(frames[0][2]["q"]), T[len(T) // 4:].mean()
    mean, error = np.array([block_error(column) for column in s.T]).T
    kappa2, spread = 4 * math.pi * bjerrum[0] * ions / edge**3 / T, spread[0]
    expected = theory(length, kappa2, spread)

    verdict = Verdict()
    print(f"{ions} ions in a box of edge {edge:.2f}, temperature {T:.4f}, {len(frames)} frames")
    verdict(f"charge of all {charge:.0f}   0", charge == 0)
    verdict(f"S at k = {length[0]:.2f}: {mean[0]:.3f} +- {error[0]:.3f}, theory {expected[0]:.3f}   below 1/2",
            mean[0] < 0.5)
    for text, some, part in ((f"k < {K_SMALL:.0f}", length < K_SMALL, 0.1), ("larger k", length >= K_SMALL, 0.2)):
        off = (mean - expected)[some]
        text = f"S above the theory, mean of all {text}: {100 * np.mean(off / expected[some]):.1f} %"
        if args.screening:
            near = abs(off) < np.maximum(4 * error, part * expected)[some]
            verdict(f"{text}   each k within 4 standard errors or {100 * part:.0f} %", near.all())
        else:
            print(text)

    fig, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
    axis.errorbar(length, mean, error, fmt="o", ms=4, label="simulation")
    fine = np.linspace(0.01, K_MAX, 200)
    axis.plot(fine, theory(fine, kappa2, spread), label="Debye and Hückel, charges spread out")
    axis.plot(fine, theory(fine, kappa2, 0.0), "--", label="the same with point charges")
    axis.set(title="structure factor of the charge", xlabel="k", ylabel="S(k)", ylim=(0, None))
    axis.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
