"""The picture of folders in doc/how_it_works.rst against what files include: a folder uses only folders below it; rng/ and
sop/ use what the picture says; interfaces include no device function but base.h.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import re
from pathlib import Path

from checks import require

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


def test_each_folder_is_in_the_picture():
    order, beside = picture()
    exist = sorted(path.name for path in CUDA.iterdir() if path.is_dir() and path.name != "include")
    require(sorted(order + beside) == exist, f"the picture has the folders {sorted(order + beside)}, there are {exist}")


def test_no_file_uses_a_folder_above_its_own():
    order, _ = picture()
    upward = set()
    for file, used in uses():
        own = file.parent.name
        highest = order.index(BESIDE[own]) if own in BESIDE else order.index(own)
        if used != own and (used not in order or order.index(used) < highest):
            upward.add(f"{own}/{file.name}")
    require(not upward, f"files that use a folder above their own: {sorted(upward)}")


def test_interfaces_include_no_device_functions():
    for file in sorted(CUDA.glob("include/dpdsop/*.h")):
        for name in re.findall(r'#include "dpdsop/(device/[^"]+)"', file.read_text()):
            require(name == "device/base.h", f"the interface {file.name} includes {name}")
