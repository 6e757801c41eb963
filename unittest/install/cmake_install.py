#!/usr/bin/env python3
# `cmake --install` into an empty prefix: an lmp that is told the folder of plugins there must know the style.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import dpd_input

parser = argparse.ArgumentParser()
for name in ("build", "plugins", "lmp", "work"):
    parser.add_argument("--" + name, required=True)
args = parser.parse_args()

work = Path(args.work).resolve()
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
(work / "in.dpd").write_text(dpd_input.INPUT)

subprocess.run(["cmake", "--install", args.build, "--prefix", str(work / "prefix")], check=True)
plugins = work / "prefix" / args.plugins
environment = dict(os.environ, LAMMPS_PLUGIN_PATH=str(plugins))
result = subprocess.run([args.lmp, "-in", "in.dpd", "-log", "none"], cwd=work, env=environment, text=True,
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(result.stdout)
if f"Loaded 1 plugins from {plugins}" not in result.stdout or not dpd_input.finished(result.stdout):
    sys.exit("lmp did not finish its run with the installed plugin")
