"""Kinds of residue, and the names that simulation programs give to them.

SPDX-License-Identifier: GPL-2.0-or-later"""

import gemmi

# protonation states and bonded forms of standard amino acids, by their names in CHARMM, NAMD and Amber
SIMULATED = {"HSD": "HIS", "HSE": "HIS", "HSP": "HIS", "HID": "HIS", "HIE": "HIS", "HIP": "HIS", "CYX": "CYS",
             "CYM": "CYS", "ASH": "ASP", "GLH": "GLU", "LYN": "LYS"}

STANDARD = gemmi.expand_one_letter_sequence("ACDEFGHIKLMNPQRSTVWY", gemmi.ResidueKind.AA)

# names of four letters: protonation states in GROMACS, and the first and the last residue of a chain in Amber's force
# fields there (NMET, CGLY, NHID)
LONG = {"ASPH": "ASP", "ASPP": "ASP", "GLUH": "GLU", "GLUP": "GLU", "LYSH": "LYS", "ARGN": "ARG",
        "CYSH": "CYS", "CYS1": "CYS", "CYS2": "CYS",
        **{name: "HIS" for name in ("HIS1", "HIS2", "HISA", "HISB", "HISD", "HISE", "HISH")},
        **{end + name: name for end in "NC" for name in (*STANDARD, *SIMULATED)}}


def kind(name):
    """The standard amino acid of which this is a form, or the name as it is."""
    return SIMULATED.get(name, name)


def tabulated(name):
    """What gemmi knows of a kind of residue."""
    return gemmi.find_tabulated_residue(kind(name))
