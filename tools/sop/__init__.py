# The parts of tools/pdb2sop: structure file, assembly of the beads, contacts, output.
# SPDX-License-Identifier: GPL-2.0-or-later
