"""Runs the LAMMPS input of all pages: complete inputs as they stand, for up to a second; other paragraphs in a small
system (fragments.py), which is the only thing that is added to them.

Keywords of the Syntax sections are run with each of the words that these allow. Errors that a page quotes must come.
A paragraph that fragments.py does not know is an error, and so is one there that no page has.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shutil

import pytest

import fragments
import page_blocks
from checks import of_build, require
from lammps_run import NO_GPU, chains

# LAMMPS looks at the time every ten steps and ends a run that has taken longer
LIMIT = "timer timeout 00:00:01 every 10\n"


@pytest.fixture(autouse=True)
def files(lammps):
    for name, source in fragments.FILES.items():
        shutil.copy(page_blocks.ROOT / source, lammps.path(name))
    lammps.write("chains.data", chains(40, 4, 6.0)[0])


def lammps_blocks():
    return [block for page in page_blocks.pages() for block in page_blocks.blocks(page) if block.kind == "lammps"]


def complete(block):
    """Is it an input that lacks nothing?"""
    return re.match(r"(#.*\n)*units\s", block.text) is not None


def paragraphs(block):
    """[(line, text)]: commands without an empty line between them belong together."""
    found, line = [], block.line
    for text in block.text.split("\n\n"):
        found.append((line, text + "\n"))
        line += text.count("\n") + 2
    return found


def fragment_of(page, text):
    """What is known of a paragraph, or None."""
    known = [each for each in fragments.FRAGMENTS if each.page == page and text.startswith(each.begins)]
    return max(known, key=lambda each: len(each.begins)) if known else None


# -------------------------------------------------------------------------------------------- runs

def run_fragment(lammps, page, text):
    fragment = fragment_of(page, text)
    require(fragment, f"fragments.py does not say what this needs:\n{text}")
    text = re.sub(r"^\.\.\.$", lambda _: fragment.gap.rstrip(), text, flags=re.M)
    env = None
    if text.startswith("plugin load"):    # the only way in which this run knows the styles
        plugin = os.path.join(of_build("LAMMPS_PLUGIN_PATH"), "dpdsopplugin.so")
        text, env = text.replace("/path/to/dpdsopplugin.so", plugin), {"LAMMPS_PLUGIN_PATH": None}
    done = lammps.run(LIMIT + fragment.before + text + fragment.after + "\n", env=env, timeout=60)
    require("Loop time" in done.output, "no run was made:\n" + done.tail())


COMPLETE = [block for block in lammps_blocks() if complete(block)]
PARTS = [(block.page, line, text) for block in lammps_blocks() if not complete(block) for line, text in paragraphs(block)]


@pytest.mark.parametrize("block", [pytest.param(block, id=block.place) for block in COMPLETE])
def test_complete_input(lammps, block):
    done = lammps.run(LIMIT + block.text + "\n", timeout=60)
    require("Loop time" in done.output, "no run was made:\n" + done.tail())


@pytest.mark.parametrize("page, text", [pytest.param(page, text, id=f"{page}:{line}") for page, line, text in PARTS])
def test_paragraph(lammps, page, text):
    run_fragment(lammps, page, text)


def test_fragments_py_each_of_them_stands_on_its_page(lammps):
    there = [fragment_of(page, text) for page, _, text in PARTS]
    for each in fragments.FRAGMENTS:
        require(there.count(each) >= 1, f"{each.page} has no paragraph that begins with {each.begins}")
    print(f"{len(there)} paragraphs")


# ------------------------------------------------------------------------------------------ syntax

def keywords(page):
    """{keyword: words that it allows}, none where it wants numbers, from the list of the Syntax section."""
    lists = [block.text for block in page_blocks.blocks(page) if block.kind == "syntax" and block.section == "Syntax"]
    found = re.findall(r"^\*(\w+)\* values? = (.*)$", "\n".join(lists), re.M)
    return {name: re.findall(r"\*(\w+)\*", words) if re.fullmatch(r"\*\w+\*( or \*\w+\*)*", words) else []
            for name, words in found}


def first_example(page):
    """(fragment, text) of the first paragraph of the page's examples."""
    block = next(each for each in lammps_blocks() if each.page == page and each.section == "Examples")
    text = paragraphs(block)[0][1]
    return fragment_of(page, text), text


