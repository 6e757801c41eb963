# The library of runs/ for normal_tails and ornstein_uhlenbeck, and what their command lines share; and where programs of this
# folder are found.   SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import contextlib
import csv
import ctypes as c
import os
import sys
from pathlib import Path

NO_GPU = (2, 3)  # DS_ERR_NO_GPU, DS_ERR_DRIVER
SKIPPED = 77
BACKENDS = ["auto", "host", "cuda"]  # ds_backend
FAMILIES = ["sequence", "streams", "points"]  # ds_rng_family


def built(name, folder=None):
    """A file of the build: in that folder, or beside programs in PATH, or where the build folders of the package have it."""
    package = Path(__file__).resolve().parents[2]
    places = [folder] if folder else [*os.environ["PATH"].split(os.pathsep), *package.glob("build*/tools/rng"),
                                      package / "build" / "main" / "tools" / "rng"]  # fmt: skip
    found = next((Path(place) / name for place in places if (Path(place) / name).exists()), None)
    return found or stop(f"no {name} in {folder or 'PATH or build'}; --programs names the folder where it was built")


def structure(of, /, **fields):
    return type(of, (c.Structure,), {"_fields_": list(fields.items())})


Info = structure("ds_rng_info", name=c.c_char_p, title=c.c_char_p, source=c.c_char_p, family=c.c_int, state_bytes=c.c_int,
                 log2_period=c.c_int, bits=c.c_int, words_per_double=c.c_int, double_scale=c.c_double, double_left=c.c_double,
                 can_skip=c.c_int, inverse_normal=c.c_int, unfit=c.c_int, least_rounds=c.c_int, most_rounds=c.c_int,
                 most_width=c.c_int64, width_name=c.c_char_p)  # fmt: skip
Error = structure("ds_error", code=c.c_int, text=c.c_char * 512)
Options = structure("runs_options", generator=c.c_char_p, seed=c.c_uint64, rounds=c.c_int32, threads=c.c_int32, backend=c.c_int32)
Tally = structure("runs_tally", sum=c.c_double * 8, beyond=c.c_uint64 * 8 * 2, most=c.c_double * 2)
Process = structure("runs_process", oscillators=c.c_int64, steps=c.c_int64, samples=c.c_int64, a=c.c_double, s=c.c_double,
                    start=c.c_double, log2_numbers=c.c_int32, unshifted=c.c_int32)  # fmt: skip
Order = structure("runs_order", layout=c.c_int32, count=c.c_int32, width=c.c_int64, ask=c.c_int64, first=c.c_uint64,
                  seed=c.c_uint64, skip=c.c_uint64, log2_unit=c.c_int32)  # fmt: skip


class Library:
    """The shared library, its table of generators, and the runs that a command line asks for."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.library = c.CDLL(str(built("librng_runs.so", arguments.programs)))
        self.library.runs_generator.restype = c.POINTER(Info)
        self.library.runs_open_words.restype = c.c_void_p
        self.library.runs_words_above.restype = c.c_int64
        self.library.runs_largest.restype = c.c_double
        self.infos, k = {}, 0
        while info := self.library.runs_generator(k):
            self.infos[info.contents.name.decode()] = info.contents
            k += 1

    def chosen(self, names, points):
        """Rows of the table for the names, of which `all` is every one; points only where they are wanted."""
        allowed = [name for name, info in self.infos.items() if points or FAMILIES[info.family] != "points"]
        for name in set(names) - {"all", *allowed}:
            stop(f"--generator {name}: there are all, {', '.join(allowed)}")
        return [self.infos[name] for word in names for name in (allowed if word == "all" else [word])]

    def options(self, info):
        a = self.arguments
        return Options(info.name, a.seed, a.rounds, a.threads, BACKENDS.index(a.backend))

    def failed(self, info, error):
        """Ends the program; where there is no GPU, as a test that is skipped."""
        stop(f"{info.name.decode()}: {error.text.decode()}", SKIPPED if error.code in NO_GPU else 2)

    def call(self, function, info, *arguments):
        error = Error()
        if getattr(self.library, function)(c.byref(self.options(info)), *arguments, c.byref(error)):
            self.failed(info, error)

    def count(self, info, single, numbers):
        """The tally of so many numbers or more, and how many they are."""
        tally, made = Tally(), c.c_int64()
        self.call("runs_count", info, c.c_int(single), c.c_double(numbers), c.byref(tally), c.byref(made))
        return tally, made.value

    def move(self, info, process, paths):
        """Oscillators, into an array paths[sample, oscillator] of single precision."""
        self.call("runs_move", info, c.byref(process), paths.ctypes.data_as(c.c_void_p))

    def words(self, info, order):
        """Address and number of words, call by call."""
        error, address, made = Error(), c.c_void_p(), c.c_int64()
        words = self.library.runs_open_words(c.byref(self.options(info)), c.byref(order), c.byref(error))
        while words and not self.library.runs_next_words(c.c_void_p(words), c.byref(address), c.byref(made), c.byref(error)):
            yield address.value, made.value
        self.failed(info, error)

    def words_above(self, level, single):
        return self.library.runs_words_above(c.c_double(level), c.c_int(single))

    def largest(self, info, single):
        return self.library.runs_largest(info.name, c.c_int(single))


def stop(why, status=2):
    print(f"{Path(sys.argv[0]).name}: {why}", file=sys.stderr)
    sys.exit(status)


def end(main):
    """Ends the program with what main returns. Of a file that cannot be read or written one sentence is said."""
    try:
        sys.exit(main())
    except OSError as error:
        stop(error)


def rows_of(path, columns):
    """Rows of a table, as dictionaries."""
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
            if any(row.get(name) is None for row in rows for name in columns):
                stop(f"{path} is not a whole table of {', '.join(columns)}")
            return rows
    except UnicodeDecodeError as error:
        stop(f"{path}: {error}")


def within(least, most, kind=lambda text: int(text, 0)):
    """The type of an argument that is a number in these bounds; integers are decimal or 0x..."""

    def read(text):
        with contextlib.suppress(ValueError):
            if least <= kind(text) <= most:
                return kind(text)
        raise argparse.ArgumentTypeError(f"{text}; allowed: a number from {least} to {most}")

    return read


def parser(text, word=None):
    """With the arguments that all runs have. word: of a program that takes a word for a generator."""
    p = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if not word:
        p.add_argument("--generator", action="append", default=[], metavar="NAME", help="as `words -l` lists them, or all")
    p.add_argument("-b", "--backend", choices=BACKENDS if word else BACKENDS[1:], default="host")
    p.add_argument("-s", "--seed", type=within(0, 2**64 - 1), default=1)
    p.add_argument("-t", "--threads", type=within(1, 4096), default=1 if word else len(os.sched_getaffinity(0)))
    p.add_argument("--programs", type=Path, help="folder where the build has put the programs of tools/rng")
    return p
