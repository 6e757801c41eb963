"""The lines of PDB files, made such that gemmi reads all chains of a protein: of files of simulation programs, too, which
do not keep to the format in names of four letters, TER, and names of chains.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import functools
import gzip
import string

from .residue_kinds import LONG, tabulated

LEAST = 10    # residues behind the last TER that are a protein
PEPTIDE = {"N", "CA", "C"}
SIGNS = string.digits + string.ascii_letters + "!#$%&()*+,-./:;<=>?@^_{|}~"

# a piece of a file's chain that gemmi reads as a chain of its own: name of the file's chain, and whether TER ends what
# is before it
Piece = collections.namedtuple("Piece", "chain behind_ter")


def pdb_lines(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="latin-1") as file:
        yield from file


def record_of(line):
    return line[:6].rstrip().upper()


def is_atom(line):
    return line[:4].upper() == "ATOM" or line[:6].upper() == "HETATM"


@functools.cache
def is_water(name):
    return tabulated(name.strip()).is_water()


@functools.cache
def is_amino_acid(name):
    return tabulated(name.strip()).is_amino_acid()


def prepared(path):
    """The lines as gemmi is to read them, or None where these are those of the file; and {name of a chain in them:
    Piece}."""
    of_file = list(pdb_lines(path))
    lines, pieces = told_apart(with_last_ter(with_short_names(of_file)))
    return None if lines == of_file[:len(lines)] else lines, pieces


def with_short_names(lines):
    """Residues with names of four letters, which reach into the column before the chain, get their standard names. What
    stands in that column belongs to such a name if all residues that have it beside the same letter of the chain have
    names of four letters then, and if others beside that letter have names of three; else it is the first letter of the
    chain's name."""
    short, names = set(), collections.defaultdict(set)
    for line in filter(is_atom, lines):
        if line[20:21] == " " and is_amino_acid(line[17:20]):
            short.add(line[21:22])
        else:
            names[line[20:22]].add(line[17:21])
    long = {chain for chain, found in names.items() if found <= LONG.keys() and chain[1:] in short}
    return [line[:17] + LONG[line[17:21]] + " " + line[21:] if is_atom(line) and line[20:22] in long else line
            for line in lines]


def with_last_ter(lines):
    """gemmi takes amino acids behind the last TER for ligands, as they are in files of the Protein Data Bank. Programs
    that write TER between proteins do not always write it behind the last one: LEAST residues and more get theirs
    here, in each model."""
    result, seen, last, residues = [], False, 0, set()

    def end_model():
        if seen and len(residues) >= LEAST:
            result.insert(last, "TER\n")

    for line in lines:
        record = record_of(line)
        if record in ("MODEL", "ENDMDL", "END"):
            end_model()
            seen, residues = False, set()
        elif record == "TER":
            seen, residues = True, set()
        result.append(line)
        if record == "ATOM" and is_amino_acid(line[17:20]):
            last = len(result)
            residues.add((line[72:76], line[20:27]))
    end_model()
    return result


def in_models(lines):
    """Lists of lines, each of which begins with MODEL, but for the first."""
    begins = [k for k, line in enumerate(lines) if record_of(line) == "MODEL"]
    return [lines[begin:end] for begin, end in zip([0, *begins], [*begins, len(lines)])]


class PieceNames:
    """Names of pieces of chains that no chain of the file has. Those of each model are the same."""

    def __init__(self, lines):
        used = {line[20:22] for line in lines if is_atom(line)}
        self.unused = (a + b for a in SIGNS for b in SIGNS if a + b not in used)
        self.names, self.pieces = {}, {}

    def of(self, chain, number, behind_ter):
        key = chain, number, behind_ter
        if key not in self.names:
            self.names[key] = next(self.unused, None)
            if self.names[key] is None:
                raise ValueError(f"more than {len(self.pieces)} chains have no name of their own")
            self.pieces[self.names[key]] = Piece(chain[0].strip(), behind_ter)
        return self.names[key]


def told_apart(lines):
    """gemmi takes residues of one chain name, number and kind for one residue, even if they belong to two chains that
    share a name or have none, and takes what is behind the TER of its chain for ligands. So where the atoms of a residue
    come for the second time, or an amino acid comes behind the TER of its chain and before another TER of it, the rest
    of the chain gets a name of its own here, and so does water inside of a chain, behind which gemmi expects no more of
    it. Returns the lines, and {name made: Piece}."""
    names, result = PieceNames(lines), []
    for model in in_models(lines):
        result += with_pieces(model, names)
    return result, names.pieces


def chain_of(line):
    """Name of the chain, and segment ID."""
    return line[20:22], line[72:76].strip()


def ended_chains(lines):
    """How often TER ends each chain of a model."""
    times, chain = collections.Counter(), None
    for line in lines:
        if record_of(line) == "TER":
            times[chain] += 1
        elif is_atom(line) and not is_water(line[17:20]):
            chain = chain_of(line)
    return times


def residues_of(lines):
    """What with_pieces asks of a model: (chain_of, columns of the residue) of all amino acids, known by their names or by the
    atoms N, CA and C; and {chain_of: number of the last line of one}."""
    atoms, last_line, last = collections.defaultdict(set), {}, {}
    for k, line in enumerate(lines):
        if is_atom(line):
            key = chain_of(line), line[17:27]
            atoms[key].add(line[12:16].strip())
            last_line[key] = k
    found = {key for key, names in atoms.items() if is_amino_acid(key[1][:3]) or PEPTIDE <= names}
    for key in found:
        last[key[0]] = max(last.get(key[0], 0), last_line[key])
    return found, last


def with_pieces(lines, names):
    """The lines of a model, see told_apart."""
    amino_acids, last = residues_of(lines)
    result, seen, count, name, before, ended, ends = [], {}, collections.Counter(), {}, None, set(), ended_chains(lines)
    for k, line in enumerate(lines):
        if record_of(line) == "TER" and before:
            ended.add(before[0])
            ends[before[0]] -= 1
        elif is_atom(line):
            chain, residue, atom = chain_of(line), line[17:27], line[12:17]
            if is_water(line[17:20]):
                is_inside = k < last.get(chain, -1)
                result.append(renamed(line, names.of(chain, 0, False)) if is_inside else line)
                continue
            again = (chain, residue) != before and atom in seen.get(chain, {}).get(residue, ())
            behind_ter = chain in ended and ends[chain] > 0
            if (chain, residue) in amino_acids and (again or behind_ter):
                count[chain] += 1
                name[chain] = names.of(chain, count[chain], behind_ter)
                seen[chain] = {}
                ended.discard(chain)
            seen.setdefault(chain, {}).setdefault(residue, set()).add(atom)
            before = chain, residue
            line = renamed(line, name[chain]) if chain in name else line
        result.append(line)
        if record_of(line) == "END":
            break    # nor does gemmi read on
    return result


def renamed(line, chain):
    return line[:20] + chain + line[22:]
