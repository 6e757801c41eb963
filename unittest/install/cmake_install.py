#!/usr/bin/env python3
# `cmake --install` into an empty prefix, which is then moved: lmp takes the plugin, programs of somebody else's find the engine
# by find_package and pkg-config, and the tools run.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import shutil
import sys
from collections import namedtuple
from pathlib import Path

import dpd_input

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from commands import runner  # noqa: E402

parser = argparse.ArgumentParser()
for name in ("package", "build", "plugins", "lib", "lmp", "generator", "compiler", "cxx-compiler", "work"):
    parser.add_argument("--" + name, required=True)
parser.add_argument("--pkg-config", help="the program, where there is one")
parser.add_argument("--nvcc", help="with which the engine was compiled, where it was")
args = parser.parse_args()

# of each program its source among the examples of the manual, the library it needs, and what it prints at its end
Program = namedtuple("Program", "source module end")
PROGRAMS = {"fluid": Program("dpd_fluid.c", "dpdsop", "sum of all forces: 0 0 0"),
            "fill": Program("rng_fill.c", "dpdsop_rng", "number 1000 made in place: the same")}
examples = Path(args.package) / "doc" / "examples"
work = Path(args.work).resolve()
prefix = work / "moved"
libraries = prefix / args.lib
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
(work / "in.dpd").write_text(dpd_input.INPUT)
run = runner(work)


def check(holds, text):
    if not holds:
        sys.exit(text)


def check_programs(folder, kind, **variables):
    """Both programs, made in one way, print what they print in the other ways."""
    for name, program in PROGRAMS.items():
        output = run(folder / name, **variables)
        check(program.end in output, f"{name}, {kind}: its last line is not what the manual shows")
        check(outputs.setdefault(name, output) == output, f"{name}, {kind}: another output than before")


def build_by_cmake(kind):
    folder = work / kind
    run("cmake", "-S", Path(__file__).resolve().parent / "consumer", "-B", folder, "-G", args.generator,
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={args.compiler}",
        f"-DCMAKE_CXX_COMPILER={args.cxx_compiler}", f"-DDS_EXAMPLES={examples}", f"-DDS_STATIC={kind == 'static'}",
        *([f"-DCUDAToolkit_ROOT={Path(args.nvcc).parents[1]}"] if args.nvcc else []))
    run("cmake", "--build", folder)
    check_programs(folder, kind)


def build_by_pkg_config():
    folder, variables = work / "pkg-config", {"PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    folder.mkdir()
    for name, program in PROGRAMS.items():
        flags = run(args.pkg_config, "--cflags", "--libs", program.module, **variables).split()
        check(f"-L{libraries.resolve()}" in [os.path.normpath(f) if f.startswith("/") else "-L" + os.path.normpath(f[2:])
                                             for f in flags if f.startswith("-L")], f"{flags} do not name {libraries}")
        run(args.compiler, "-std=c99", "-O2", examples / program.source, "-o", folder / name, *flags, "-lm")
    check_programs(folder, "pkg-config", LD_LIBRARY_PATH=str(libraries))


outputs = {}
run("cmake", "--install", args.build, "--prefix", work / "prefix")
(work / "prefix").rename(prefix)

plugins = prefix / args.plugins
output = run(args.lmp, "-in", "in.dpd", "-log", "none", LAMMPS_PLUGIN_PATH=str(plugins))
check(f"Loaded 1 plugins from {plugins}" in output and dpd_input.finished(output),
      "lmp did not finish its run with the installed plugin")

name = next(libraries.glob("libdpdsop_engine.so.*.*.*")).name
check("SONAME" in (dynamic := run("objdump", "-p", libraries / name)) and f"{name.rsplit('.', 1)[0]}\n" in dynamic,
      f"{name} does not name itself by major and minor version")
build_by_cmake("shared")
build_by_cmake("static")
if args.pkg_config:
    build_by_pkg_config()

for tool in ("pdb2sop", "plot-pull"):
    check("usage: " + tool in run(sys.executable, prefix / "bin" / tool, "--help"), f"{tool}: no usage")
missing = [name for name in ("share/dpdsop/potentials/ww.sop", "share/doc/dpdsop/LICENSE") if not (prefix / name).exists()]
check(not missing, f"not installed: {missing}")
