"""Runs the shell commands of all pages as they stand, in the order of each page.

Each page has a copy of the package for itself. Its commands run one after the other in one shell: in the folder of the
page if it belongs to an example, else in the package's. Files that the page asks its reader to save are there, and what
a build has made, where LINKS says so.

Commands that are not run are in not_run.txt, each under its reason. They are checked as far as that goes without
running them (command_checks.py). The same is done for commands within the text. All commands that are not in that file
are run, and one in that file that no page has is an error.

DS_BUILD_DIR is the build folder, DS_CTEST the program ctest, DS_LAMMPS_DIR where that LAMMPS is,
DS_ALL_TESTS is ON if all tests are there (DS_LAMMPS_TESTERS).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

import command_checks
import page_blocks
from checks import of_build, require
from lammps_run import execute
from page_blocks import ROOT

pytest.importorskip("matplotlib")    # of plots of the examples
pytest.importorskip("gemmi")


def build():
    return Path(of_build("DS_BUILD_DIR"))


# kinds of blocks: run here or by test_lammps.py, compiled, or text
TESTED = ("sh", "console", "lammps", "cmake", "included", "syntax", "text")
# what pages name of a build folder, and where the folder of this test has it
LINKS = {"build/plugin/plugins": "plugins", "build/tools": "tools", "build-gpu": ".", "build/work": "."}
# stands for paths that only the reader knows
STAND_INS = {"/path/to/lammps ": "${LAMMPS_FOLDER} "}
# never run, even if not_run.txt does not have them: they install or compile for long, or become root
NEVER = re.compile(r"\b(sudo|pip|tools/quickstart|tools/gpu-check|tools/kokkos-tests)\b")
# run without their steps, which shows that LAMMPS takes the input, the options and the variables
TAKES_LONG = "takes "

# ------------------------------------------------------------------------------------- not_run.txt

@functools.lru_cache(maxsize=None)
def not_run():
    """{(page, command): reason}"""
    reason, found = None, {}
    for line in (Path(__file__).parent / "not_run.txt").read_text().split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            reason = line.strip()
            continue
        page, _, command = line.strip().partition(": ")
        require((page, command) not in found, f"not_run.txt has twice: {line.strip()}")
        found[page, command] = reason
    return found


def shell_commands(page):
    """[(block, its commands)]"""
    return [(block, page_blocks.commands(block)) for block in page_blocks.blocks(page)
            if block.kind in ("sh", "console")]


@functools.lru_cache(maxsize=None)
def registered_tests():
    """Names of all tests of the build folder."""
    done = execute([of_build("DS_CTEST"), "--test-dir", str(build()), "-N"], ".")
    return set(re.findall(r"Test +#\d+: (\S+)", done.output))


def test_not_run_txt_each_command_stands_on_its_page_each_test_exists(lammps):
    there = {(page, command.text) for page in page_blocks.pages()
             for _, commands in shell_commands(page) for command in commands}
    for page, command in not_run():
        require((page, command) in there, f"not_run.txt names what {page} does not have: {command}")
    named = {name for reason in not_run().values() for name in re.findall(r"by the test ([\w-]+)", reason)}
    missing = sorted(named - registered_tests())
    if os.environ.get("DS_ALL_TESTS") == "ON":
        require(not missing, f"not_run.txt names tests that do not exist: {' '.join(missing)}")
    print(f"{len(not_run())} commands" + (f"; not in this build: {' '.join(missing)}" if missing else ""))


def test_blocks_those_of_text_have_no_commands(lammps):
    found = [(block.place, page_blocks.unmarked(block)) for page in page_blocks.pages()
             for block in page_blocks.blocks(page) if block.kind == "text"]
    wrong = [f"{place}: {line}" for place, line in found if line]
    require(not wrong, "a command in a block that is not marked (.. code-block:: sh, ```sh):\n" + "\n".join(wrong))
    print(f"{len(found)} blocks")


# ------------------------------------------------------------------------------------ other blocks

def test_blocks_known_kinds(lammps):
    """Blocks: all are of a known kind, and C comes from programs that are compiled."""
    every = [block for page in page_blocks.pages() for block in page_blocks.blocks(page)]
    wrong = [f"{block.place}: {block.kind}" for block in every if block.kind not in TESTED]
    require(not wrong, "no test knows blocks of this kind (C is shown by literalinclude):\n" + "\n".join(wrong))
    for block in every:    # doc/CMakeLists.txt compiles and runs what lies in doc/examples
        if block.kind == "included" and not block.text.endswith(".LICENSE"):
            require(re.fullmatch(r"examples/\w+\.(c|cu)", block.text), f"{block.place}: {block.text} is not compiled")
            require((ROOT / "doc" / block.text).is_file(), f"{block.place}: there is no {block.text}")
    print(", ".join(f"{sum(block.kind == kind for block in every)} {kind}" for kind in TESTED))


def test_blocks_lines_for_the_cmakelists_txt_of_a_reader(lammps):
    texts = {block.text for page in page_blocks.pages() for block in page_blocks.blocks(page) if block.kind == "cmake"}
    os.symlink(ROOT, lammps.path("lammps-dpd-sop"))
    lammps.write("main.c", "int main(void) { return 0; }\n")
    prefix = lammps.path("prefix")
    done = execute(["cmake", "--install", str(build()), "--prefix", prefix, "--component", "engine"], lammps.folder)
    require(done.status == 0, done.tail())
    for text in texts:
        lammps.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(reader LANGUAGES C CXX)\n"
                     "add_executable(my_program main.c)\n" + text + "\n")
        done = execute(["cmake", "-S", ".", "-B", "build", "-D", "DS_CUDA=OFF", "-D", f"CMAKE_PREFIX_PATH={prefix}"], lammps.folder)
        require(done.status == 0, done.tail())
    print(f"{len(texts)} different")


# ----------------------------------------------------------------------------------- a page's folder

def copy_package(target, page):
    """The package as a reader has it, with the files that the page tells him to save."""
    os.mkdir(target)
    for name in page_blocks.parts():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, f"{target}/{name}", symlinks=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, target)
    text = page_blocks.read(page)
    for name, where in LINKS.items():
        if re.search(rf"{re.escape(name)}[/\s]", text):
            os.makedirs(os.path.dirname(f"{target}/{name}") or target, exist_ok=True)
            os.symlink(build() / where, f"{target}/{name}")
    for name, content in reader_files(page).items():
        Path(target, name).write_text(content)


@functools.lru_cache(maxsize=None)
def fluid():
    """in.dpd of the first page of the manual."""
    return next(block.text for block in page_blocks.blocks("doc/index.rst") if page_blocks.saved_as(block)) + "\n"


def reader_files(page):
    """Inputs that are saved from the page; and the reader's own, for which the fluid of the first page stands."""
    blocks = page_blocks.blocks(page)
    files = {page_blocks.saved_as(block): block.text + "\n" for block in blocks if page_blocks.saved_as(block)}
    if page.startswith("doc/"):
        files.setdefault("in.dpd", fluid())
    if page == "doc/exactness.rst":
        dump = next(block.text for block in blocks if block.text.startswith("dump"))
        # the start must be the same on any number of ranks: at rest, as velocity create is not exact, with IDs by place
        start = re.sub(r"^velocity .*\n", "reset_atoms id sort yes\n", fluid(), flags=re.M)
        files["in.run"] = start.replace("run  ", dump + "\nrun  ")
    return files


