#!/usr/bin/env python3
# Area, tension and bending modulus of a bilayer, of what in.bilayer wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A lipid bilayer without tension.

The tension is the height of the box times the difference of the pressures across and along the bilayer. It is found from the
pressure tensor and from the profile of stresses. The bending modulus kappa and a tension sigma follow from the undulations of
the middle of both leaflets, <|h_q|^2> = kT / (A (sigma q^2 + kappa q^4)), at wavelengths of more than twice the thickness.
Errors come from eight blocks: of their means, or by leaving out one of them after the other (jackknife).

Criteria: both leaflets are there, the area per lipid is between 0.9 and 1.5, and both tensions are the same, to less than their
error. With --undulations: the tension and sigma are 0 within 4 standard errors, kappa for sigma = 0 is above 0 by more than 4, and
that of each shell of q alone agrees with it within 4. The exit code is 0 if that holds and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, mean_error, parser, read_blocks, read_dump, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

BLOCKS = 8
SHORTEST = 0.88  # largest q that is fitted: wavelengths above 7.1, twice the distance of the heads
MANY = 20        # shells of wave vectors from which single lipids can be told from undulations
SHOWN = 1.7     # largest q in the plot
KINDS = (("water", 1, "C0"), ("heads", 2, "C3"), ("tails", 3, "C1"))


class Undulations:
    """Heights of the bilayer by wave vector, in each frame of the heads."""

    def __init__(self, path):
        frames = [self.frame(edge, column) for _, edge, column in read_dump(path)]
        self.edges = np.array([edge for edge, *_ in frames])
        self.thickness = np.array([thickness for _, thickness, _ in frames])
        modes = self.half_plane(self.edges[0])
        self.areas = self.edges[:, 0] * self.edges[:, 1]
        # |h_q|^2 A, one row for each frame and one column for each wave vector
        self.power = np.array([abs(h[modes[0], modes[1]])**2 for *_, h in frames]) * self.areas[:, None]
        x, y = modes[0], modes[1] - self.largest(self.edges[0])
        shells = x**2 + y**2
        self.shells = [np.flatnonzero(shells == n) for n in np.unique(shells)]
        self.modes = np.array([len(shell) for shell in self.shells])
        self.q = 2 * math.pi / self.edges[:, 0].mean() * np.sqrt(np.unique(shells))

    @staticmethod
    def largest(edge):
        return int(SHOWN * edge[0] / (2 * math.pi))

    def half_plane(self, edge):
        """Indices of one of q and -q, without 0, up to SHOWN."""
        n = self.largest(edge)
        x, y = np.meshgrid(np.arange(n + 1), np.arange(-n, n + 1), indexing="ij")
        chosen = ((x > 0) | (y > 0)) & (x**2 + y**2 <= n**2)
        return x[chosen], y[chosen] + n

    def frame(self, edge, column):
        """Edges, distance of the leaflets' heads, and h_q, the mean of both leaflets."""
        n = self.largest(edge)
        upper = column["mol"] <= column["mol"].max() / 2
        waves = [np.exp(-2j * math.pi / edge[k] * np.outer(range(low, n + 1), column[name]))
                 for k, name, low in ((0, "xu", 0), (1, "yu", -n))]
        h = 0
        for leaflet in (upper, ~upper):
            z = column["zu"][leaflet]
            h = h + (waves[0][:, leaflet] * (z - z.mean())) @ waves[1][:, leaflet].T / (2 * len(z))
        return edge, column["zu"][upper].mean() - column["zu"][~upper].mean(), h

    def spectrum(self, frames=slice(None)):
        power = self.power[frames].mean(axis=0)
        return np.array([power[shell].mean() for shell in self.shells])

    def are_many(self):
        return (self.q < SHORTEST).sum() >= MANY

    def fit(self, kT, frames=slice(None)):
        """sigma and kappa of <|h_q|^2> A = kT / (sigma q^2 + kappa q^4), and kappa for sigma = 0."""
        long = self.q < SHORTEST
        q, modes, inverse = self.q[long], self.modes[long], kT / self.spectrum(frames)[long]
        weights = np.sqrt(modes) / inverse    # relative errors fall with the number of modes
        both = np.linalg.lstsq(np.column_stack((q**2, q**4)) * weights[:, None], weights * inverse, rcond=None)[0]
        return (*both, 1 / np.average(q**4 / inverse, weights=modes))

    def fit_with_lipids(self, kT, frames=slice(None)):
        """sigma, kappa and c of <|h_q|^2> A = kT / (sigma q^2 + kappa q^4) + c kT: single lipids that stick out add c. By Gauss
        and Newton, with errors that are relative to the values."""
        long = self.q < SHORTEST
        q, modes, value = self.q[long], self.modes[long], self.spectrum(frames)[long] / kT
        weights = np.sqrt(modes) / value
        sigma, kappa, c = 0.1, self.fit(kT, frames)[2], 0.0
        for _ in range(20):
            wave = 1 / (sigma * q**2 + kappa * q**4)
            slopes = np.column_stack((-q**2 * wave**2, -q**4 * wave**2, np.ones_like(q)))
            change = np.linalg.lstsq(slopes * weights[:, None], weights * (value - wave - c), rcond=None)[0]
            sigma, kappa, c = np.array([sigma, kappa, c]) + change
        return np.array([sigma, kappa, c])

    def jackknife(self, function):
        """Standard error of a function of the frames."""
        n = min(BLOCKS, len(self.power))
        block = np.arange(len(self.power)) * n // len(self.power)
        values = np.array([function(block != k) for k in range(n)])
        return math.sqrt(n - 1) * values.std(axis=0)


