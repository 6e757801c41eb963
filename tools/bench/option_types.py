"""Types of the options of programs in this folder.   SPDX-License-Identifier: GPL-2.0-or-later"""

import argparse
import contextlib
import math


def number(kind, low, above=False):
    """Of a number of this kind from low on, or above it."""
    def read(word):
        with contextlib.suppress(ValueError, OverflowError):
            value = kind(word)
            if low < value < math.inf or (value == low and not above):
                return value
        name = "an integer" if kind is int else "a number"
        raise argparse.ArgumentTypeError(f"{word}; allowed: {name} " + (f"above {low}" if above else f"from {low} on"))
    return read


COUNT, SIZE = number(int, 1), number(float, 0, above=True)
