# What the program `words` says of its generators.   SPDX-License-Identifier: GPL-2.0-or-later
import subprocess


def generators(words):
    """Of each name, from the table that `words -l` prints under two lines of headings: family, whether it must fail."""
    lines = subprocess.run([words, "-l"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    table = {}
    for line in lines[2:]:
        if not line.startswith("0 in the"):
            name, family = line.split()[:2]
            table[name] = (family, family == "points" or line.endswith("(for benchmarks only)"))
    return table