def folder_of(block, package):
    """Examples run in their folder. Those who call a tool by its path do so in the package's."""
    from_the_top = re.match(r"(tools|potentials)/", block.text) or not block.page.startswith("examples/")
    return package if from_the_top else os.path.join(package, os.path.dirname(block.page))


def surroundings(package):
    """Programs of the LAMMPS used, and of the build folder, come first."""
    os.makedirs(f"{package}-home", exist_ok=True)
    programs = [sys.executable, of_build("DS_LMP"), of_build("DS_MPIEXEC")]
    folders = [*map(os.path.dirname, programs), f"{build()}/tools/bench", f"{build()}/tools/rng", os.environ["PATH"]]
    return {"PATH": ":".join(folders), "HOME": f"{package}-home", "MPLBACKEND": "agg", "VIRTUAL_ENV": None,
            "LAMMPS_FOLDER": of_build("DS_LAMMPS_DIR")}


# --------------------------------------------------------------------------------------- commands


MARK = "=== command "


def script_of(page, package):
    """A shell script of the commands that are run. It prints the place before each, and ends where one fails."""
    lines, run = [], []
    for block, commands in shell_commands(page):
        for command in commands:
            require((page, command.text) in not_run() or not NEVER.match(command.text),
                    f"{command.place}: not_run.txt should name {command.text}")
        if all((page, command.text) in not_run() for command in commands):
            continue
        if block.page.startswith("examples/"):
            lines.append(f"cd '{folder_of(block, package)}'")
        for command in commands:
            if (page, command.text) not in not_run():
                text = functools.reduce(lambda text, pair: text.replace(*pair), STAND_INS.items(), command.script)
                lines += [f"echo '{MARK}{command.place}'", text, "code=$?; [ $code -eq 0 ] || exit $code"]
                run.append(command)
    return "\n".join(lines + [f"echo '{MARK}'"]) + "\n", run


