"""One version of the package: what CMakeLists.txt, pyproject.toml, CITATION.cff, CHANGELOG.md and the recipes say.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import re
from pathlib import Path

from checks import require

ROOT = Path(__file__).resolve().parents[2]
# file, and what stands before the number: once in the file, or first
STATED = {
    "CMakeLists.txt": r"^project\(dpdsop VERSION ",
    "cuda/include/dpdsop/version.h": r'^#define DPDSOP_VERSION "',
    "pyproject.toml": r'^version = "',
    "CITATION.cff": r"^version: ",
    "CHANGELOG.md": r"^## ",
    "tools/packaging/conda-forge/recipe.yaml": r'^  version: "',
    "tools/packaging/spack/package.py": r'^    version\("',
}


def stated():
    """{file: version}"""
    found = {}
    for name, before in STATED.items():
        match = re.search(before + r"(\d+\.\d+\.\d+)", (ROOT / name).read_text(), re.M)
        require(match, f"{name} says no version")
        found[name] = match[1]
    return found


def test_one_version():
    require(len(set(stated().values())) == 1, f"files do not agree: {stated()}")


def test_find_package_asks_for_the_interface():
    """As much of the version as tells the interface."""
    interface = ".".join(stated()["CMakeLists.txt"].split(".")[:2])
    asked = [(path.name, number) for path in [*ROOT.glob("doc/*.rst"), ROOT / "unittest/install/consumer/CMakeLists.txt"]
             for number in re.findall(r"find_package\(dpdsop (\S+) ", path.read_text())]
    require(asked and all(number == interface for _, number in asked), f"{asked}, wanted {interface}")
