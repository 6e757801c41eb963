# The directive `gallery`: pictures of examples, side by side.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each line of the directive's content is one example: its folder below examples/, a semicolon, and a caption.

    .. gallery::

       dpd/vesicle; Lipids in water make membranes

The picture is expected.png in that folder. A line with another picture names it: dpd/vesicle/million.png."""

import pathlib

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

EXAMPLES = "../examples"


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
        text, messages = self.state.inline_text(f"{caption}: ``examples/{folder}``", number)
        figure = nodes.figure(classes=["align-default"])
        figure += nodes.image(uri=f"{EXAMPLES}/{picture}", alt=f"Picture of the example {folder}")
        figure += nodes.caption("", "", *text)
        return nodes.container("", figure, *messages, classes=["gallery-entry"])


def setup(app):
    app.add_directive("gallery", Gallery)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