def run_commands(page, package):
    script, run = script_of(page, package)
    Path(package + ".sh").write_text(script)
    done = execute(["sh", package + ".sh"], package, env=surroundings(package), timeout=300)
    printed = dict(part.partition("\n")[::2] for part in done.output.split(MARK)[1:])
    last = list(printed)[-1] if printed else "none"
    require(done.status == 0, f"{last} ended with {done.status}:\n{done.tail()}")
    for command in run:
        if command.printed is not None:
            wanted = "\n".join(command.printed).strip()
            found = printed[command.place]
            require(wanted in found, f"{command.place} does not print\n{wanted}\nbut\n{found}")
    return len(run)


WITHOUT_STEPS = r"""
lmp() {
  command lmp "$@" -skiprun -log log.skip > screen.skip 2>&1 && return
  grep -q '^run ' log.skip || { cat screen.skip; exit 1; }    # what comes after a run may need its results
}
mpiexec() { shift 2; "$@"; }
"""


def check_command(command, folder, package):
    """Everything but running it."""
    found = command_checks.problems(command, folder)
    reason = not_run().get((command.page, command.text), "")
    if reason.startswith(TAKES_LONG) and "lmp -in" in command.text and not found:
        done = execute(["sh", "-c", WITHOUT_STEPS + command.script], folder, env=surroundings(package))
        if done.status:
            found.append("without its steps it ends with an error:\n" + done.tail())
        if "by the test lammps-regression-1" in reason:
            name = re.search(r"-in in\.(\S+)", command.text)[1]
            if not list(Path(folder).glob(f"log.*.{name}.g++.1")):
                found.append("there is no reference log for its input")
    return [f"{command.place}: {command.text}: {text}" for text in found]


def check_commands(page, package):
    """Checks all commands: those that are run as well, as some programs pass over a mistake, and those in the text."""
    found, count = [], 0
    for block, commands in shell_commands(page):
        folder = folder_of(block, package)
        for command in commands:
            found += check_command(command, folder, package)
            count += (page, command.text) in not_run()
            if command.text.startswith("cd "):
                folder = os.path.join(folder, command.text[3:])
    Path(package, "in.mine").write_text(fluid())    # of a reader
    inline = list(page_blocks.inline_commands(page))
    for command in inline:
        found += check_command(command, package, package)
    require(not found, "\n".join(found))
    return count, len(inline)


@pytest.mark.parametrize("page", [page for page in page_blocks.pages()
                                  if shell_commands(page) or list(page_blocks.inline_commands(page))])
def test_page(lammps, monkeypatch, page):
    package = os.path.join(lammps.folder, "package")
    copy_package(package, page)
    run = run_commands(page, package)
    for name, value in surroundings(package).items():
        if value:
            monkeypatch.setenv(name, value)
    checked, inline = check_commands(page, package)
    print(f"{run} run, {checked} only checked, {inline} within the text checked")
