"""The words that tools/rng/words writes, for the comparisons with other libraries in this folder.

Environment: DS_RNG_PROGRAMS, where the build has put its library; DS_TEST_BACKEND, host (the default) or cuda.
Exit codes of a test: 0 all equal, 1 some differ, 77 the library is not installed or there is no GPU.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import importlib
import os
import subprocess
import sys
from pathlib import Path


def require(module):
    """The module, or the test is skipped."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)


np = require("numpy")

PROGRAM = [sys.executable, str(Path(__file__).resolve().parents[2] / "tools" / "rng" / "words"), "--programs",
           os.environ["DS_RNG_PROGRAMS"]]
BACKEND = os.environ.get("DS_TEST_BACKEND", "host")


def words(generator, count, *options):
    """The first `count` words, as numpy.uint32."""
    command = [*PROGRAM, "-b", BACKEND, "-n", str(count), *map(str, options), generator]
    run = subprocess.run(command, capture_output=True)
    if run.returncode == 77:
        print("skipped:", run.stderr.decode().strip())
        sys.exit(77)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr.decode()}")
    return np.frombuffer(run.stdout, dtype=np.uint32)


class Comparison:
    """Counts what is equal and what is not."""

    def __init__(self, library):
        self.library, self.words, self.failed = library, 0, 0

    def equal(self, what, ours, theirs):
        theirs = np.asarray(theirs).ravel()
        self.words += len(theirs)
        wrong = -1 if len(ours) != len(theirs) else np.count_nonzero(ours != theirs)
        if wrong:
            self.failed += 1
            first = "" if wrong < 0 else f", first at {np.flatnonzero(ours != theirs)[0]}"
            print(f"FAILED: {what}: {len(ours)} words of ours, {len(theirs)} of {self.library}, {wrong} differ{first}")

    def end(self):
        print(f"{self.library}: {self.words} words compared ({BACKEND}), {self.failed} comparisons failed")
        sys.exit(self.failed > 0)
