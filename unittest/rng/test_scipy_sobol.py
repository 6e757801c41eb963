"""Sobol points against scipy's: the first ones of every dimension, and later ones of few dimensions.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import warnings

from rng_words import Comparison, np, require, words

qmc = require("scipy.stats.qmc")
scipy = require("scipy")

DIMENSIONS = 21201  # all that scipy has


def points(dimensions, count, first=0):
    """Coordinates times 2^32, all of a point, then the next."""
    sobol = qmc.Sobol(dimensions, scramble=False, bits=32)
    if first:
        sobol.fast_forward(first)
    with warnings.catch_warnings():  # of counts that are no powers of two, for which balance is lost
        warnings.simplefilter("ignore")
        return sobol.random(count) * 2.0**32


def test(comparison, dimensions, count, first=0):
    skip = ("-k", first) if first else ()
    comparison.equal(f"{count} points in {dimensions} dimensions from point {first}",
                     words("sobol", dimensions * count, "-w", dimensions, *skip),
                     points(dimensions, count, first).astype(np.uint32))


def main():
    c = Comparison(f"scipy {scipy.__version__} Sobol")
    # scipy goes forward a point at a time: so not far in many dimensions
    test(c, DIMENSIONS, 130)
    test(c, DIMENSIONS, 20, 2**13 - 10)
    test(c, 10000, 64, 4095)
    test(c, 3, 20000)
    test(c, 3, 1000, 2**24 - 500)
    test(c, 1, 1000, 2**26 + 12345)
    for dimensions in (2, 7, 40, 1111):
        test(c, dimensions, 100, 2**16 + 12345)
    c.end()


if __name__ == "__main__":
    main()
