"""Each tool says with --help what it does, and does nothing else. Of a file that is missing, or is not what it should be,
it says one sentence that names the file.

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


# words behind a tool; `missing` and `no/such` are not there, `bytes` is no text, `good` is a file of pullfile, and
# ubiquitin is that of potentials
FILES = [
    "tools/plot-pull missing", "tools/plot-pull bytes", "tools/plot-pull .", "tools/plot-pull good --out no/such.png",
    "tools/plot-pull good --out such.picture", "tools/pdb2sop missing --out such", "tools/pdb2sop bytes --out such",
    "tools/pdb2sop . --out such", "tools/sobol-numbers missing",
    "tools/sobol-numbers bytes", "tools/bench/sop_assembly missing such --beads 3",
    "tools/bench/sop_assembly ubiquitin no/such --beads 9", "tools/bench/bench_inputs --cases plain --json no/such",
    "tools/bench/bench_lammps --json no/such", "tools/bench/bench_lammps --plot no/such.png", "tools/rng/normal_tails --rows missing",
    "tools/rng/normal_tails --rows bytes", "doc/data/measure_time_step --lmp missing", "doc/data/plot_ou --out missing"]


def run(command, folder, **more):
    environment = {"PATH": ":".join([os.path.dirname(sys.executable), "/usr/bin", "/bin"]), "HOME": str(folder), **more}
    return subprocess.run([ROOT / command[0], *command[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=environment, timeout=60)


@pytest.mark.parametrize("tool", TOOLS)
def test_help(tool, tmp_path):
    is_python = (ROOT / tool).read_text().startswith("#!/usr/bin/env python3")
    for option in ["--help"] if is_python else ["--help", "-h"]:    # argparse has both
        done = run([tool, option], tmp_path, DS_BUILD=str(tmp_path / "build"))
        require(done.returncode == 0 and not done.stderr, f"status {done.returncode}: {done.stderr}")
        require(os.path.basename(tool) in done.stdout and len(done.stdout.splitlines()) > 2, f"no help: {done.stdout}")
        require(not (tmp_path / "build").exists(), "it has made its build folder")


@pytest.mark.parametrize("command", FILES)
def test_files(command, tmp_path):
    (tmp_path / "bytes").write_bytes(bytes(range(128, 256)))
    rows = "".join(f"{k} 1 {k % 3} 0 1\n" for k in range(9))
    (tmp_path / "good").write_text(f"# units real timestep 0.5 spring 1 speed 1\n{rows}")
    for name in ("ubiquitin.sop", "ubiquitin.data"):
        (tmp_path / name).symlink_to(ROOT / "potentials" / name)
    done = run(command.split(), tmp_path)
    said = done.stderr.splitlines()
    require(done.returncode and "Traceback" not in done.stderr and said, f"status {done.returncode}: {done.stderr}")
    named = next(word for word in ("such.picture", "no/such", "missing", "bytes", ".") if word in command)
    require(named in said[-1], f"{named} is not named: {done.stderr}")
    require(not any(path.name.startswith("such") for path in tmp_path.iterdir()), "a file was written")
