"""Small random inputs of LAMMPS: Case(number) is made of choices, each drawn from a table below, and writes them as text.

The number alone decides what a case is: draws are random() of Python's Mersenne Twister, which is the same in all versions,
and arithmetic that rounds in one way only.

An Item may have reasons why results must not be compared. ranks: why other numbers of ranks may give other bits. own: why the
first forces are not those of LAMMPS's own pair style. Where a reason is empty, everything is compared.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import random
import re
from dataclasses import dataclass

from random_inputs_tables import BETWEEN, COMMUNICATION, DECLARED_FIXES, FIXES, GROUPS, LISTS, MOTIONS, OUTPUTS, RUNS, TILES, WALLS, Item

SEED = 20261125
CUTOFF = 1.0
STATE = "id type ix iy iz x y z vx vy vz fx fy fz"
TIME_STEPS = (0.01, 0.01, 0.005, 0.02, 0.0078125, 0.015625, 0.03125, 0.0001, 2.0**-20)


class Draw:
    """Random choices of one case."""

    def __init__(self, number):
        self.random = random.Random(SEED * 2**32 + number).random

    def below(self, count):
        return int(self.random() * count)

    def pick(self, *options):
        return options[self.below(len(options))]

    def chance(self, probability):
        return self.random() < probability

    def between(self, low, high):
        return low + (high - low) * self.random()

    def number(self, low, high):
        """Few digits, as people write them."""
        return round(self.between(low, high), 2)

    def normal(self):
        """Mean 0, variance 1, and never beyond 6."""
        return sum(self.random() for _ in range(12)) - 6.0

    def item(self, table, case):
        """One of the items that fit to the case, by weight."""
        fit = [item for item in table if item.when(case)]
        at = self.random() * sum(item.weight for item in fit)
        for item in fit:
            at -= item.weight
            if at < 0.0:
                return item
        return fit[-1]


@dataclass
class Box:
    kind: str
    low: list
    edges: list
    tilt: list         # xy xz yz; None: orthogonal
    boundary: list     # "p", "f", "s", "m", "fs", ...
    filled: list       # fractions of each edge where atoms are

    def periodic(self, axis):
        return self.boundary[axis] == "p"

    @property
    def volume(self):
        """Of what is filled; a layer counts as one cutoff thick."""
        return math.prod(max(0.3, e * (b - a)) for e, (a, b) in zip(self.edges, self.filled))


def draw_box(draw):
    kind = draw.pick("ordinary", "ordinary", "ordinary", "narrow", "narrow", "tiny", "long", "long", "huge", "droplet",
                     "triclinic", "triclinic", "flat")
    edges = [draw.number(4.0, 7.0) for _ in range(3)]
    low = [draw.pick(0.0, 0.0, -2.5, draw.number(-5.0, 5.0))] * 3
    filled = [(0.0, 1.0)] * 3
    boundary = ["p"] * 3
    tilt = None
    axis = draw.below(3)
    if kind == "narrow":
        edges[axis] = draw.number(0.5, 2.2)
        if draw.chance(0.3):
            edges[(axis + 1) % 3] = draw.number(0.5, 2.2)
    elif kind == "tiny":
        edges = [draw.number(0.5, 2.2) for _ in range(3)]
    elif kind in ("long", "droplet"):
        edges[axis] = draw.number(12.0, 25.0)
        begin = draw.number(0.0, 0.6)
        filled[axis] = (begin, begin + 0.25)
        if kind == "droplet":
            filled[(axis + 1) % 3] = (0.3, 0.6)
    elif kind == "huge":
        # within what resolves positions, and beyond, where it must be refused or right in words
        edge = draw.pick(1e3, 1e4, 1e5, 1e6, 1e8, 2e9)
        edges = [edge] * 3
        middle = draw.number(0.0, 0.9)
        filled = [(middle, middle + 4.0 / edge)] * 3
    elif kind == "flat":
        edges[2], low[2] = 1.0, -0.5
        filled[2] = (0.5, 0.5)
    if kind != "flat" and draw.chance(0.35):
        for k in range(3):
            boundary[k] = draw.pick("p", "p", "f", "s", "m", "fs", "ms")
    if kind == "triclinic" or kind in ("narrow", "long") and draw.chance(0.2):
        tilt = [draw.pick(0.0, draw.number(-0.5, 0.5)) for _ in range(3)]
        tilt = [round(t * e, 3) for t, e in zip(tilt, (edges[0], edges[0], edges[1]))]
        if boundary[1] != "p":    # LAMMPS wants the second direction of a tilt periodic
            tilt[0] = 0.0
        if boundary[2] != "p":
            tilt[1] = tilt[2] = 0.0
    return Box(kind, low, edges, tilt, boundary, filled)


class Case:
    """One input. Its choices are drawn in __init__, in this order; text() and data() write them."""

    def __init__(self, number):
        draw = Draw(number)
        self.number, self.draw = number, draw
        self.ranks = draw.pick(1, 1, 2, 2, 2, 2, 3, 4)
        self.grid = draw.pick("", "", f"processors 1 1 {self.ranks}", f"processors {self.ranks} 1 1",
                              f"processors 1 {self.ranks} 1")
        self.box = draw_box(draw)
        if self.box.kind in ("narrow", "tiny") and self.ranks > 2 and draw.chance(0.8):
            self.ranks, self.grid = 2, ""    # thin slabs of many ranks need many messages, and time
        self.flat = self.box.kind == "flat"
        if self.flat:
            self.grid = self.grid and "processors * * 1"
        self.types = draw.pick(1, 1, 2, 3)
        self.dt = draw.pick(*TIME_STEPS)
        self.newton = draw.pick("", "", "newton off", "newton on off", "newton off on")
        self.masses = [draw.pick(1.0, 1.0, 2.0, 1.7) for _ in range(self.types)]
        self.temperature = draw.pick(0.0, 1.0, 1.0, 1.0, 0.01, 3.0)
        self.one_moves = self.temperature == 0.0 and draw.chance(0.3)
        self.count = self.draw_count()
        self.draw_pair()
        self.draw_chains()
        self.draw_atoms()
        self.words = self.draw_words()
        self.groups = [item for item in GROUPS if draw.chance(item.weight)]
        self.draw_steps()
        self.declares = draw.chance(0.5)    # fixes are this package's, where it has them

    # ------------------------------------------------------------------------------------------ choices

    def draw_count(self):
        draw, dense = self.draw, max(2, int(3.0 * min(self.box.volume, 110.0)))
        count = draw.pick(dense, dense, dense, dense, draw.pick(0, 1, 2, 3), 3 + draw.below(30))
        if count < 33 and self.box.kind in ("ordinary", "triclinic", "long", "droplet") and draw.chance(0.7):
            # a few that meet
            self.box.filled = [(low, low + 1.2 / edge) for low, edge in zip((0.1, 0.3, 0.5), self.box.edges)]
        if self.box.kind == "ordinary" and draw.chance(0.02):
            count = 1000 + draw.below(4001)
            factor = (count / (3.0 * math.prod(self.box.edges)))**(1.0 / 3.0)
            self.box.edges = [round(edge * factor, 2) for edge in self.box.edges]
            self.box.filled = [(0.0, 1.0)] * 3
        return count

    def draw_pair(self):
        """Styles, coefficients and cutoffs. Each sub-style is one Sub."""
        draw = self.draw
        self.precision = draw.pick("", "", "precision mixed", "precision double", "precision double")
        self.neigh = draw.pick("", "", "", "neigh own")
        style = draw.pick("dpd", "dpd", "dpd", "dpd/ext", "dpd/tstat")
        self.subs = [self.draw_sub(style, draw.pick(1.0, 1.0, 0.0, 0.5))]
        self.suffix = draw.chance(0.1)
        self.hybrid, self.plain = "", ""
        if draw.chance(0.15):
            self.hybrid = "hybrid/overlay"
            if draw.chance(0.6):
                self.subs.append(self.draw_sub(draw.pick("dpd", "dpd/ext", "dpd/tstat"), 1.0))
                if draw.chance(0.5):
                    self.subs[1]["seed"] = self.subs[0]["seed"]
            else:
                self.plain = draw.pick("soft", "lj/cut/gpu", "zero", "lj/cut", "lj/cut/gpu")

    def draw_sub(self, style, kT):
        draw = self.draw
        sub = {"style": style, "kT": kT, "seed": 1 + draw.below(99999), "coefficients": []}
        different = draw.chance(0.4)
        row = self.draw_coefficients()
        for i in range(1, self.types + 1):
            for j in range(i, self.types + 1):
                sub["coefficients"].append((i, j, self.draw_coefficients() if different else row))
        return sub

    def draw_coefficients(self):
        draw = self.draw
        return {"a": draw.number(5.0, 40.0), "gamma": draw.pick(4.5, draw.number(0.5, 9.0), 0.0),
                "across": draw.number(0.0, 4.0),
                "cutoff": draw.pick(CUTOFF, CUTOFF, draw.number(0.7, 1.4)), "power": draw.pick(1.0, 1.0, 0.25, 0.5),
                "power_across": draw.pick(1.0, 0.5)}

    @property
    def reach(self):
        return max(row["cutoff"] for sub in self.subs for _, _, row in sub["coefficients"])

    def draw_chains(self):
        """Molecules: beads along random walks. A box must be wider than bonds are long."""
        draw = self.draw
        self.length, self.bond, self.angle, self.dihedral, self.improper = 0, "", "", "", ""
        if min(self.box.edges) < 3.0 or self.flat or self.count < 4 or draw.chance(0.65):
            return
        self.length = draw.pick(2, 3, 5, 10)
        self.bond = draw.pick("harmonic", "harmonic/gpu", "fene", "fene/gpu")
        self.angle = draw.pick("", "harmonic", "cosine", "harmonic/gpu", "cosine/gpu") if self.length > 2 else ""
        if self.length > 3:
            self.dihedral = draw.pick("", "", "harmonic", "charmm/gpu", "opls", "opls/exact/gpu")
            self.improper = draw.pick("", "", "harmonic", "harmonic/gpu")
        self.dt, self.temperature = min(self.dt, 0.01), min(self.temperature, 1.0)    # else bonds break at once
        self.special = draw.pick("special_bonds lj 1.0 1.0 1.0", "special_bonds lj 0.0 1.0 1.0",
                                 "special_bonds lj 0.0 0.5 1.0", "")

    def draw_atoms(self):
        draw, box = self.draw, self.box
        spread = draw.pick(1, 1, 1, 7)    # IDs need not be consecutive
        order = list(range(self.count))
        for k in range(self.count - 1, 0, -1):
            other = draw.below(k + 1)
            order[k], order[other] = order[other], order[k]
        self.ids = [1 + spread * k for k in order]
        self.atom_types = [1 + draw.below(self.types) for _ in range(self.count)]
        # now and then all are at one place, where the forces of the package are zero, and others infinite
        pile = [draw.between(*part) for part in box.filled] if draw.chance(0.02) else None
        if self.length or self.plain:
            pile = None
        self.places, self.speeds, self.on_face = [], [], draw.chance(0.1)
        for k in range(self.count):
            self.places.append(self.next_bead(k) if self.length and k % self.length else
                               pile if pile else [self.draw_place(axis) for axis in range(3)])
            scale = math.sqrt(self.temperature / self.masses[self.atom_types[k] - 1])
            speed = [scale * draw.normal() for _ in range(3)]
            if self.one_moves and k == 0:
                speed = [0.3, -0.2, 0.1]
            self.speeds.append(speed[:2] + [0.0] if self.flat else speed)

    def draw_place(self, axis):
        """In fractions; now and then on a face, or so near that the way into the box rounds."""
        if self.on_face and self.box.periodic(axis) and self.box.filled[axis] == (0.0, 1.0) and self.draw.chance(0.02):
            return self.draw.pick(0.0, 1.0, -1e-18, 1.0 - 2.0**-53)
        return self.draw.between(*self.box.filled[axis])

    def next_bead(self, k):
        """The next bead of a chain, in fractions; it is wrapped, or turned back at a wall."""
        draw, place = self.draw, list(self.places[-1])
        step = [draw.between(-0.4, 0.4) for _ in range(3)]
        step[draw.below(3)] = draw.pick(-0.45, 0.45)    # beads are never at one place
        for axis in range(3):
            moved = place[axis] + step[axis] / self.box.edges[axis]
            if self.box.periodic(axis):
                place[axis] = moved % 1.0
            else:
                place[axis] = moved if 0.0 < moved < 1.0 else 2.0 * place[axis] - moved
        return place

    def draw_words(self):
        """Values that the texts of items may use."""
        draw, box = self.draw, self.box
        axis = draw.below(2 if self.flat else 3)
        walls = [k for k in range(3) if not box.periodic(k)]
        wall = walls[draw.below(len(walls))] if walls else 0
        faces = " ".join(f"{'xyz'[k]}lo EDGE {'xyz'[k]}hi EDGE" for k in walls)
        return {"faces": faces, "axis": "xyz"[axis], "wall": "xyz"[wall],
                "number": draw.number(0.1, 0.9), "small": draw.number(0.01, 0.2),
                "every": draw.pick(2, 3, 5, 7), "seed": 1 + draw.below(9999), "style": self.subs[0]["style"] + "/gpu",
                "some": self.ids[draw.below(len(self.ids))] if self.ids else 1, "type": 1 + draw.below(self.types),
                "middle": repr(box.low[axis] + 0.5 * box.edges[axis]), "low": repr(box.low[axis]),
                "ranks": self.ranks, "move": draw.number(-1.5, 1.5),
                "slab": " ".join(f"{box.low[k] + 0.5 * box.edges[k]!r} INF" if k == axis else "INF INF" for k in range(3))}

    def draw_steps(self):
        """How atoms move, what acts on them, how lists are made, what is written, and the runs."""
        draw = self.draw
        self.names = ["all", "all"] + [item.kind for item in self.groups]
        self.neighbor = "nsq" if self.box.kind == "huge" else draw.pick("bin", "bin", "bin", "nsq", "multi")
        self.lists = draw.item(LISTS, self)
        # LAMMPS clears no forces of other atoms: they have what their memory had
        self.shown = "first" if self.lists.kind == "first" else "all"
        fastest = 6.0 * math.sqrt(max(self.temperature, 1.0))
        # without a check the skin must hold what the fastest atom can do, for LAMMPS and for us
        longest = fastest * self.dt * self.lists.steps
        self.skin = draw.pick(0.3, 0.3, 0.1, 0.5) if self.lists.steps < 2 else round(max(0.3, 2.0 * longest), 2)
        self.communication = draw.item(COMMUNICATION, self)
        self.sort = draw.pick("", f"atom_modify sort {draw.pick(3, 7)} 0.0", "atom_modify sort 0 0.0")
        if self.box.kind == "huge":
            self.sort = "atom_modify sort 0 0.0"    # LAMMPS has too many bins there
        self.motion = draw.item(MOTIONS, self)
        self.fixes = []
        if any(boundary not in ("p", "s") for boundary in self.box.boundary) and draw.chance(0.7):
            self.fixes.append((WALLS, "all"))    # else atoms are lost soon
        for _ in range(draw.pick(0, 1, 1, 2, 2, 3)):
            fix = draw.item(FIXES, self)
            if fix.kind not in [other.kind for other, _ in self.fixes]:
                self.fixes.append((fix, draw.pick(*self.names)))
        self.outputs = [draw.item(OUTPUTS, self)] if draw.chance(0.5) else []
        self.thermo = draw.pick(1, 2, 5, 10, 1000)
        self.dump_every = draw.pick(1, 3, 5, 5, 10, 10, 1000)
        self.steps = []
        for k in range(draw.pick(1, 2, 2, 3, 4)):
            if k and draw.chance(0.7):
                self.steps.append(draw.item(BETWEEN, self))
            length = draw.pick(0, 1, 3, 5, 10, 15)
            run = draw.item(RUNS, self).text if k else "run LENGTH"
            self.steps.append(Item(run.replace("LENGTH", str(length)), kind="light"))

    # --------------------------------------------------------------------------------------------- text

    @property
    def items(self):
        return [*self.groups, self.lists, self.communication, self.motion, *(fix for fix, _ in self.fixes),
                *self.outputs, *self.steps]

    def reason(self, name):
        """The first reason of the items and of what is not in a table."""
        for item in self.items:
            exact = self.declared(item.text) != item.text
            if getattr(item, name) and not (name == "ranks" and exact):
                return getattr(item, name)
        if self.box.tilt and self.communication.kind == "tiled":
            return TILES
        if name == "own" and self.plain == "lj/cut/gpu":
            return "where two atoms nearly touch, the error of the force of lj/cut exceeds most forces"
        if name == "own" and self.on_face:
            return "LAMMPS's own list misses pairs of an atom that rounds onto a face of the box"
        if name == "ranks":
            if self.length:
                return "LAMMPS adds the forces of bonds in an order that depends on the ranks"
            if self.plain not in ("", "lj/cut/gpu"):
                return "LAMMPS adds the forces of the other pair style in an order that depends on the ranks"
        return ""

    def declared(self, text):
        """The same fixes and regions of this package, in the cases that have them: their results depend on no number of ranks."""
        if not self.declares or "variable push atom" in text:    # those are LAMMPS's alone
            return text
        text = re.sub(r"^(fix \S+ \S+ (?:%s))(?= |$)" % "|".join(DECLARED_FIXES), r"\1/exact/gpu", text, flags=re.M)
        return re.sub(r"^(region \S+ (?:block|sphere|cylinder|plane|union|intersect))(?= )", r"\1/exact/gpu", text, flags=re.M)

    @property
    def order_of_atoms_varies(self):
        """With balance rcb, ranks take atoms in the order in which messages come: the next run of LAMMPS may have another
        order, which sums, and forces that LAMMPS adds, show in their last bits."""
        return self.communication.kind == "tiled" and bool(self.reason("ranks"))

    def data(self):
        """The data file: atoms with velocities, and chains."""
        box, count = self.box, self.count
        rows, speeds, bonds, angles, fours = [], [], [], [], []
        for k, place in enumerate(self.places):
            xy, xz, yz = box.tilt or (0.0, 0.0, 0.0)
            a, b, c = (edge * part for edge, part in zip(box.edges, place))
            # tilted vectors of the box, in fractions of their own lengths
            x = [box.low[0] + a + xy * place[1] + xz * place[2], box.low[1] + b + yz * place[2], box.low[2] + c]
            molecule = f"{1 + k // self.length} " if self.length else ""
            rows.append(f"{self.ids[k]} {molecule}{self.atom_types[k]} {x[0]!r} {x[1]!r} {x[2]!r}")
            speeds.append(f"{self.ids[k]} " + " ".join(map(repr, self.speeds[k])))
            if self.length and k % self.length >= 1:
                bonds.append(f"{len(bonds) + 1} 1 {self.ids[k - 1]} {self.ids[k]}")
            if self.angle and k % self.length >= 2:
                angles.append(f"{len(angles) + 1} 1 {self.ids[k - 2]} {self.ids[k - 1]} {self.ids[k]}")
            if self.length and k % self.length >= 3:
                fours.append(f"{len(fours) + 1} 1 " + " ".join(str(self.ids[k - m]) for m in (3, 2, 1, 0)))
        dihedrals, impropers = fours if self.dihedral else [], fours if self.improper else []
        lines = [f"case {self.number}", "", f"{count} atoms", f"{self.types} atom types"]
        if self.length:
            lines += [f"{len(bonds)} bonds", "1 bond types", "4 extra bond per atom", "8 extra special per atom"]
        if self.angle:
            lines += [f"{len(angles)} angles", "1 angle types"]
        for name, part in (("dihedral", dihedrals), ("improper", impropers)):
            lines += [f"{len(part)} {name}s", f"1 {name} types"] if part else []
        lines += [f"{low!r} {low + edge!r} {axis}lo {axis}hi" for axis, low, edge in zip("xyz", box.low, box.edges)]
        if box.tilt:
            lines += [" ".join(map(repr, box.tilt)) + " xy xz yz"]
        lines += ["", "Masses", "", *(f"{k + 1} {mass}" for k, mass in enumerate(self.masses))]
        for name, part in (("Atoms", rows), ("Velocities", speeds), ("Bonds", bonds), ("Angles", angles),
                           ("Dihedrals", dihedrals), ("Impropers", impropers)):
            if part:
                lines += ["", name, "", *part]
        return "\n".join(lines) + "\n"

    def pair_commands(self, backend, own=False, cold=False):
        """pair_style and pair_coeff. own: LAMMPS's styles. cold: without noise."""
        styles, coefficients = [], []
        words = " ".join(filter(None, [self.precision, "backend " + backend, self.neigh]))
        for k, sub in enumerate(self.subs):
            name = self.own_style(sub) if own else sub["style"] + "/gpu"
            kT = 0.0 if cold else sub["kT"]
            temperatures = f"{kT} {kT}" if name.startswith("dpd/tstat") else f"{kT}"
            styles.append(f"{name} {temperatures} {CUTOFF} {sub['seed']}" + ("" if own else " " + words))
            twice = len(self.subs) == 2 and self.named(self.subs[0], own) == self.named(self.subs[1], own)
            label = f"{name} {k + 1} " if twice else f"{name} " if self.hybrid else ""
            coefficients += [f"pair_coeff {i} {j} {label}" + coefficients_of(name, sub["style"], row)
                             for i, j, row in sub["coefficients"]]
        if self.plain:
            name = self.plain.removesuffix("/gpu") if own else self.plain
            settings, values = {"soft": ("1.0", "3.0"), "zero": ("1.0", "")}.get(self.plain, ("0.5", "3.0 0.03"))
            styles.append(f"{name} {settings}" + (f" {words}" if name == "lj/cut/gpu" else ""))
            coefficients.append(f"pair_coeff * * {name} {values}")
        command = f"pair_style {self.hybrid} " + " ".join(styles)
        return (["suffix gpu", command, "suffix off"] if self.suffix and not own else [command]) + coefficients

    def named(self, sub, own):
        return self.own_style(sub) if own else sub["style"]

    @staticmethod
    def own_style(sub):
        """LAMMPS's style with these forces: dpd/ext is the one that has exponents."""
        return sub["style"] if all(row["power"] == 1.0 for _, _, row in sub["coefficients"]) else "dpd/ext"

    def head(self, ranks):
        box = self.box
        lines = ["units lj", self.newton, self.grid if ranks > 1 else "", "dimension 2" if self.flat else "",
                 "boundary " + " ".join(box.boundary), f"atom_style {'molecular' if self.length else 'atomic'}",
                 "atom_modify map yes", self.sort, "comm_style tiled" if self.communication.kind == "tiled" else ""]
        if self.length:
            lines += [f"bond_style {self.bond}", f"angle_style {self.angle}" if self.angle else "",
                      f"dihedral_style {self.dihedral}" if self.dihedral else "", f"improper_style {self.improper}" if self.improper else "", self.special]
        lines += ["read_data case.data"]
        if self.length:
            lines += ["bond_coeff 1 " + {"harmonic": "30.0 0.5", "fene": "30.0 1.5 1.0 0.4"}[self.bond.split("/")[0]]]
        if self.angle:
            lines += ["angle_coeff 1 " + {"harmonic": "5.0 150.0", "cosine": "4.0"}[self.angle.split("/")[0]]]
        if self.dihedral:
            lines += ["dihedral_coeff 1 " + {"harmonic": "0.7 -1 3", "charmm": "1.0 2 150 0", "opls": "1.0 -0.5 0.7 0.2"}[self.dihedral.split("/")[0]]]
        lines += ["improper_coeff 1 1.5 120"] if self.improper else []
        return lines

    def settings(self, run_style, own, variant):
        """What is said before the first run, and again after read_restart."""
        fill = self.words
        lines = [item.text.format(**fill) for item in self.groups]
        lines += ["atom_modify first first"] if "first" in (self.lists.kind, self.communication.kind) else []
        lines += [f"neighbor {self.skin} {self.neighbor}", "neigh_modify " + self.lists.text.format(**fill),
                 "comm_modify vel yes" if own else "", self.communication.text.format(**fill)]
        lines += [f"run_style {run_style}", self.declared(self.motion.text).format(**fill), "fix flat all enforce2d" if self.flat else ""]
        lines += [f"timestep {self.dt!r}"]
        if variant == "first":
            return lines
        for k, (fix, group) in enumerate(self.fixes):
            lines.append(self.declared(fix.text).format(group=group, id=f"f{k}", **fill))
        lines += [item.text.format(**fill) for item in self.outputs]
        return lines + [f"thermo {self.thermo}", "thermo_modify format float %.17g"]

    def text(self, run_style, ranks, backend="host"):
        """The whole input."""
        lines = self.head(ranks) + self.pair_commands(backend) + self.settings(run_style, False, "whole")
        dump = f"dump d {self.shown} custom {self.dump_every} all.*.dump {STATE}\ndump_modify d sort id format float %.17g"
        lines.append(dump)
        runs = 0
        for item in self.steps:
            if item.kind == "restart":
                again = self.settings(run_style, False, "whole")
                lines += ["write_restart case.restart", "clear", *self.head(ranks)[1:3], "atom_modify map yes",
                          "read_restart case.restart", *again, dump, "run 0"]
            else:
                lines.append(item.text.format(RUN_STYLE=run_style, DUMP=dump, **self.words))
            if item.text.startswith("run "):
                runs += 1
                lines.append(f"write_dump {self.shown} custom end.{runs}.dump {STATE} modify sort id format float %.17g")
        return "\n".join(filter(None, lines)) + "\n"

    def first_forces(self, ranks, own, backend="host"):
        """The forces of the first step without noise, by the package's styles or by LAMMPS's."""
        lines = self.head(ranks) + self.pair_commands(backend, own, cold=True) + self.settings("verlet", own, "first")
        lines += ["run 0", f"write_dump {self.shown} custom first.dump {STATE} modify sort id format float %.17g"]
        return "\n".join(filter(None, lines)) + "\n"


def coefficients_of(name, style, row):
    """What pair_coeff of the style NAME says for the forces of STYLE, which may be one with fewer coefficients."""
    gamma, cutoff = row["gamma"], row["cutoff"]
    power = f" power {row['power']}" if name.endswith("/gpu") and row["power"] != 1.0 else ""
    if name.startswith("dpd/ext"):
        a, across = 0.0 if style == "dpd/tstat" else row["a"], row["across"] if style == "dpd/ext" else 0.0
        return f"{a} {gamma} {across} {row['power']} {row['power_across']} {cutoff}"
    return f"{gamma} {cutoff}{power}" if name.startswith("dpd/tstat") else f"{row['a']} {gamma} {cutoff}{power}"