def profile_tensions(blocks, planes):
    """Of each block. Columns: chunk, place, atoms, stresses xx, yy and zz of an atom, density."""
    number, x, y, z = np.moveaxis(blocks[:, :, 2:6], 2, 0)
    return -(number * (z - (x + y) / 2)).sum(axis=1) / planes


def draw_slice(axis, path):
    _, edge, column = next(read_dump(path))
    near = abs(column["y"] - column["y"].mean()) < 1
    size = min(30, (180 / edge[0])**2 / 6)
    for name, kind, color in KINDS:
        chosen = near & (column["type"] == kind)
        axis.scatter(column["x"][chosen], column["z"][chosen], s=size if kind > 1 else size / 4, color=color, lw=0, label=name)
    axis.set(title="a slice of thickness 2", xlabel="x", ylabel="z", aspect="equal")


def draw_profiles(axis, args, blocks, height):
    z = (blocks[0, :, 1] - 0.5) * height
    local = -((blocks[:, :, 5] - (blocks[:, :, 3] + blocks[:, :, 4]) / 2) * blocks[:, :, 6])
    mean, error = mean_error(local)
    axis.fill_between(z, mean - error, mean + error, color="k", alpha=0.25, lw=0)
    axis.plot(z, mean, color="k", label="pressure across less that along")
    for name, _, color in KINDS:
        density = read_blocks(args.out / f"{args.name}.{name}.dat")[1][:, :, 3].mean(axis=0)
        axis.plot(z, density, color=color, label=f"density of {name}")
    axis.set(title="profiles", xlabel="z", ylabel="density, pressure")
    axis.legend(fontsize="small")


def draw_spectrum(axis, waves, kT):
    mean = waves.spectrum()
    axis.errorbar(waves.q, mean, waves.jackknife(waves.spectrum), fmt="o", ms=4)
    fine = np.geomspace(waves.q[0] / 1.1, waves.q[-1])
    if waves.are_many():
        sigma, kappa, c = waves.fit_with_lipids(kT)
        text = rf"$kT / (\sigma q^2 + \kappa q^4) + c kT$, $\kappa$ = {kappa:.2f}"
    else:
        sigma, kappa, c = 0, waves.fit(kT)[-1], 0
        text = rf"$kT / \kappa q^4$, $\kappa$ = {kappa:.2f}"
    axis.plot(fine, kT / (sigma * fine**2 + kappa * fine**4) + c * kT, "k", lw=0.8, label=text)
    axis.axvline(SHORTEST, color="0.6", lw=0.8, ls="--", label="fitted up to here")
    axis.set(title="undulations", xlabel="q", ylabel=r"$\langle |h_q|^2 \rangle A$", xscale="log", yscale="log",
             ylim=(mean.min() / 2, 2 * mean.max()))
    axis.legend(fontsize="small")


def judge_undulations(verdict, waves, kT, tension, error):
    """error: of the tension"""
    verdict("tension 0 within 4 standard errors", abs(tension) < 4 * error)
    judge = judge_many_waves if waves.are_many() else judge_few_waves
    judge(verdict, waves, kT, waves.q < SHORTEST)


