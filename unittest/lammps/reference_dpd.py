"""Dissipative particle dynamics in plain Python: what pair_style dpd/gpu must give, written a second time.

Slow, short and in double precision throughout, from Tang & Karniadakis, Comput. Phys. Commun. 185 (2014)
2809: eqs. 3-9 for the forces, Alg. 4 and section 3.5 for the noise. It shares no line with the engine,
but of course the choices that the paper leaves open: key, seed, time step and the 33rd velocity bit.
The logarithm and the cosine are those of the C library, so noise agrees to the errors of the engine's own
functions (4.3e-12 and 1.1e-10, relative).

Run as a program, it checks the forces of a YAML file of LAMMPS's tester:
  reference_dpd.py mol-pair-dpd_gpu-double.yaml data.fourmol

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools
import math
import re
import struct
import sys

MASK = 0xFFFFFFFF
KEY = (0xA341316C, 0xC8013EA4, 0xAD90777D, 0x7E95761E)
DELTA = 0x9E3779B9


# ------------------------------------------------------------------------------------------ noise

def tea(rounds, key, v0, v1):
    """Alg. 4, function TEA."""
    total = 0
    for _ in range(rounds):
        total = (total + DELTA) & MASK
        v0 = (v0 + ((((v1 << 4) + key[0]) ^ (v1 + total) ^ ((v1 >> 5) + key[1])) & MASK)) & MASK
        v1 = (v1 + ((((v0 << 4) + key[2]) ^ (v0 + total) ^ ((v0 >> 5) + key[3])) & MASK)) & MASK
    return v0, v1


def mantissa11(value):
    """The eleven leading bits of the mantissa of a single precision number."""
    return (struct.unpack("<I", struct.pack("<f", value))[0] >> 12) & 0x7FF


def interleave(velocity):
    """33 bits in a word of 32: bits of x, y, z at 3k+1, 3k, 3k-1; the last of z falls on the top."""
    word = 0
    for offset, component in zip((1, 0, -1), velocity):
        bits = mantissa11(component)
        for k in range(11):
            word ^= (bits >> k & 1) << (3 * k + offset) % 32
    return word


def signature(tag, velocity, seed, step):
    """Alg. 4, function Preprocess, with seed and time step in the key."""
    key = (KEY[0] ^ seed, KEY[1] ^ (step & MASK), KEY[2] ^ (step >> 32), KEY[3] ^ (tag >> 32))
    reversed_tag = int(f"{tag & MASK:032b}"[::-1], 2)
    v0, v1 = tea(16, key, reversed_tag, interleave(velocity))
    return v0 ^ v1


def gaussian(signature_i, signature_j):
    """Box-Muller on 4 rounds over the ordered signatures; the top bit of the second word is a sign."""
    v0, v1 = tea(4, KEY, *sorted((signature_i, signature_j)))
    radius = math.sqrt(-2.0 * math.log(max(v0, 1) / 2.0**32))
    cosine = math.cos(math.pi * (v1 & 0x7FFFFFFF) / 2.0**31)
    return -radius * cosine if v1 >> 31 else radius * cosine


def image_word(numbers, signature_i, signature_j):
    """What another image than the nearest one adds to both signatures: its numbers, counted from the atom with the lower
    signature, mixed by 8 rounds. An atom and its own image count towards the first positive number."""
    if not any(numbers):
        return 0
    forward = signature_i < signature_j if signature_i != signature_j else next(n for n in numbers if n) > 0
    x, y, z = ((n if forward else -n) & MASK for n in numbers)
    v0, v1 = tea(8, KEY, x ^ (y << 16 & MASK), z)
    return v0 ^ v1


# ----------------------------------------------------------------------------------------- forces

def nearest_image(vector, box, periodic):
    """An atom further away than half a periodic box, along x, y or z, is another image of a bond partner."""
    return all(not periodic[d] or abs(vector[d]) <= box[d] * (0.5 + 1e-12) for d in range(3))


class Fluid:
    """Atoms by ID in a box: box holds the edges xx yy zz yz xz xy, coefficients are by pair of types."""

    def __init__(self, box, periodic, types, positions, velocities, coefficients, kT, dt, seed,
                 partners=None, special=(1.0, 1.0, 1.0, 1.0)):
        self.box, self.periodic = box, periodic
        self.types, self.x, self.v = types, positions, velocities
        self.coefficients = {}
        for (i, j), values in coefficients.items():
            self.coefficients[i, j] = self.coefficients[j, i] = values
        self.kT, self.dt, self.seed = kT, dt, seed
        self.partners = partners or {}    # ID -> {ID: 1, 2 or 3}
        self.special = special
        self.cutoff = max(values[2] for values in self.coefficients.values())
        self.several_images = self.sees_several_images()

    def images(self, reach):
        """Whole periodic edges within `reach` and some beyond."""
        xx, yy, zz, yz, xz, xy = self.box
        widths = (xx / math.sqrt(1.0 + (xy / yy)**2 + ((xy * yz - yy * xz) / (yy * zz))**2),
                  yy / math.sqrt(1.0 + (yz / zz)**2), zz)
        ranges = []
        for width, periodic in zip(widths, self.periodic):
            n = math.ceil(reach / width) + 1 if periodic else 0
            ranges.append(range(-n, n + 1))
        return [(i, j, k, (i * xx + j * xy + k * xz, j * yy + k * yz, k * zz))
                for i, j, k in itertools.product(*ranges)]

    def sees_several_images(self):
        """Two images of one atom can be within the cutoff of another."""
        return any((i or j or k) and sum(c * c for c in shift) < 4.0 * self.cutoff**2
                   for i, j, k, shift in self.images(2.0 * self.cutoff))

    def image_numbers(self, d):
        """Whole boxes between the nearest image and the one at separation d; halves count towards zero."""
        xx, yy, zz, yz, xz, xy = self.box
        z = d[2] / zz
        y = (d[1] - yz * z) / yy
        x = (d[0] - xy * y - xz * z) / xx
        return [int(math.copysign(math.ceil(abs(part) - 0.5), part)) if periodic else 0
                for part, periodic in zip((x, y, z), self.periodic)]

    def pair(self, i, j, d, factor, signatures):
        """Force on i over distance, and energy, of one pair at separation d."""
        a, gamma, cutoff, power = self.coefficients[self.types[i], self.types[j]]
        r = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        if r >= cutoff or r < 1e-10 * self.cutoff:
            return None
        w_c = 1.0 - r / cutoff                                          # eq. 8
        w_r = w_c**power
        approach = sum((self.v[i][k] - self.v[j][k]) * d[k] for k in range(3)) / r
        sigma = math.sqrt(2.0 * gamma * self.kT)                        # eq. 9
        force = factor * (a * w_c - gamma * w_r * w_r * approach)       # eqs. 3, 4, 7
        if sigma:
            numbers = self.image_numbers(d) if self.several_images else (0, 0, 0)
            image = image_word(numbers, signatures[i], signatures[j])
            xi = gaussian(signatures[i] ^ image, signatures[j] ^ image)
            force += math.sqrt(factor) * sigma * w_r * xi / math.sqrt(self.dt)    # eq. 5
        return force / r, factor * 0.5 * a * cutoff * w_c * w_c

    def forces(self, step):
        """Forces by ID, energy, virial xx yy zz xy xz yz."""
        signatures = {i: signature(i, self.v[i], self.seed, step) for i in self.x}
        forces = {i: [0.0, 0.0, 0.0] for i in self.x}
        energy, virial = 0.0, [0.0] * 6
        images = self.images(self.cutoff)
        for i, j in itertools.product(self.x, self.x):
            for ia, ib, ic, shift in images:
                if i == j and ia == ib == ic == 0:
                    continue
                d = [self.x[i][k] - self.x[j][k] - shift[k] for k in range(3)]
                if sum(c * c for c in d) >= self.cutoff**2:
                    continue
                code = self.partners.get(i, {}).get(j, 0)
                if code and not nearest_image(d, self.box, self.periodic):
                    code = 0
                found = self.pair(i, j, d, self.special[code], signatures)
                if not found:
                    continue
                for k in range(3):
                    forces[i][k] += found[0] * d[k]
                energy += 0.5 * found[1]    # each pair is met from both sides
                for k, (p, q) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
                    virial[k] += 0.5 * found[0] * d[p] * d[q]
        return forces, energy, virial

    def run(self, steps, masses, force_to_mass, start=0):
        """Velocity Verlet as fix nve does it: the forces see the velocities of the half step."""
        forces, energy, virial = self.forces(start)
        for step in range(start + 1, start + steps + 1):
            for half in (0, 1):
                for i in self.x:
                    kick = 0.5 * self.dt * force_to_mass / masses[self.types[i]]
                    self.v[i] = [v + kick * f for v, f in zip(self.v[i], forces[i])]
                    if half == 0:
                        self.x[i] = [x + self.dt * v for x, v in zip(self.x[i], self.v[i])]
                if half == 0:
                    forces, energy, virial = self.forces(step)
        return forces, energy, virial


def bond_partners(bonds):
    """1-2, 1-3 and 1-4 partners (the closest counts) from a list of pairs of IDs."""
    neighbors = {}
    for i, j in bonds:
        neighbors.setdefault(i, set()).add(j)
        neighbors.setdefault(j, set()).add(i)
    partners = {}
    for i in neighbors:
        found, shell = {i: 0}, {i}
        for distance in (1, 2, 3):
            shell = {k for j in shell for k in neighbors[j]} - set(found)
            found.update({k: distance for k in shell})
        del found[i]
        partners[i] = found
    return partners


# -------------------------------------------------------------------------------- files of LAMMPS

def read_data(path):
    """Sections of a data file: {name: [words of each line]}, and the header lines."""
    header, sections, current = [], {}, None
    with open(path) as file:
        next(file)
        for line in file:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0][0].isalpha():
                current = " ".join(words)
                sections[current] = []
            elif current:
                sections[current].append(words)
            else:
                header.append(words)
    return header, sections


def read_yaml(path):
    """The few forms that the testers' YAML files have: scalars and literal blocks."""
    entries, name = {}, None
    with open(path) as file:
        for line in file:
            if line.startswith("..."):
                break
            top = re.match(r"(\w+):\s*(.*)", line)
            if top:
                name, value = top.groups()
                entries[name] = [] if value.startswith(("|", "! |")) else value.strip("! \"'\n")
            elif isinstance(entries.get(name), list):
                entries[name].append(line.split())
    return entries


