"""Commands that tests of installation run.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import os
import subprocess
import sys
import time


def runner(folder, environment=None, may_fail=False):
    """A function that runs a command in that folder, shows it and what it prints, and returns that text. Where the command fails
    the test ends; may_fail: it comes back as (status, text). Keywords are more variables of the environment."""

    def run(*command, **variables):
        start = time.monotonic()
        print("+", *command, flush=True)
        done = subprocess.run([str(word) for word in command], cwd=folder, env={**(environment or os.environ), **variables},
                              text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(f"{done.stdout}({time.monotonic() - start:.1f} s)", flush=True)
        if may_fail:
            return done.returncode, done.stdout
        if done.returncode:
            sys.exit(f"failed with {done.returncode}")
        return done.stdout

    return run
