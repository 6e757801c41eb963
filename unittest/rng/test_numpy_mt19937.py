"""The Mersenne Twister against NumPy's, by seeds of one and of two words, and after jumps.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

from rng_words import np, require_equal, words

COUNT = 200001


def state_of(seed):
    """NumPy's old seeding, which the authors' programs of 2002 have: an integer or an array of words."""
    return np.random.RandomState(seed if seed < 2**32 else [seed % 2**32, seed >> 32])


def jumped(seed, times):
    """Words behind `times` jumps of 2^128. NumPy jumps with the window X_0 ... X_623, 624 words before the first one it
    gives, and leaves it in a ring that begins at `pos`. Its own next words take the ring for a window that begins at 0
    and are of another sequence (NumPy 2.4): here the ring is put in order first."""
    generator = np.random.MT19937()
    generator.state = state_of(seed).get_state(legacy=False)
    state = generator.jumped(times).state
    state["state"] = {"key": np.roll(state["state"]["key"], -state["state"]["pos"]), "pos": 624}
    generator.state = state
    return generator.random_raw(COUNT)


@pytest.mark.parametrize("seed", (0, 1, 5489, 20100611, 2**31, 2**32 - 1, 2**32, 2**32 + 5489, 0x123456789ABCDEF0, 2**64 - 1))
def test_seed(seed):
    require_equal(words("mt19937", COUNT, "-s", seed), state_of(seed).randint(0, 2**32, size=COUNT, dtype=np.uint32))


@pytest.fixture(scope="module")
def sequence():
    return state_of(7).randint(0, 2**32, size=5003000, dtype=np.uint32)


@pytest.mark.parametrize("skip", (1, 623, 624, 19937, 1000003, 5000000))
def test_skip(sequence, skip):
    require_equal(words("mt19937", 3000, "-s", 7, "-k", skip), sequence[skip:skip + 3000])


@pytest.mark.parametrize("times", (1, 2, 3, 17))
def test_jumps_of_2_to_the_128(times):
    require_equal(words("mt19937", COUNT, "-s", 4357, "-k", times, "-u", 128), jumped(4357, times))
