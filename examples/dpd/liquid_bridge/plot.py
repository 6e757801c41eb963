#!/usr/bin/env python3
# Threads of liquid that in.liquid_bridge made: which of them break, and how waves grow on their surface.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads of liquid that break into drops.

On a thread of radius R, tension sigma, density rho and viscosity eta a wave of the wave number k obeys (slender threads; Eggers
and Villermaux 2008), with x = k R,

    a'' + 3 eta / rho k^2 a' + sigma / (2 rho R^3) x^2 (x^2 - 1) a = noise of temperature T.

Its energy for a cosine is pi sigma L (x^2 - 1) a^2 / (2 R). So waves with x > 1 have the mean square kT R / (pi sigma L
(x^2 - 1)), and the others grow. Nothing is fitted: the shortest thread pulls with pi R sigma, and eta is known.

Criteria: threads longer than 1.1 of their circumference break, those shorter than 0.9 of it do not, and the temperature is 0.95
to 1.15. With --waves, for the longest thread: waves with x = 1.2 to 2 have the mean square of theory within 4 standard errors;
those with x = 0.3 to 0.75 grow by the factor of theory to 30 %; and there are 0.3 to 0.7 drops in a length of 2 pi R. The exit
code is 0 if that holds and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import (Verdict, block_error, execute, files_like, mean_error, parser, read_blocks, read_dump,  # noqa: E402
                   read_table)
import matplotlib.pyplot as plt  # noqa: E402

DT, DENSITY = 0.01, 6.7      # of the liquid without pressure
VISCOSITY = 4.96             # see README
SMALL = 30                   # particles: less is no drop
STABLE, GROWING = (1.2, 2.0), (0.3, 0.75)  # waves: wave number times radius
SHOWN = 150                  # of a long thread in the pictures


