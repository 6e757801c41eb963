"""What can be said of a command without running it: that its programs and files are there, and that they know its
options.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import argparse
import contextlib
import functools
import importlib.util
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

from page_blocks import ROOT, simple_commands

# programs of others that a machine need not have
ELSEWHERE = {"sudo": "Debian's sudo", "RNG_test": "PractRand", "testu01_driver": "built where TestU01 is",
             "nvidia-cuda-mps-control": "of NVIDIA's driver"}
IN_SHELL = {".", "export", "command", "cmp", "mv"}
PLACEHOLDER = re.compile(r"\.\.\.$|^(FILE|NAME)$")


class Parsed(BaseException):
    """An argument parser has read its command line without an error."""


@functools.lru_cache(maxsize=None)
def output(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def problems(command, folder):
    """What is wrong with a command that would be given in a folder: a list of sentences."""
    found = []
    status, text = output("sh", "-n", "-c", command.script)
    if status:
        found.append(text.strip())
    for words in simple_commands(command.text):
        given = [word for word in words if not PLACEHOLDER.search(word)]
        found += [text for text in check(given, folder) if given == words or "arguments are required" not in text]
    return found


def check(words, folder):
    program, arguments = words[0], words[1:]
    if program in CHECKS:
        return CHECKS[program](arguments, folder)
    if program in IN_SHELL or program in ELSEWHERE:
        return []
    path = os.path.join(folder, program) if "/" in program else shutil.which(program)
    if not path or not os.access(path, os.X_OK):
        return [f"there is no program {program}"]
    with open(path, "rb") as file:
        first = file.readline(80)
    if b"python" in first:
        return python_program(path, arguments, folder)
    return shell_tool(path, arguments) if first.startswith(b"#!") else compiled(path, arguments)


# ------------------------------------------------------------------------- programs of the package

def python_program(path, arguments, folder):
    """Runs the program as far as its argument parser goes."""
    def stop(parser, *given, **named):
        parse(parser, *given, **named)
        raise Parsed

    parse, before, here = argparse.ArgumentParser.parse_args, (sys.argv, sys.path), os.getcwd()
    printed = io.TextIOWrapper(io.BytesIO())
    os.chdir(folder)
    argparse.ArgumentParser.parse_args = stop
    sys.argv, sys.path = [path, *arguments], [os.path.dirname(path), *sys.path]
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            runpy.run_path(path, run_name="__main__")
    except Parsed:
        return []
    except SystemExit:
        printed.seek(0)
        return [printed.read().strip().split("\n")[-1]]
    except OSError as error:
        return [str(error)]
    finally:
        argparse.ArgumentParser.parse_args = parse
        sys.argv, sys.path = before
        os.chdir(here)
    return [f"{path} does not read its arguments by argparse"]


def shell_tool(path, arguments):
    """The words for tools such as quickstart are in the comment at their top."""
    head = re.match(r"(?:#.*\n|\n)+", Path(path).read_text())[0]
    return [f"{path} does not say what {word} is" for word in arguments
            if "/" not in word and not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", head)]


def compiled(path, arguments):
    """Programs in C name their options, and some of them the words for these, when they are given a wrong one."""
    usage, found = output(path, "--no-such-option")[1], []
    for option, value in zip(arguments, arguments[1:] + [""]):
        if not re.match(r"-+[a-z]", option):
            continue
        known = re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])\]?(?: ([a-z0-9]+(?:\|[a-z0-9]+)+))?", usage)
        if not known:
            found.append(f"{path} has no option {option}")
        elif known[1] and value not in known[1].split("|"):
            found.append(f"{path}: {option} {value}, allowed is {known[1]}")
    return found


# ---------------------------------------------------------------------------------------- others'

def lammps(arguments, folder):
    """LAMMPS's options; the input; variables that the input has."""
    options = re.findall(r"^(-\w+) .*?(?:\((-\w+)\)(?: \(default\))?)?$", output("lmp", "-help")[1], re.M)
    options = {name: pair[0] for pair in options for name in pair if name}
    options["-in"] = options["-i"] = "-in"
    found, name, text = [], None, None
    for index, word in enumerate(arguments):
        if not re.match(r"-[a-z]", word):
            continue
        if word not in options:
            found.append(f"lmp has no option {word}")
        elif options[word] == "-in":
            name = arguments[index + 1]
    path = os.path.join(folder, name or "")
    if not name or not os.path.isfile(path):
        return found + [f"there is no input {name}"]
    text = Path(path).read_text()
    for index, word in enumerate(arguments):
        variable = arguments[index + 1] if word == "-var" else None
        if variable and not re.search(rf"^\s*variable\s+{re.escape(variable)}\s+(index|getenv)", text, re.M):
            found.append(f"{name} has no variable {variable}")
    return found


