"""Sobol points against scipy's: the first ones of every dimension, and later ones of few dimensions.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import warnings

import pytest

from rng_words import np, require_equal, words

qmc = pytest.importorskip("scipy.stats.qmc")

DIMENSIONS = 21201  # all that scipy has


def points(dimensions, count, first=0):
    """Coordinates times 2^32, all of a point, then the next."""
    sobol = qmc.Sobol(dimensions, scramble=False, bits=32)
    if first:
        sobol.fast_forward(first)
    with warnings.catch_warnings():  # of counts that are no powers of two, for which balance is lost
        warnings.simplefilter("ignore")
        return sobol.random(count) * 2.0**32


# scipy goes forward a point at a time: so not far in many dimensions
@pytest.mark.parametrize("dimensions, count, first", [
    (DIMENSIONS, 130, 0), (DIMENSIONS, 20, 2**13 - 10), (10000, 64, 4095), (3, 20000, 0), (3, 1000, 2**24 - 500),
    (1, 1000, 2**26 + 12345), *((dimensions, 100, 2**16 + 12345) for dimensions in (2, 7, 40, 1111))])
def test_points(dimensions, count, first):
    skip = ("-k", first) if first else ()
    require_equal(words("sobol", dimensions * count, "-w", dimensions, *skip), points(dimensions, count, first).astype(np.uint32))