class Thread:
    def __init__(self, folder, name, length):
        self.stem = folder / f"{name}.{length:g}"
        steps, table = read_blocks(self.path("profile"))
        self.time, self.z, self.count = steps * DT, table[0, :, 1], table[:, :, 2]
        self.length, thickness = length, self.z[1] - self.z[0]
        self.radius = np.sqrt(self.count / (DENSITY * thickness * math.pi))
        self.R = math.sqrt(self.count[0].sum() / (DENSITY * length * math.pi))
        self.circle = 2 * math.pi * self.R
        self.x = np.arange(1, len(self.z) // 2) * self.circle / length
        # amplitudes of the cosine and the sine of each wave of the radius, where they are small; the mean of their squares
        wave = np.fft.rfft(self.radius**2 / self.R**2 - 1, axis=1)[:, 1:len(self.x) + 1] * self.R / len(self.z)
        self.square = 0.5 * abs(wave) ** 2
        broken = np.flatnonzero(self.count.min(axis=1) == 0)
        self.breaks = self.time[broken[0]] if len(broken) else math.inf
        state = read_table(self.path("state"))
        self.T, self.along, self.across = state[1], state[4], 0.5 * (state[2] + state[3])

    def path(self, kind):
        return self.stem.with_name(f"{self.stem.name}.{kind}.dat")

    def temperature(self):
        return self.T[len(self.T) // 10:].mean()

    def tension(self, section):
        """Of a thread that stays, in a box of this section, with its error."""
        pull = (self.across - self.along)[len(self.T) // 10:] * section
        return block_error(pull / (math.pi * self.R))

    def band(self, limits):
        return (self.x > limits[0]) & (self.x < limits[1])

    def drops(self):
        """Number of parts between empty slices at each time, those of fewer than SMALL particles left out."""
        return np.array([sum(part > SMALL for part in parts(count)) for count in self.count])


def parts(count):
    """Number of particles of each part between empty slices of a periodic thread."""
    empty = np.flatnonzero(count == 0)
    if not len(empty):
        return [count.sum()]
    return [part.sum() for part in np.split(np.roll(count, -empty[0]), (empty - empty[0])[1:])]


class Theory:
    def __init__(self, R, length, sigma, T):
        self.R, self.length, self.sigma, self.T = R, length, sigma, T

    def damping(self, x):
        return 3 * VISCOSITY / DENSITY * (x / self.R) ** 2

    def stiffness(self, x):
        return self.sigma / (2 * DENSITY * self.R**3) * x**2 * (x**2 - 1)

    def rate(self, x):
        """At which a wave grows."""
        half = self.damping(x) / 2
        return -half + np.sqrt(half**2 - self.stiffness(x))

    def at_rest(self, x):
        """Mean square of a wave that does not grow."""
        return self.T * self.R / (math.pi * self.sigma * self.length * (x**2 - 1))

    def square(self, x, time):
        """Mean square of a wave at times after it was flat and at rest, in a liquid of temperature T: [time][wave]. The means of
        a a, a a' and a' a' follow linear equations; their solutions are sums of three exponentials."""
        result = []
        for wave in x:
            damping, stiffness = self.damping(wave), self.stiffness(wave)
            speed = self.T * wave**2 / (2 * math.pi * DENSITY * self.length * self.R**2)  # mean square of a' in the end
            change = np.array([[0, 2, 0], [-stiffness, -damping, 1], [0, -2 * stiffness, -2 * damping]])
            end = np.linalg.solve(change, [0, 0, -2 * damping * speed])
            exponents, parts = np.linalg.eig(change)
            start = np.linalg.solve(parts, -end + 0j)
            result.append(end[0] + ((parts[0] * start) @ np.exp(np.outer(exponents, time))).real)
        return np.array(result).T


def draw_beads(axis, frame):
    """The half in front, the nearer the brighter."""
    time, edge, column = frame
    front = (column["z"] < SHOWN) & (column["y"] < 0)
    order = np.argsort(column["y"][front])[::-1]
    z, x, y = (column[name][front][order] for name in "zxy")
    axis.scatter(z, x, s=4 if edge[2] > 50 else 40, c=np.round(y), cmap="Blues", vmin=-9, vmax=2, lw=0, antialiased=False)
    axis.set(title=f"t = {time:g}", xlabel="z", ylabel="x", aspect="equal")
    axis.set(xlim=(0, min(edge[2], SHOWN)), ylim=(-edge[0] / 2, edge[0] / 2))


def snapshots(thread, frames):
    """Before, while and after it breaks."""
    times = np.array([frame[0] for frame in frames])
    number = thread.drops()
    breaking = thread.time[np.argmax((thread.time >= thread.breaks) & (number > number.max() / 2))]
    return [frames[np.abs(times - time).argmin()] for time in (min(thread.breaks, times[-1]) / 2, breaking, times[-1])]


def check_waves(verdict, thread, theory):
    """While they are small: until shortly before the thread breaks."""
    small = (thread.time > 8) & (thread.time < 0.8 * thread.breaks)
    times, square = thread.time[small], thread.square[small]
    stable, growing = thread.band(STABLE), thread.band(GROWING)
    mean, error = mean_error((square / theory.at_rest(thread.x))[:, stable].mean(axis=0))
    verdict("waves of k R = {} to {}: mean square {:.2f} +- {:.2f} of theory   within 4 standard errors".format(
        *STABLE, mean, error), abs(mean - 1) < 4 * error)
    means = [values[:, growing].mean(axis=1) for values in (square, theory.square(thread.x, times))]
    growth = [math.sqrt(values[-1] / values[0]) for values in means]
    verdict("waves of k R = {} to {} grow by {:.2f} from t = {:g} to {:g}, theory {:.2f}   within 30 %".format(
        *GROWING, growth[0], times[0], times[-1], growth[1]), abs(growth[0] / growth[1] - 1) < 0.3)
    fine = np.linspace(0.01, 0.99, 981)
    print("mean k R of waves that grow, at t = {:g}: {:.2f}, theory {:.2f}; fastest wave {:.2f}, without viscosity 0.70".format(
        times[-1], mean_wave(thread.x, square[-1]), mean_wave(thread.x, theory.square(thread.x, times[-1:])[0]),
        fine[theory.rate(fine).argmax()]))
    most = thread.drops().max()
    number = most * thread.circle / thread.length
    verdict(f"drops: at most {most} at a time, k R = {number:.2f}   0.3 to 0.7", 0.3 < number < 0.7)


def mean_wave(x, square):
    grows = x < 1
    return (x * square)[grows].sum() / square[grows].sum()


def draw_growth(axis, thread, theory):
    for limits, color in ((GROWING, "tab:red"), (STABLE, "tab:blue")):
        band = thread.band(limits)
        if not band.any():
            continue
        axis.semilogy(thread.time, np.sqrt(thread.square[:, band].mean(axis=1)), color=color,
                      label=f"k R = {limits[0]} to {limits[1]}")
        axis.semilogy(thread.time[1:], np.sqrt(theory.square(thread.x[band], thread.time[1:]).mean(axis=1)), "--", color=color)
    axis.set(title="waves; dashed: theory", xlabel="t", ylabel="root mean square amplitude", ylim=(thread.R / 500, thread.R))
    axis.legend(loc="upper left")


def draw_spectrum(axis, thread, theory):
    fine = np.linspace(0.05, 2, 300)
    groups = np.array_split(np.flatnonzero(thread.x < 2), min(14, (thread.x < 2).sum()))
    for part, color in ((0.2, "tab:blue"), (0.4, "tab:orange"), (0.8, "tab:red")):
        i = np.abs(thread.time - part * min(thread.breaks, thread.time[-1])).argmin()
        points = np.array([[thread.x[group].mean(), thread.square[i, group].mean()] for group in groups])
        axis.semilogy(*points.T, "o", ms=4, color=color, label=f"t = {thread.time[i]:g}")
        axis.semilogy(fine, theory.square(fine, thread.time[i:i + 1])[0], color=color)
    axis.axvline(0.697, color="k", ls=":", lw=1, label="fastest without viscosity")
    axis.set(title="spectrum; lines: theory", xlabel="wave number k R", ylabel="mean square of a wave")
    axis.legend(loc="lower right")


def draw(threads, theory, frames):
    longest = threads[-1]
    layout = ("aaaa\nbbbb\ncccc\ndefg", [1, 1, 1, 2.6]) if longest.length > 50 else ("aabbccgg\ndddeeeff", [1, 1])
    fig, axes = plt.subplot_mosaic(layout[0], height_ratios=layout[1], figsize=(15, 9), layout="constrained")
    for name, frame in zip("abc", snapshots(longest, frames)):
        draw_beads(axes[name], frame)
    image = axes["d"].imshow(longest.radius.T, origin="lower", aspect="auto", extent=(0, longest.time[-1], 0, longest.length))
    axes["d"].set(title="radius of the longest thread", xlabel="t", ylabel="z")
    fig.colorbar(image, ax=axes["d"], label="radius")
    draw_growth(axes["e"], longest, theory)
    draw_spectrum(axes["f"], longest, theory)
    for thread in threads:
        label = f"{thread.length:g} = {thread.length / thread.circle:.2f} × 2πR"
        axes["g"].plot(thread.time, thread.radius.min(axis=1), label=label)
    axes["g"].set(title="where a thread is thinnest", xlabel="t", ylabel="radius", ylim=(0, None))
    axes["g"].legend(title="length")
    return fig


def main():
    p = parser(__doc__, "liquid_bridge")
    p.add_argument("--waves", action="store_true", help="the longest thread must have the waves of theory")
    args = p.parse_args()
    paths = files_like(args.out, f"{args.name}.*.profile.dat")
    lengths = sorted(float(path.name[len(args.name) + 1:-len(".profile.dat")]) for path in paths)
    threads = [Thread(args.out, args.name, length) for length in lengths]
    shortest, longest = threads[0], threads[-1]
    frames = list(read_dump(longest.path("beads")))

    verdict = Verdict()
    for thread in threads:
        print(f"length {thread.length:g}, {thread.length / thread.circle:.2f} circumferences, T = {thread.temperature():.3f}")
        end = f"breaks at t = {thread.breaks:g}" if thread.breaks < math.inf else f"stays until t = {thread.time[-1]:g}"
        if 0.9 < thread.length / thread.circle < 1.1:
            print(f"    {end}")
        else:
            verdict(f"    {end}", (thread.breaks < math.inf) == (thread.length > thread.circle))
        verdict("    temperature 0.95 to 1.15", 0.95 < thread.temperature() < 1.15)
    sigma, error = shortest.tension(frames[0][1][0] * frames[0][1][1])
    theory = Theory(longest.R, longest.length, sigma, shortest.temperature())
    print(f"tension {sigma:.2f} +- {error:.2f}, Ohnesorge number {VISCOSITY / math.sqrt(DENSITY * sigma * longest.R):.2f}")
    if args.waves:
        check_waves(verdict, longest, theory)
    return verdict.end(draw(threads, theory, frames), args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
