"""Each tool and each script of an example says with --help what it does, and does nothing else. Of an option that it does not
know, of a number that it does not take, and of a file that is missing, or is not what it should be, it says one sentence that
names it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import argparse
import os
import re
import runpy
import subprocess
import sys
import warnings

import pytest

from checks import require
from page_blocks import ROOT

for needed in ("numpy", "scipy", "gemmi", "matplotlib"):
    pytest.importorskip(needed)
TOOLS = sorted(str(path.relative_to(ROOT)) for folder in ("tools", "doc/data") for path in (ROOT / folder).rglob("*")
               if path.is_file() and os.access(path, os.X_OK))
# what begins with #! is run, other files are parts of it
EXAMPLES = sorted(str(path.relative_to(ROOT)) for kind in ("py", "sh") for path in (ROOT / "examples").rglob(f"*.{kind}")
                  if path.read_text().startswith("#!"))
PYTHON = [path for path in TOOLS + EXAMPLES if (ROOT / path).read_text().startswith("#!/usr/bin/env python3")]
PLOTS = [path for path in EXAMPLES if path.endswith("/plot.py")]
# numbers below 1 that are allowed, beside seeds and defaults of 0
ALLOWED = {("pdb2sop", "--model", "-1"), ("pdb2sop", "--model", "0"), ("pdb2sop", "--cutoff", "0"), ("pdb2sop", "--cutoff-cb", "0"),
           ("pdb2sop", "--eps-n", "0"), ("pdb2sop", "--eps-r", "0"), ("pdb2sop", "--eps-a", "0"), ("bench_lammps", "--sort", "0"),
           ("words", "--rounds", "0")}

# words behind a tool; `missing` and `no/such` are not there, `bytes` is no text, `short` no whole molecule, `good` is a file of
# pullfile, and ubiquitin is that of potentials
FILES = [
    "tools/plot-pull missing", "tools/plot-pull bytes", "tools/plot-pull .", "tools/plot-pull good --out no/such.png",
    "tools/plot-pull good --out such.picture", "tools/pdb2sop missing --out such", "tools/pdb2sop bytes --out such",
    "tools/pdb2sop . --out such", "tools/sobol-numbers missing",
    "tools/sobol-numbers bytes", "tools/bench/sop_assembly missing such --beads 3",
    "tools/bench/sop_assembly ubiquitin no/such --beads 9", "tools/bench/sop_assembly ubiquitin such --beads 77",
    "tools/bench/sop_assembly short such --copies 2", "tools/sobol-numbers good",
    "examples/dpd/micelles/make_data.py --out no/such", "examples/dpd/fluid/run.py --lmp missing",
    "examples/dpd/restart_ensemble/run.py --lmp missing", "examples/sop/ww/variants.sh -1 lmp",
    "tools/bench/bench_inputs --cases plain --json no/such",
    "tools/bench/bench_lammps --precisions single", "tools/bench/bench_lammps --openmm-precisions half",
    "tools/bench/bench_lammps --json no/such", "tools/bench/bench_lammps --plot no/such.png", "tools/rng/normal_tails --rows missing",
    "tools/rng/normal_tails --rows bytes", "tools/rng/normal_tails --rows short.csv",
    "doc/data/measure_time_step --lmp missing", "doc/data/plot_ou --out missing"]


def run(command, folder, **more):
    environment = {"PATH": ":".join([os.path.dirname(sys.executable), "/usr/bin", "/bin"]), "HOME": str(folder), **more}
    start = [] if os.access(ROOT / command[0], os.X_OK) else [{"py": sys.executable, "sh": "sh"}[command[0][-2:]]]
    return subprocess.run([*start, ROOT / command[0], *command[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, env=environment, timeout=60)


@pytest.fixture
def here(monkeypatch, capsys, tmp_path):
    """Runs a script: status, output and errors. Those in Python run in this process, which has imported Matplotlib already."""
    def run_here(script, *words):
        if script not in PYTHON:
            done = run([script, *words], tmp_path, DS_BUILD=str(tmp_path / "build"))
            return done.returncode, done.stdout, done.stderr
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(str((ROOT / script).parent))
        monkeypatch.setattr(sys, "argv", [str(ROOT / script), *words])
        with warnings.catch_warnings(), pytest.raises(SystemExit) as end:
            runpy.run_path(str(ROOT / script), run_name="__main__")
        code, said = end.value.code, capsys.readouterr()
        return (1, said.out, f"{said.err}{code}") if isinstance(code, str) else (code or 0, said.out, said.err)
    return run_here


@pytest.mark.parametrize("tool", TOOLS + EXAMPLES)
def test_unknown_option(tool, tmp_path, here):
    status, said, wrong = here(tool, "--no-such-option")
    if status != 2 and re.search("No module named|needs|not found", wrong):
        pytest.skip(wrong)
    require(status == 2 and wrong and not said and "Traceback" not in wrong, f"status {status}: {said}{wrong}")
    require(not list(tmp_path.iterdir()), "it has written a file")


class Parser(BaseException):
    """What a script reads its options with."""


@pytest.mark.parametrize("tool", PYTHON)
def test_numbers(tool, here, monkeypatch, capsys):
    def found(parser, *_):
        raise Parser(parser)
    parse = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", found)
    try:
        here(tool, "--no-such-option")    # it must not begin its work, if it reads its words by itself
        pytest.skip("reads its words by itself, or needs what is not there")
    except Parser as caught:
        parser, = caught.args
    for option in filter(takes_numbers, parser._actions):
        name = option.option_strings[-1]
        for value in ("-1", "0", "nan"):
            allowed = value == "0" and (option.default == 0 or "seed" in name)
            if allowed or (os.path.basename(tool), name, value) in ALLOWED:
                continue
            with pytest.raises(SystemExit) as end:
                parse(parser, [f"{name}={value}" if name.startswith("--") else name + value])
            wrong = capsys.readouterr().err.splitlines()[-1]
            require(end.value.code == 2 and re.search(rf"argument \S*{name}\b.*: .*{value}", wrong), f"{name} {value}: {wrong}")


def takes_numbers(option):
    try:
        return option.option_strings and option.type and isinstance(option.type("7"), (int, float))
    except (argparse.ArgumentTypeError, ValueError):    # it is not among those allowed
        return True


@pytest.mark.parametrize("script", EXAMPLES)
def test_help_of_example(script, tmp_path, here):
    status, said, wrong = here(script, "--help")
    require(status == 0 and not wrong, f"status {status}: {wrong}")
    require(os.path.basename(script) in said and len(said.splitlines()) > 2, f"no help: {said}")
    require(not list(tmp_path.iterdir()), "it has written a file")


@pytest.mark.parametrize("script", PLOTS)
def test_files_of_example(script, tmp_path, here):
    """The first file that it reads."""
    def wrong(*names):
        status, _, said = here(script)
        require(status and len(said.splitlines()) == 1 and "plot.py: " in said, f"status {status}: {said}")
        require(any(name in said for name in names), f"{names[0]} is not named: {said}")
        return said
    name = re.search(r"plot\.py: (\S+): ", wrong(".dat"))[1].replace("*", "1")
    for content in (b"", b"# step\n", bytes(range(128, 256)), b"one two\n", b"1\n"):
        (tmp_path / name).write_bytes(content)
        wrong(name, "too short", "No such file")    # one number may be a whole table


def test_one_block_has_no_error(here, tmp_path):
    (tmp_path / "schmidt.1.stress.dat").write_text("1000 1.0 -0.16\n")
    (tmp_path / "schmidt.1.way.dat").write_text("".join(f"{k} {0.006 * k + 0.001 * (k % 2)}\n" for k in range(40)))
    status, said, wrong = here("examples/dpd/schmidt/plot.py")
    require(status == 0 and "viscosity 0.267 (run too short for an error)" in said and "nan" not in said, said + wrong)
    status, _, wrong = here("examples/dpd/schmidt/plot.py", "--numbers")
    require(status == 1 and "the run is too short for --numbers" in wrong, wrong)


@pytest.mark.parametrize("tool", TOOLS)
def test_help(tool, tmp_path):
    is_python = (ROOT / tool).read_text().startswith("#!/usr/bin/env python3")
    for option in ["--help"] if is_python else ["--help", "-h"]:    # argparse has both
        done = run([tool, option], tmp_path, DS_BUILD=str(tmp_path / "build"))
        require(done.returncode == 0 and not done.stderr, f"status {done.returncode}: {done.stderr}")
        require(os.path.basename(tool) in done.stdout and len(done.stdout.splitlines()) > 2, f"no help: {done.stdout}")
        require(not (tmp_path / "build").exists(), "it has made its build folder")


WORDS = [
    "tools/quickstart foo", "tools/quickstart demo foo", "tools/quickstart docs foo", "tools/quickstart test foo",
    "tools/quickstart kokkos foo",
    "tools/get-cuda foo", "tools/get-lammps foo", "tools/get-lammps build foo . mpicxx", "tools/kokkos-tests foo such such",
    "tools/kokkos-tests such such such foo", "tools/gpu-check foo", "tools/gpu-check build foo",
    "examples/sop/ww/variants.sh 1 false foo"]


@pytest.mark.parametrize("command", WORDS)
def test_unknown_word(command, tmp_path):
    done = run(command.split(), tmp_path, DS_BUILD=str(tmp_path / "build"))
    require(done.returncode == 2 and not done.stdout, f"status {done.returncode}: {done.stdout}{done.stderr}")
    require(len(done.stderr.splitlines()) == 1 and re.search(r"\bfoo\b", done.stderr), f"it is not named: {done.stderr}")
    require(not list(tmp_path.iterdir()), "it has made something")


def test_no_word(tmp_path):
    """Quickstart installs packages: without a word it says what it can do, and does nothing."""
    done = run(["tools/quickstart"], tmp_path, DS_BUILD=str(tmp_path / "build"))
    require(done.returncode == 2 and not done.stdout and "quickstart demo" in done.stderr, f"status {done.returncode}: {done.stderr}")
    require(not list(tmp_path.iterdir()), "it has made something")


@pytest.mark.parametrize("command", FILES)
def test_files(command, tmp_path):
    (tmp_path / "bytes").write_bytes(bytes(range(128, 256)))
    rows = "".join(f"{k} 1 {k % 3} 0 1\n" for k in range(9))
    (tmp_path / "short.sop").write_text("9 beads\n")
    (tmp_path / "short.csv").write_text("generator,value,precision,backend\nphilox,> 1,single,host\n")
    (tmp_path / "short.data").write_text("\n")
    (tmp_path / "good").write_text(f"# units real timestep 0.5 spring 1 speed 1\n{rows}")
    for name in ("ubiquitin.sop", "ubiquitin.data"):
        (tmp_path / name).symlink_to(ROOT / "potentials" / name)
    done = run(command.split(), tmp_path)
    said = done.stderr.splitlines()
    require(done.returncode and "Traceback" not in done.stderr and said, f"status {done.returncode}: {done.stderr}")
    words = ("such.picture", "single", "half", "no/such", "missing", "bytes", "short", "77", "-1", "good", ".")
    named = next(word for word in words if word in command)
    require(named in said[-1], f"{named} is not named: {done.stderr}")
    require(not any(path.name.startswith("such") for path in tmp_path.iterdir()), "a file was written")