def fluid_of_yaml(yaml, data, boltz=0.0019872067, dt=0.1):
    """The system of in.fourmol (units real) with the pair style of the YAML file."""
    header, sections = read_data(data)
    edges = {words[2]: (float(words[0]), float(words[1])) for words in header if len(words) == 4}
    box = [edges[name][1] - edges[name][0] for name in ("xlo", "ylo", "zlo")] + [0.0, 0.0, 0.0]
    style = yaml["pair_style"].split()
    ntypes = len(sections["Masses"])
    coefficients = {}
    for words in yaml["pair_coeff"]:
        spans = [range(1, ntypes + 1) if w == "*" else [int(w)] for w in words[:2]]
        rest, power = words[2:], 1.0
        if "power" in rest:
            at = rest.index("power")
            power = float(rest[at + 1])
            rest = rest[:at] + rest[at + 2:]
        cutoff = float(rest[2]) if len(rest) > 2 else float(style[2])
        for i, j in itertools.product(*spans):
            if i <= j:
                coefficients[i, j] = (float(rest[0]), float(rest[1]), cutoff, power)
    special = [1.0, 0.1, 0.25, 0.5]
    for words in yaml["post_commands"]:
        if list(words[:2]) == ["special_bonds", "lj"]:
            special[1:] = [float(w) for w in words[2:5]]
    atoms = {int(w[0]): w for w in sections["Atoms"]}
    velocities = {int(w[0]): [float(v) for v in w[1:4]] for w in sections["Velocities"]}
    bonds = [(int(w[2]), int(w[3])) for w in sections["Bonds"]]
    fluid = Fluid(box, (1, 1, 1), {i: int(w[2]) for i, w in atoms.items()},
                  {i: [float(c) for c in w[4:7]] for i, w in atoms.items()}, velocities, coefficients,
                  boltz * float(style[1]), dt, int(style[3]), bond_partners(bonds), special)
    return fluid, {int(w[0]): float(w[1]) for w in sections["Masses"]}


