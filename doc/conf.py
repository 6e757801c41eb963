# Sphinx configuration of the manual pages. Nothing beyond Sphinx itself is needed.
# SPDX-License-Identifier: GPL-2.0-or-later
project = "DPD/SOP package for LAMMPS"
author = "the authors of the package"
copyright = "GPL-2.0-or-later"
root_doc = "index"
exclude_patterns = ["examples"]
highlight_language = "none"  # LAMMPS input is no language that Sphinx knows
html_theme = "nature"
html_copy_source = False
html_show_sphinx = False
nitpicky = True
numfig = True
