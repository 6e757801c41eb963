"""Each case of the tests of pdb2sop and plot-pull runs in an empty folder.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
