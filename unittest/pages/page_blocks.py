"""Reads the pages of the package: their code blocks, in order, and the commands in them.

A block says what it is: ``.. code-block:: sh`` in doc/*.rst, ```sh in Markdown. What says nothing, or none, is text,
such as what a program prints.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shlex
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = re.compile(r"build.*|\..*|dist|gallery|venv|__pycache__")    # names of folders

# first words of lines that should stand in a block of commands
PROGRAMS = {"lmp", "mpiexec", "mpirun", "python3", "pip", "cmake", "ctest", "cmp", "export", "cd", "bench_dpd",
            "bench_rng", "bench_sop", "sudo"}
INPUT = {"units", "atom_style", "pair_style", "pair_coeff", "pair_modify", "special_bonds", "run_style", "read_data",
         "read_restart", "region", "create_box", "timestep", "thermo_style", "neigh_modify", "comm_modify"}


@dataclass
class Block:
    """Lines of a page that stand apart."""
    page: str       # path below the root of the package
    line: int       # of the first line, from 1
    kind: str       # language, in small letters; text, included or syntax (parsed-literal)
    text: str       # without the indentation
    section: str    # title of the section it is in
    intro: str      # paragraph before it

    @property
    def place(self):
        return f"{self.page}:{self.line}"


@dataclass
class Command:
    """A command of a shell block, with what the page says that it prints (console blocks), or None."""
    page: str
    line: int
    text: str       # without comments and with single spaces
    script: str     # as it stands
    printed: list = None

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    """Paths of all pages, below the root."""
    found = []
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if not LEFT_OUT.fullmatch(name)]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files if name.endswith((".md", ".rst"))]
    return sorted(found)


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def depth(line):
    return len(line) - len(line.lstrip())


def indented(lines, start, more_than):
    """Index behind the lines from start on that are indented further than that. Empty lines at the end do not count."""
    end = start
    while end < len(lines) and (not lines[end].strip() or depth(lines[end]) > more_than):
        end += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end


def paragraph_before(lines, index):
    """The paragraph that ends above lines[index]; or with that line, if it ends in two colons."""
    end = index + 1 if lines[index].rstrip().endswith("::") and not lines[index].lstrip().startswith("..") else index
    while end > 0 and not lines[end - 1].strip():
        end -= 1
    start = end
    while start > 0 and lines[start - 1].strip():
        start -= 1
    return " ".join(line.strip() for line in lines[start:end])


def body(lines, start, end):
    """Number of the first line that is not empty, from 1, and the text."""
    while start < end and not lines[start].strip():
        start += 1
    return start + 1, textwrap.dedent("\n".join(lines[start:end]))


UNDERLINE = re.compile(r'([=\-^"~])\1{2,}$')
DIRECTIVE = re.compile(r" *\.\. (code-block|literalinclude|parsed-literal)::(.*)$")


def rst_blocks(page, lines):
    section, index = "", 0
    while index < len(lines):
        line, directive = lines[index], DIRECTIVE.match(lines[index])
        if UNDERLINE.match(line) and index and lines[index - 1].strip():
            section = lines[index - 1].strip()
        literal = line.rstrip().endswith("::") and not re.match(r" *\.\. ", line)
        if not directive and not literal:
            index += 1
            continue
        start, end = index + 1, indented(lines, index + 1, depth(line))
        kind = "text"
        if directive:
            while start < end and re.match(r" *:[\w-]+:", lines[start]):
                start += 1
            name, argument = directive[1], directive[2].strip()
            kind = {"parsed-literal": "syntax", "literalinclude": "included"}.get(name, argument.lower())
        first, text = body(lines, start, end)
        if kind == "included":
            first, text = index + 1, argument
        yield Block(page, first, "text" if kind == "none" else kind, text, section, paragraph_before(lines, index))
        index = max(end, index + 1)


def markdown_blocks(page, lines):
    section, index = "", 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("#"):
            section = line.strip("# ")
        if line.startswith("```"):
            end = index + 1
            while not lines[end].startswith("```"):
                end += 1
            kind, start, after = line[3:].strip().lower() or "text", index + 1, end + 1
        elif line.startswith("    ") and not lines[index - 1].strip():
            kind, start, end = "text", index, indented(lines, index, 3)
            after = end
        else:
            index += 1
            continue
        first, text = body(lines, start, end)
        yield Block(page, first, kind, text, section, paragraph_before(lines, index))
        index = after


def blocks(page):
    """All blocks of a page, in its order."""
    reader = rst_blocks if page.endswith(".rst") else markdown_blocks
    return list(reader(page, read(page).split("\n")))


def saved_as(block):
    """The file name under which a page asks its reader to save a block, or None."""
    name = re.search(r"[Ss]ave (?:it|this) as `+([^`]+)`+", block.intro)
    return name[1] if name and block.kind == "lammps" else None


def commands(block):
    """Commands of a shell block. Lines that go on behind a backslash are one. Console blocks have what is printed."""
    found, script = [], []
    for offset, line in enumerate(block.text.split("\n")):
        if block.kind == "console" and not line.startswith("$ "):
            found[-1].printed.append(line)
            continue
        script.append(line[2:] if block.kind == "console" else line)
        if line.endswith("\\"):
            continue
        text = plain(" ".join(part.rstrip("\\") for part in script))
        if text:
            found.append(Command(block.page, block.line + offset + 1 - len(script), text, "\n".join(script),
                                 [] if block.kind == "console" else None))
        script = []
    return found


def plain(line):
    """A command without its comment and without more than one space in a row."""
    return " ".join(re.sub(r"(^|\s)#.*$", "", line).split())


def unmarked(block):
    """The first line of a block of text that looks as a command does, or None. Errors begin with names of commands, and
    lines of a log may."""
    if re.match(r"\s*(Pair|Fix|Run_style) \S+: ", block.text):
        return None
    for line in block.text.split("\n"):
        first = line.split()[:1]
        if first and (first[0] in PROGRAMS or first[0].startswith("tools/") or first[0] == "$"
                      or first[0] in INPUT and block.section != "Errors"):
            return line
    return None


def inline_commands(page):
    """Commands within the text, such as ``tools/quickstart docs``."""
    text = read(page)
    for block in blocks(page):
        text = text.replace(block.text, "")
    quotes = r"``([^`]+)``" if page.endswith(".rst") else r"(?<!`)`([^`\n]+)`(?!`)"
    for found in re.findall(quotes, text):
        words = found.split()
        if len(words) > 1 and (words[0] in PROGRAMS or re.match(r"tools/[\w/-]+$", words[0])):
            yield Command(page, 0, " ".join(words), found)


def simple_commands(text):
    """The commands that a line of shell is made of, each as a list of words: those beside each other (&& | ;), those in
    $( ) and those that another program is given to run."""
    for inner in re.findall(r"\$\(([^()]*)\)", text):
        yield from simple_commands(inner)
    words = shlex.shlex(re.sub(r"\$\([^()]*\)", "SUBSTITUTED", text), posix=True, punctuation_chars=True)
    words.whitespace_split = True
    command = []
    for word in [*words, ";"]:
        if word in ("&&", "||", "|", ";", "do", "done"):
            if command:
                yield from unwrapped(command)
            command = []
        else:
            command.append(word)


def unwrapped(words):
    """A command without what stands before it (variables, sudo, exec, mpiexec -n 4), which is a command as well."""
    while words and (re.match(r"\w+=", words[0]) or words[0] == "exec"):
        words = words[1:]
    if not words or words[0] == "for":
        return
    if words[0] == "sudo":
        yield words[:1]
        yield from unwrapped(words[1:])
    elif words[0] in ("mpiexec", "mpirun"):
        yield words[:3]
        yield from unwrapped(words[3:])
    elif words[:2] == ["sh", "-c"]:
        yield words[:1]
        yield from simple_commands(words[2])
    else:
        yield words


def parts():
    """Top-level entries of the package, for a copy of it: not what is hidden, built or a Python environment."""
    return sorted(path.name for path in ROOT.iterdir()
                  if not LEFT_OUT.fullmatch(path.name) and not (path / "pyvenv.cfg").exists())