def judge_few_waves(verdict, waves, kT, long):
    (sigma, both, kappa), errors = waves.fit(kT), waves.jackknife(lambda frames: np.array(waves.fit(kT, frames)))
    verdict(f"undulations, sigma and kappa fitted: {sigma:.3f} +- {errors[0]:.3f}, {both:.2f} +- {errors[1]:.2f}   sigma 0 within 4 "
            "standard errors", abs(sigma) < 4 * errors[0])
    verdict(f"bending modulus, sigma = 0: {kappa:.2f} +- {errors[2]:.2f}   above 0 by 4 standard errors", kappa > 4 * errors[2])

    def alone(frames=slice(None)):
        return kT / (waves.spectrum(frames) * waves.q**4)[long]

    for q, value, single_error in zip(waves.q[long], alone(), waves.jackknife(alone)):
        verdict(f"    of q = {q:.3f} alone: {value:.2f} +- {single_error:.2f}   the same within 4 standard errors",
                abs(value - kappa) < 4 * np.hypot(single_error, errors[2]))


def judge_many_waves(verdict, waves, kT, long):
    (sigma, kappa, c), errors = waves.fit_with_lipids(kT), waves.jackknife(lambda frames: waves.fit_with_lipids(kT, frames))
    print(f"undulations: sigma {sigma:.3f} +- {errors[0]:.3f}, single lipids {c:.3f} +- {errors[2]:.3f}")
    verdict(f"bending modulus: {kappa:.2f} +- {errors[1]:.2f}   above 0 by 4 standard errors", kappa > 4 * errors[1])
    fitted = kT / (sigma * waves.q**2 + kappa * waves.q**4) + c * kT
    off = ((waves.spectrum() - fitted) / waves.jackknife(waves.spectrum))[long]
    chi2, free = (off**2).sum(), long.sum() - 3
    verdict(f"chi square of the fit {chi2:.1f} for {free}   within 4 standard deviations", chi2 < free + 4 * math.sqrt(2 * free))


def main():
    p = parser(__doc__, "bilayer")
    p.add_argument("--undulations", action="store_true", help="there must be no tension, and a bending modulus")
    args = p.parse_args()
    _, area, T = read_table(args.out / f"{args.name}.state.dat")
    _, tension, planes = read_table(args.out / f"{args.name}.tension.dat")
    blocks = read_blocks(args.out / f"{args.name}.profile.dat")[1]
    waves = Undulations(args.out / f"{args.name}.undulations.dat")

    verdict = Verdict()
    thickness = waves.thickness.mean()
    verdict(f"distance of the leaflets' heads {thickness:.3f}   above 2", thickness > 2)
    mean, error = block_error(area, min(BLOCKS, len(area)))
    print(f"temperature {T.mean():.4f}")
    verdict(f"area per lipid {mean:.4f} +- {error:.4f}   between 0.9 and 1.5", 0.9 < mean < 1.5)
    if len(waves.areas) > BLOCKS:
        modulus = T.mean() / waves.areas.var() * waves.areas.mean()
        print(f"area modulus {modulus:.1f}, of it and the distance of heads: kappa = K d^2 / 48 = {modulus * thickness**2 / 48:.2f}")
    (tensor, tensor_error), profile = mean_error(tension), profile_tensions(blocks, planes)
    by_profile, profile_error = mean_error(profile)
    print(f"tension from the pressure tensor {tensor:.3f} +- {tensor_error:.3f}")
    verdict(f"tension from the profile of stresses {by_profile:.3f} +- {profile_error:.3f}   the same to less than the error",
            abs(by_profile - tensor) < max(tensor_error, 1e-6))
    fig, axes = plt.subplots(2, 2, figsize=(12, 9), layout="constrained")
    if args.undulations:
        judge_undulations(verdict, waves, T.mean(), tensor, tensor_error)
    draw_slice(axes[0, 0], args.out / f"{args.name}.beads.dat")
    draw_profiles(axes[0, 1], args, blocks, waves.edges[:, 2].mean())
    draw_spectrum(axes[1, 0], waves, T.mean())
    axes[1, 1].plot(np.linspace(0, 1, len(area)), area)
    axes[1, 1].axhline(mean, color="k", lw=0.8, ls=":")
    axes[1, 1].set(title="area per lipid", xlabel="part of the run", ylabel="area per lipid")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