def deviation(forces, block):
    """Largest difference to the forces of a YAML block, over the root mean square force."""
    found = {int(w[0]): [float(c) for c in w[1:4]] for w in block}
    square = sum(c * c for f in forces.values() for c in f) / (3 * len(forces))
    worst = max(abs(a - b) for i, f in forces.items() for a, b in zip(f, found[i]))
    return worst / math.sqrt(square)


def main(yaml_path, data_path):
    yaml = read_yaml(yaml_path)
    ftm2v = 1.0 / 48.88821291**2    # units real
    worst = 0.0
    for name, steps in (("init", 0), ("run", 4)):
        fluid, masses = fluid_of_yaml(yaml, data_path)
        forces, energy, virial = fluid.run(steps, masses, ftm2v)
        force_error = deviation(forces, yaml[f"{name}_forces"])
        energy_error = abs(energy / float(yaml[f"{name}_vdwl"]) - 1.0)
        stress = [float(w) for w in yaml[f"{name}_stress"][0]]
        size = math.sqrt(sum(s * s for s in stress))
        stress_error = max(abs(a - b) for a, b in zip(virial, stress)) / size
        print(f"{name}: largest deviation of forces {force_error:.2e}, energy {energy_error:.2e}, "
              f"virial {stress_error:.2e}")
        worst = max(worst, force_error, energy_error, stress_error)
    return worst


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} FILE.yaml FILE.data [allowed deviation]")
    allowed = float(sys.argv[3]) if len(sys.argv) == 4 else 1e-9
    sys.exit(0 if main(sys.argv[1], sys.argv[2]) <= allowed else 1)
