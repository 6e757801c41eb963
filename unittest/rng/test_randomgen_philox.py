"""Philox4x32-10 against the package randomgen's: seeds as keys, positions as counters.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

from rng_words import require_equal, words

randomgen = pytest.importorskip("randomgen")

COUNT = 200003


def philox(seed, block, count):
    """Words from that of counter `block` on. randomgen adds 1 to the counter before it uses it."""
    return randomgen.Philox(key=seed, counter=(block - 1) % 2**128, number=4, width=32).random_raw(count)


@pytest.mark.parametrize("seed", (0, 1, 4357, 2**32 - 1, 2**32, 0x123456789ABCDEF0, 2**64 - 1))
def test_seed(seed):
    require_equal(words("philox", COUNT, "-s", seed), philox(seed, 0, COUNT))


@pytest.mark.parametrize("skip", (1, 2, 3, 4, 4 * (2**32 - 100), 2**40 + 3, 2**63, 2**64 - 1001))
def test_from_word(skip):
    require_equal(words("philox", 1000, "-s", 99, "-k", skip), philox(99, skip // 4, 1000 + skip % 4)[skip % 4:])
