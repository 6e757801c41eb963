# The commands pdb2sop and plot-pull: they run the tools that lie beside this file.
# SPDX-License-Identifier: GPL-2.0-or-later
import os
import runpy
import sys

_TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools")


def _run(tool):
    sys.path.insert(0, _TOOLS)      # with the modules of the tool
    runpy.run_path(os.path.join(_TOOLS, tool), run_name="__main__")


def pdb2sop():
    _run("pdb2sop")


def plot_pull():
    _run("plot-pull")
