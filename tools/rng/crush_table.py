# The table of p-values that tools/rng/crush makes, and what is read off it.   SPDX-License-Identifier: GPL-2.0-or-later
import csv
import sys

COLUMNS = ["battery", "generator", "run", "bits", "number", "test", "p-value", "seconds"]
FAILED, LISTED = 1e-10, 1e-3
RESULTS = {"small": 15, "crush": 144, "big": 160}
RUNS = {
    "alone": "one stream",
    **{str(n): f"{n:,} streams" for n in (2, 100, 10000, 1000000)},
    "seeds": "seeds",
    "ids": "particles of a step",
    "steps": "steps of a particle",
}


def rows_of(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def append(path, rows):
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if file.tell() == 0:
            writer.writerow(COLUMNS)
        writer.writerows(rows)


def distance(row):
    """From the nearer end."""
    p = float(row["p-value"])
    return min(p, 1.0 - p)


def by_run(rows):
    runs = {}
    for row in rows:
        runs.setdefault((row["battery"], row["generator"], row["run"], row["bits"]), []).append(row)
    return runs


def named(row):
    """Of the two ends the upper one as its distance from 1: TestU01 gives few digits of it."""
    p = float(row["p-value"])
    value = f"{p:.1e}" if p < 0.5 else f"1 - {1.0 - p:.1e}"
    return f"{row['test']} (test {row['number']}) {value}"


def judged(rows):
    """Rows that failed, and those that are only listed."""
    failed = [row for row in rows if distance(row) < FAILED]
    return failed, [row for row in rows if FAILED <= distance(row) < LISTED]


def summary(rows, unfit):
    """Prints a line per run and a count; returns whether a generator failed that must not."""
    good = []
    bad = False
    for key, of_run in by_run(rows).items():
        failed, listed = judged(of_run)
        print(f"{' '.join(f'{word:9}' for word in key)} {len(of_run):3} p-values, {len(failed):2} failed")
        for row in failed:
            print(f"    failed {named(row)}")
        for row in listed:
            print(f"    listed {named(row)}")
        if not unfit[key[1]]:
            good += [row for row in of_run if row not in failed]
            bad = bad or bool(failed)
    _, listed = judged(good)
    print(f"{len(good)} p-values of fit generators that are no failures: {len(listed)} outside of 0.001 to 0.999, "
          f"{len(good) * 2 * LISTED:.1f} expected")  # fmt: skip
    return bad


def print_rows(rows):
    """The manual's table: a row per generator, run and order of bits."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["Generator", "Words", "p-values", "Failed", "Below 0.001 or above 0.999"])
    for (battery, generator, run, bits), of_run in by_run(rows).items():
        failed, listed = ("; ".join(map(named, part)) or "none" for part in judged(of_run))
        words = RUNS[run] + (", reversed" if bits == "reversed" else "")
        count = len(of_run) if len(of_run) == RESULTS[battery] else f"{len(of_run)} of {RESULTS[battery]}"
        writer.writerow([generator, words, count, failed, listed])
    return 0
