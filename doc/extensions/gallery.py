# The directive `gallery`: pictures of examples, side by side, and a page for each example.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each line of the directive's content is one example: its folder below examples/, a semicolon, and a caption.

    .. gallery::

       dpd/vesicle; Lipids in water make membranes

The picture is expected.png in that folder. A line with another picture names it: dpd/vesicle/million.png. It leads to the
page of the example, which is its README.md with its input files below it. These pages are written into doc/gallery/ before
Sphinx looks for pages, and are no part of the repository."""

import os
import pathlib
import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

DOC = pathlib.Path(__file__).resolve().parent.parent
TOP = DOC.parent
EXAMPLES = TOP / "examples"
PAGES = DOC / "gallery"


class Gallery(SphinxDirective):
    has_content = True

    def run(self):
        frame = nodes.container(classes=["gallery"])
        for line, source in zip(self.content, self.content.items):
            if line.strip():
                frame += self.entry(line, source[1] + 1)
        return [frame]

    def entry(self, line, number):
        path, separator, caption = (part.strip() for part in line.partition(";"))
        if not separator or not caption:
            raise self.error(f"gallery, line {number}: wanted are a folder, a semicolon and a caption: {line}")
        picture = path if path.endswith(".png") else path + "/expected.png"
        folder = str(pathlib.PurePosixPath(picture).parent)
        if not (EXAMPLES / folder / "README.md").is_file():
            raise self.error(f"gallery, line {number}: examples/{folder} has no README.md")
        text, messages = self.state.inline_text(f"{caption}: ``examples/{folder}``", number)
        image = nodes.image(uri=f"../examples/{picture}", alt=f"Picture of the example {folder}")
        figure = nodes.figure(classes=["align-default"])
        figure += make_refnode(self.env.app.builder, self.env.docname, page_of(folder), "", image)
        figure += nodes.caption("", "", *text)
        return nodes.container("", figure, *messages, classes=["gallery-entry"])


def page_of(folder):
    """Name of the page of the example in that folder below examples/."""
    return "gallery/" + folder.replace("/", "_")


def examples():
    return sorted(str(path.parent.relative_to(EXAMPLES)) for path in EXAMPLES.glob("*/*/README.md"))


def with_links(text, folder):
    """README.md names pages and other examples as files: here these are links. Pictures are where they were."""
    text = re.sub(r"`doc/([a-z0-9_]+)\.rst`", r"{doc}`/\1`", text)
    known = examples()
    text = re.sub(r"`examples/([a-z_]+/[a-z_]+)`",
                  lambda found: f"{{doc}}`examples/{found[1]} </{page_of(found[1])}>`" if found[1] in known else found[0], text)
    return re.sub(r"\]\(([a-z_]+\.png)\)", rf"](../../examples/{folder}/\1)", text)


def inputs(folder):
    """The text that LAMMPS reads, and the programs that come with it."""
    path = EXAMPLES / folder
    for file in sorted(path.glob("in.*")) + sorted(path.glob("*.mol")) + sorted(path.glob("*.py")) + sorted(path.glob("*.sh")):
        language = {".py": "python", ".sh": "sh"}.get(file.suffix, "LAMMPS" if file.name.startswith("in.") else "none")
        yield file.name, language


def page(folder):
    readme = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    parts = [with_links(readme, folder), f"\n## Files\n\nAll are in `examples/{folder}`.\n"]
    parts += [f"\n### {name}\n\n```{{literalinclude}} ../../examples/{folder}/{name}\n:language: {language}\n```\n"
              for name, language in inputs(folder)]
    return "".join(parts)


def write_pages(app, config):
    """Only what has changed, so that nothing is read again without need."""
    PAGES.mkdir(exist_ok=True)
    wanted = {DOC / f"{page_of(folder)}.md": page(folder) for folder in examples()}
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in PAGES.glob("*.md"):
        if path not in wanted:
            os.remove(path)


def setup(app):
    app.add_directive("gallery", Gallery)
    app.connect("config-inited", write_pages)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
