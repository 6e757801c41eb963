"""The words that tools/rng/words writes, for the comparisons with other libraries in this folder.

Environment: DS_RNG_PROGRAMS, where the build has put its library; DS_TEST_BACKEND, host (the default) or cuda.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import sys
from pathlib import Path

import pytest

from checks import of_build, output_of, require

np = pytest.importorskip("numpy")

BACKEND = os.environ.get("DS_TEST_BACKEND", "host")


def words(generator, count, *options):
    """The first `count` words, as numpy.uint32."""
    program = Path(__file__).resolve().parents[2] / "tools" / "rng" / "words"
    return np.frombuffer(output_of([sys.executable, str(program), "--programs", of_build("DS_RNG_PROGRAMS"), "-b", BACKEND,
                                    "-n", str(count), *map(str, options), generator]), dtype=np.uint32)


def require_equal(ours, theirs):
    theirs = np.asarray(theirs).ravel()
    require(len(ours) == len(theirs), f"{len(ours)} words, {len(theirs)} of the other library")
    different = np.flatnonzero(ours != theirs)
    require(len(different) == 0, f"{len(different)} of {len(ours)} words differ, first at {different[:1]}")
