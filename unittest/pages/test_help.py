"""Each tool says with --help what it does, and does nothing else.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import subprocess
import sys

import pytest

from checks import require
from page_blocks import ROOT

for needed in ("numpy", "scipy", "gemmi", "matplotlib"):
    pytest.importorskip(needed)
TOOLS = sorted(str(path.relative_to(ROOT)) for folder in ("tools", "doc/data") for path in (ROOT / folder).rglob("*")
               if path.is_file() and os.access(path, os.X_OK))


@pytest.mark.parametrize("tool", TOOLS)
def test_help(tool, tmp_path):
    is_python = (ROOT / tool).read_text().startswith("#!/usr/bin/env python3")
    path = [os.path.dirname(sys.executable), "/usr/bin", "/bin"]
    for option in ["--help"] if is_python else ["--help", "-h"]:    # argparse has both
        done = subprocess.run([ROOT / tool, option], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={"PATH": ":".join(path), "HOME": str(tmp_path), "DS_BUILD": str(tmp_path / "build")}, timeout=60)
        require(done.returncode == 0 and not done.stderr, f"status {done.returncode}: {done.stderr}")
        require(os.path.basename(tool) in done.stdout and len(done.stdout.splitlines()) > 2, f"no help: {done.stdout}")
        require(not os.path.exists(tmp_path / "build"), "it has made its build folder")
