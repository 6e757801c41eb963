"""Files and folders of the package that its pages name are there, and their code is no wider than a page.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import page_blocks
from checks import require
from page_blocks import ROOT

PATH = re.compile(r"(?<![\w/.$}~-])(?:cmake|cuda|doc|examples|potentials|src|tools|unittest)/[\w./*+-]*\w")
# of no package's folder, or of this one's but made by commands of the page
OTHERS = {
    "doc/howto_sop.rst": {"examples/sop/pull/ubiquitin", "examples/sop/pull/pull.dat"},
    "doc/working_on_it.rst": {"unittest/NAME/report.xml"},                # of a build folder
    "examples/dpd/bilayer/README.md": {"examples/dmpci.bilayer"},         # of Osprey-DPD
    "examples/sop/indent/README.md": {"examples/sop/indent/cage"},
}


def exists(path, page):
    """From the top or from the page's folder. NAME and N stand for any words, and a name without its ending for several files."""
    pattern = re.sub(r"NAME|N\b", "*", path)
    for folder in (ROOT, (ROOT / page).parent):
        if any(folder.glob(pattern)) or len(list(folder.glob(f"{pattern}.*"))) > 1:
            return True
    return False


def test_paths_of_pages():
    named, missing = {}, []
    for page in page_blocks.pages():
        for number, line in enumerate(page_blocks.read(page).splitlines(), 1):
            for path in PATH.findall(line):
                named.setdefault(page, set()).add(path)
                if path not in OTHERS.get(page, ()) and not exists(path, page):
                    missing.append(f"{page}:{number}: {path}")
    require(not missing, "what is not there:\n" + "\n".join(missing))
    unused = [f"{page}: {path}" for page, paths in OTHERS.items() for path in paths - named.get(page, set())]
    require(not unused, f"OTHERS has what no page names: {unused}")
    require(sum(map(len, named.values())) > 200, "pages name paths, and this finds them")


def test_code_has_80_columns():
    """Beside text, such as of logs and pictures, and what commands print."""
    wide = [f"{block.page}:{block.line + k}: {line}" for page in page_blocks.pages() for block in page_blocks.blocks(page)
            for k, line in enumerate(block.text.split("\n")) if block.kind != "text" and len(line) > 80
            and (block.kind != "console" or line.startswith("$ "))]
    require(not wide, "code that is too wide:\n" + "\n".join(wide))