def mpiexec(arguments, folder):
    if len(arguments) == 2 and arguments[0] in ("-n", "-np") and arguments[1].isdigit():
        return []
    return ["the first option of mpiexec should be -n or -np and a number"]


def python(arguments, folder):
    if arguments[0] == "-m":
        return [] if importlib.util.find_spec(arguments[1]) else [f"there is no Python module {arguments[1]}"]
    path = os.path.join(folder, arguments[0])
    return python_program(path, arguments[1:], folder) if os.path.isfile(path) else [f"there is no {arguments[0]}"]


def pip(arguments, folder):
    status, text = output(sys.executable, "-m", "pip", "help", arguments[0])
    if status:
        return [f"pip has no command {arguments[0]}"]
    found = [f"pip {arguments[0]} has no option {word}" for word in arguments
             if word.startswith("-") and not re.search(rf"{word}\b", text)]
    if "." in arguments and not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        found.append("there is no pyproject.toml")
    return found


@functools.lru_cache(maxsize=None)
def cmake_files():
    files = [ROOT / "CMakeLists.txt", *ROOT.glob("*/CMakeLists.txt"), *(ROOT / "cmake").glob("*.cmake")]
    return "\n".join(path.read_text() for path in files)


def cmake_variable(name):
    """Is it one of the package, or one of CMake?"""
    return (re.search(rf"\b{re.escape(name)}\b", cmake_files()) or re.fullmatch(r"CMAKE_PROJECT_\w+_INCLUDE", name)
            or name.startswith("PKG_") or output("cmake", "--help-variable", name)[0] == 0)


def cmake(arguments, folder):
    found = []
    for option, value in zip(arguments, arguments[1:] + [""]):
        if not option.startswith("-"):
            continue
        if not re.search(rf"(?<!\w){re.escape(option)}\b", output("cmake", "--help")[1] + " --target"):
            found.append(f"cmake has no option {option}")
        elif option == "-D" and not cmake_variable(value.split("=")[0]):
            found.append(f"there is no variable {value.split('=')[0]}")
        elif option == "-S" and not (value.startswith("lammps/") or os.path.isfile(f"{folder}/{value}/CMakeLists.txt")):
            found.append(f"there is no {value}/CMakeLists.txt")
        elif option == "--target" and not re.search(rf"add_custom_target\({re.escape(value)}\b", cmake_files()):
            found.append(f"there is no target {value}")
    return found + missing_package_files(arguments)


def ctest(arguments, folder):
    known = output("ctest", "--help")[1]
    return [f"ctest has no option {word}" for word in arguments if word.startswith("-")
            and not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", known)]


def missing_package_files(arguments):
    """Files that a reader finds in the package, wherever that is."""
    names = re.findall(r"=/path/to/lammps-dpd-sop/(\S+)", " ".join(arguments))
    return [f"there is no {name}" for name in names if not (ROOT / name).exists()]


def change_folder(arguments, folder):
    return [] if os.path.isdir(os.path.join(folder, arguments[0])) else [f"there is no folder {arguments[0]}"]


CHECKS = {"lmp": lammps, "mpiexec": mpiexec, "mpirun": mpiexec, "python3": python, "pip": pip, "cmake": cmake, "ctest": ctest,
          "cd": change_folder}
