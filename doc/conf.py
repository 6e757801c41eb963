# Sphinx configuration of the manual. requirements.txt has what is needed.
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "extensions"))

project = "DPD/SOP package for LAMMPS"
author = "the authors of the package"
copyright = "the authors of the package. License: GPL-2.0-or-later"
root_doc = "index"
exclude_patterns = ["examples", "data", "requirements.txt"]
extensions = [
    "sphinx.ext.extlinks",
    "sphinx.ext.mathjax",
    "myst_parser",  # READMEs of the examples
    "sphinx-mathjax-offline",  # formulas show without a network
    "gallery",
    "rates",
]
highlight_language = "none"  # where nothing is said; input of LAMMPS is marked as such
extlinks = {"lammps": ("https://docs.lammps.org/%s.html", "%s")}
nitpicky = True
numfig = True

html_theme = "furo"
html_title = "DPD and SOP for LAMMPS"
html_static_path = ["static"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}

linkcheck_timeout = 20
linkcheck_retries = 2
