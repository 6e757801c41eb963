#!/usr/bin/env python3
"""One version of the package: what CMakeLists.txt, pyproject.toml, CITATION.cff, CHANGELOG.md and the recipes say.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# file, and what stands before the number: once in the file, or first
STATED = {
    "CMakeLists.txt": r"^project\(dpdsop VERSION ",
    "pyproject.toml": r'^version = "',
    "CITATION.cff": r"^version: ",
    "CHANGELOG.md": r"^## ",
    "tools/packaging/conda-forge/recipe.yaml": r'^  version: "',
    "tools/packaging/spack/package.py": r'^    version\("',
}


def main():
    found = {}
    for name, before in STATED.items():
        match = re.search(before + r"(\d+\.\d+\.\d+)", (ROOT / name).read_text(), re.M)
        found[name] = match[1] if match else "none"
    # of find_package as much as tells the interface
    interface = ".".join(found["CMakeLists.txt"].split(".")[:2])
    for path in [*ROOT.glob("doc/*.rst"), ROOT / "unittest/install/consumer/CMakeLists.txt"]:
        for number in re.findall(r"find_package\(dpdsop (\S+) ", path.read_text()):
            found[str(path.relative_to(ROOT))] = found["CMakeLists.txt"] if number == interface else number
    print("\n".join(f"{version:8} {name}" for name, version in found.items()))
    sys.exit("they do not agree" if len(set(found.values())) > 1 or "none" in found.values() else 0)


if __name__ == "__main__":
    main()
