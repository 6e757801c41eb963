"""Biological assemblies: which images of which chains a structure file says that they consist of.

gemmi reads the remarks of PDB files. Of mmCIF files it reads the tables, and the expressions in them are evaluated
here: gemmi 0.7.5 takes the first factor only of products such as (1-60)(61-88), and leaves out unknown operators.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import functools
import itertools
import math
import re

import gemmi
import numpy as np

from .files import BadInput, listed, printable
from .structure import chain_name

MAX_IMAGES = 100000
MATRIX = [f"matrix[{a}][{b}]" for a in (1, 2, 3) for b in (1, 2, 3)]
VECTOR = [f"vector[{a}]" for a in (1, 2, 3)]
FACTORS = re.compile(r"[^()]+|(\([^()]+\))+")

# count: number of operators, 0 where they cannot be read; operators(): the list of (rotation, shift); text: as written
Generator = collections.namedtuple("Generator", "chains subchains count operators text")


class Image:
    """A rotation and a shift of some of the residues. index: the bead that residue k becomes, or -1."""

    def __init__(self, rotation, shift, chosen):
        self.rotation, self.shift, self.chosen, self.index = rotation, shift, chosen, None

    def move(self, x):
        return np.asarray(x) @ self.rotation.T + self.shift


def assemblies(structure, document):
    """{name: generators} of the file."""
    if len(document) > 0:
        return from_tables(document[0])
    return {assembly.name: [from_remark(generator) for generator in assembly.generators]
            for assembly in structure.assemblies}


def from_remark(generator):
    operators = [(np.array(operator.transform.mat.tolist()), np.array(operator.transform.vec.tolist()))
                 for operator in generator.operators]
    chains = {chain_name(name) for name in generator.chains}
    return Generator(chains, set(), len(operators), lambda: operators, "REMARK 350")


# ------------------------------------------------------------------------------------------ mmCIF

def from_tables(block):
    text = gemmi.cif.as_string
    known = {}
    for row in block.find("_pdbx_struct_oper_list.", ["id"] + MATRIX + VECTOR):
        numbers = np.array([gemmi.cif.as_number(word) for word in list(row)[1:]])
        known[text(row[0])] = (numbers[:9].reshape(3, 3), numbers[9:])
    found = {}
    for row in block.find("_pdbx_struct_assembly_gen.", ["assembly_id", "oper_expression", "asym_id_list"]):
        name, expression, subchains = (text(word) for word in row)
        factors = parse(expression, known)
        found.setdefault(name, []).append(Generator(
            set(), {word.strip() for word in subchains.split(",")}, math.prod(len(factor) for factor in factors),
            functools.partial(product, factors, known), printable(expression)))
    return found


def parse(expression, known):
    """Lists of the operators' names in an expression such as 1,2 or (1-60)(61,62). A factor that cannot be read is
    empty: an error where the assembly is asked for."""
    text = "".join(expression.split())
    if not FACTORS.fullmatch(text):
        return [[]]
    return [names_of(factor, known) for factor in text.strip("()").split(")(")]


def names_of(factor, known):
    names = []
    for word in factor.split(","):
        begin, _, end = word.partition("-")
        if word in known:
            names.append(word)
        elif begin.isdecimal() and end.isdecimal() and 0 <= int(end) - int(begin) < len(known):
            names += [str(number) for number in range(int(begin), int(end) + 1)]
        else:
            return []
    return names if all(name in known for name in names) else []


def product(factors, known):
    """The operators of an expression; of the factors, the last is applied first."""
    operators = []
    for names in itertools.product(*factors):
        rotation, shift = np.eye(3), np.zeros(3)
        for name in reversed(names):
            next_rotation, next_shift = known[name]
            rotation, shift = next_rotation @ rotation, next_rotation @ shift + next_shift
        operators.append((rotation, shift))
    return operators


# ----------------------------------------------------------------------------------------- images

def images(path, structure, document, residues, name):
    """The images that an assembly consists of, in the order of the file."""
    found = assemblies(structure, document)
    if name not in found:
        there = f"there are: {listed(found, 100)}" if found else "the file has none"
        raise BadInput(f"{path}: --assembly {name}: no such biological assembly; {there}")
    result = []
    for generator in found[name]:
        if generator.count == 0 or generator.count > MAX_IMAGES:
            raise BadInput(f"{path}: --assembly {name}: its operators, '{generator.text}', are not 1 to {MAX_IMAGES} "
                           "that the file has")
        chosen = np.array([residue.file_chain in generator.chains or residue.subchain in generator.subchains
                           for residue in residues])
        if chosen.any():
            result += [Image(rotation, shift, chosen) for rotation, shift in checked(path, name, generator)]
    if not result:
        raise BadInput(f"{path}: --assembly {name}: has none of the chains")
    return result


def checked(path, name, generator):
    operators = generator.operators()
    for number, (rotation, shift) in enumerate(operators, 1):
        if not is_rotation(rotation) or not np.all(np.isfinite(shift)):
            raise BadInput(f"{path}: --assembly {name}: operator {number} is not a rotation and a shift")
    return operators


def is_rotation(matrix):
    return (np.all(np.isfinite(matrix)) and np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-2)
            and np.linalg.det(matrix) > 0.0)


def identity(residues):
    """The coordinates of the file as they are."""
    return [Image(np.eye(3), np.zeros(3), np.ones(len(residues), dtype=bool))]


def others(structure, document):
    """What the file describes beyond its own coordinates, in words; empty if nothing."""
    sizes = {name: sum(generator.count for generator in generators)
             for name, generators in assemblies(structure, document).items()}
    if not any(count > 1 for count in sizes.values()):
        return []
    names = listed(f"{name} ({count} images)" for name, count in sizes.items() if count > 0)
    return [f"biological assemblies in the file: {names}; --assembly builds one"]
