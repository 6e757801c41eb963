#!/usr/bin/env python3
"""The picture of folders in doc/how_it_works.rst against what files include: a folder uses only folders below it; rng/ and
sop/ use what the picture says; interfaces include no device function but base.h.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUDA = ROOT / "cuda"
PAGE = (ROOT / "doc/how_it_works.rst").read_text()
INCLUDE = re.compile(r'^#(?:include|define DS_(?:FOR_STYLE|FORMULAS)) "([^"]+)"', re.M)
BESIDE = {"sop": "neighbor", "rng": "core"}    # the highest folder that each may use


def picture():
    """Folders of cuda/ in the order of the picture, and the two that stand beside the others."""
    picture = PAGE[PAGE.index("cuda/                                      C and CUDA C"):]
    folders = re.findall(r"^     \|    ([a-z]+)/ ", picture[:picture.index("Each formula is written once")], re.M)
    return [name for name in folders if name not in BESIDE and name != "include"], [name for name in folders if name in BESIDE]


def uses():
    """(file, folder that it includes a file of)"""
    for file in sorted(CUDA.glob("*/*")):
        if file.is_file() and file.parent.name != "include":
            for name in INCLUDE.findall(file.read_text()):
                if name.startswith("../"):
                    yield file, name.split("/")[1]


def main():
    order, beside = picture()
    exist = sorted(path.name for path in CUDA.iterdir() if path.is_dir() and path.name != "include")
    faults = []
    if sorted(order + beside) != exist:
        faults.append(f"the picture has the folders {sorted(order + beside)}, there are {exist}")
    upward = set()
    for file, used in uses():
        own = file.parent.name
        highest = order.index(BESIDE[own]) if own in BESIDE else order.index(own)
        if used == own:
            continue
        if used not in order or order.index(used) < highest:
            upward.add(f"{own}/{file.name}")
    if upward:
        faults.append(f"files that use a folder above their own: {sorted(upward)}")
    for file in sorted(CUDA.glob("include/dpdsop/*.h")):
        for name in re.findall(r'#include "dpdsop/(device/[^"]+)"', file.read_text()):
            if name != "device/base.h":
                faults.append(f"the interface {file.name} includes {name}")
    print("\n".join(faults) or f"{len(order + beside)} folders, as the picture has them")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