def input_of_syntax(page, additions):
    """An input in which the first command of the first example ends in each of some additions, one after the other."""
    fragment, text = first_example(page)
    first, rest = text.split("\n", 1)
    again = "unfix 1\n" if first.startswith("fix 1 ") else ""
    runs = [f"{first} {words}\n{rest}{fragment.after}\n{again}" for words in additions]
    return fragment.before + "".join(runs)


@pytest.mark.parametrize("page", [pytest.param(each, id=each) for each in fragments.SYNTAX])
def test_keywords_of_its_syntax(lammps, page):
    values = [f"{name} {word}" for name, words in keywords(page).items() for word in words]
    numbers = [name for name, words in keywords(page).items() if not words]
    require(values, "the Syntax section has no keywords")
    examples = "".join(block.text for block in lammps_blocks() if block.page == page and block.section == "Examples")
    missing = [name for name in numbers if f" {name} " not in examples and name not in fragments.WITH_NUMBERS]
    require(not missing, f"no example has {' '.join(missing)}")
    values += [fragments.WITH_NUMBERS[name] for name in numbers if name in fragments.WITH_NUMBERS]
    others = [words for words in values if words != "backend cuda"]
    lammps.run(input_of_syntax(page, others))
    if "backend cuda" in values:
        done = lammps.run(input_of_syntax(page, ["backend cuda"]), ok=False)
        require(done.status == 0 or any(NO_GPU.search(error) for error in done.errors), done.tail())
    refused = lammps.run(input_of_syntax(page, ["nonsense 1"]), ok=False)
    require(refused.errors, "a keyword that does not exist is no error")
    print(f"{len(values)} values")


# ---------------------------------------------------------------------------------------- mistakes

def test_fragments_py_all_errors_that_are_quoted_are_tried(lammps):
    tried = {(page, message) for page, message, _ in fragments.MISTAKES}
    for page in page_blocks.pages():
        for block in page_blocks.blocks(page):
            if block.section == "Errors" and block.kind == "text":
                for line in block.text.split("\n"):
                    require((page, line) in tried, f"fragments.py does not say what gives: {page}: {line}")
    print(f"{len(tried)} errors")


@pytest.mark.parametrize("page, message, commands", [
    pytest.param(*each, id=f"{each[0]}, error: {each[1]}") for each in fragments.MISTAKES])
def test_run_mistake(lammps, page, message, commands):
    texts = [block.text for block in page_blocks.blocks(page) if block.section == "Errors"]
    require(any(message in text for text in texts), f"{page} does not quote: {message}")
    done = lammps.run(fragments.ONE_TYPE + commands + "\nrun 0\n", ok=False)
    require(any(error.endswith(": " + message) for error in done.errors), f"wanted: {message}\n{done.tail()}")


# ---------------------------------------------------------------------------------- without the plugin


# how a command names what LAMMPS does not know
UNKNOWN = {"pair style": "pair_style {} 1.0 1.0 34387", "fix style": "fix 1 all {}", "integrate style": "run_style {}"}


def test_not_loaded(lammps):
    """What LAMMPS says where the plugin is not loaded, as pages quote it."""
    quoted = []
    for page in page_blocks.pages():
        text = " ".join(page_blocks.read(page).split())
        quoted += [(page, *words) for words in re.findall(
            r"((?:Unrecognized|Unknown) (pair style|fix style|integrate style) '?([\w/]+)'?"
            r"(?: is part of [\w ]+ binary)?)", text)]
    require({page for page, *_ in quoted} >= {"README.md", "doc/install.rst"}, f"quoted: {quoted}")
    for page, message, kind, name in quoted:
        done = lammps.run(fragments.ONE_TYPE + UNKNOWN[kind].format(name) + "\n", env={"LAMMPS_PLUGIN_PATH": None}, ok=False)
        said = done.errors[0].rstrip(".") if done.errors else "nothing"
        require(said == message, f"{page} quotes: {message}\nLAMMPS says: {said}")
    print(f"{len(quoted)} quotations")
