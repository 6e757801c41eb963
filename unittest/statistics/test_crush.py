#!/usr/bin/env python3
# tools/rng/batteries: tests are divided among processes, given up at a limit and made later; and its summary. A program
# that only reads words stands for TestU01, and one for dieharder.   SPDX-License-Identifier: GPL-2.0-or-later
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools" / "rng"
LIBRARY = Path(os.environ["DS_RNG_PROGRAMS"]) / "librng_runs.so"
COLUMNS = "battery,generator,run,bits,number,test,p-value,seconds\n"

# Its p-value is 0.5, of test 3 it is 1e-15, and test 6 has two. Test 7 does not end while there is a file `slow`.
TESTER = """#!/bin/sh
dd bs=4096 count=4 >/dev/null 2>&1
[ "$2" = reversed ] && shift
[ "$2" = 7 ] && [ -e "$(dirname "$0")/slow" ] && exec sleep 60
[ "$2" = 6 ] && echo '0.9995,"Another"'
[ "$2" = 3 ] && echo '1e-15,"Name, of it"' || echo '0.5,"Name, of it"'
"""


# -d 3 is WEAK at first, -d 4 always, and -d 205 has two p-values.
DIEHARDER = """#!/bin/sh
dd bs=4096 count=4 >/dev/null 2>&1
shift 2
p=0.5 word=PASSED
case "$*" in
"-d 3") [ -e "$(dirname "$0")/again" ] || { p=0.999 word=WEAK; touch "$(dirname "$0")/again"; } ;;
"-d 4") p=0.001 word=WEAK ;;
"-d 205") echo "            dab_bytedistrib|   0|  51200000|       1|0.5|  PASSED  " ;;
esac
echo "            name $2|   0|  51200000|       1|$p|  $word  "
"""


def crush(folder, *arguments):
    command = [sys.executable, TOOLS / "batteries", *arguments, "--programs", folder, "--table", folder / "table.csv"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def expect(what, is_so):
    if not is_so:
        sys.exit(f"test_crush: {what}")


def check_division(folder):
    tester, slow = folder / "testu01_driver", folder / "slow"
    tester.write_text(TESTER)
    tester.chmod(0o755)
    slow.touch()
    run = ["lcg", "--runs", "alone", "100", "--bits", "reversed", "--jobs", "3"]
    status, out = crush(folder, *run, "--limit", "10")
    expect("tests that are given up are named", "not made: small lcg alone reversed, 1 tests: 7\n" in out)
    expect("and those of the other run", "not made: small lcg 100 reversed, 1 tests: 7\n" in out)
    expect("status 3 where tests are left", status == 3)
    slow.unlink()
    status, out = crush(folder, *run)
    expect("only those that are left are made", out.startswith("2 of 20 tests to be made"))
    expect("an unfit generator may fail", status == 0)
    with open(folder / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in ("alone", "100"):
        numbers = sorted(int(row["number"]) for row in rows if row["run"] == name)
        expect("each result stands in the table once", numbers == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10])
    expect("names with a comma are read", {row["test"] for row in rows} == {"Name, of it", "Another"})
    status, out = crush(folder, "philox", *run[1:])
    expect("a fit generator must not fail", status == 1 and "failed Name, of it (test 3) 1.0e-15" in out)


def check_summary(folder):
    table = folder / "table.csv"
    table.write_text(
        COLUMNS
        + 'crush,taus,alone,words,71,"LinearComp, r = 29",1,5.0\n'
        + 'crush,taus,alone,words,1,"SerialOver, t = 2",0.9996,5.0\n'
        + "crush,philox,ids,reversed,47,SampleMean,0.0002,5.0\n"
        + "crush,philox,ids,reversed,73,LempelZiv,0.3,5.0\n"
        + "crush,lcg,alone,words,47,SampleMean,1e-300,5.0\n"
    )
    status, out = crush(folder, "--summary")
    expect("a failure of a fit generator gives status 1", status == 1)
    expect("failures are named", "    failed LinearComp, r = 29 (test 71) 1 - 0.0e+00\n" in out)
    expect("what is near an end is listed", "    listed SampleMean (test 47) 2.0e-04\n" in out)
    expect("what is not is not", "LempelZiv" not in out)
    expect("how many are expected is told", "3 p-values of fit generators that are no failures: 2 outside" in out)
    status, out = crush(folder, "--rows", "--battery", "crush")
    rows = list(csv.reader(out.splitlines()))
    expect("a row per run", [row[0] for row in rows[1:]] == ["taus", "philox", "lcg"])
    expect("runs in words", rows[2][1] == "particles of a step, reversed")
    expect("how many p-values are missing", rows[1][2] == "2 of 144")
    expect("listed ones", rows[1][4] == "SerialOver, t = 2 (test 1) 1 - 4.0e-04" and rows[3][4] == "none")


def check_dieharder(folder):
    (folder / "dieharder").write_text(DIEHARDER)
    (folder / "dieharder").chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    run = ["--battery", "dieharder", "philox", "--runs", "sequence", "--jobs", "2"]
    status, out = crush(folder, *run)
    expect("a test that is WEAK twice has failed", status == 1 and "    failed name 4 (test 5) 1.0e-03\n" in out)
    expect("one that is WEAK once is listed", "26 p-values,  1 failed" in out and "    listed name 3 (test 4) 1 - 1.0e-03\n" in out)
    expect("who fails wrongly is named", "FAILED: philox must pass\n" in out)
    with open(folder / "table.csv", newline="") as file:
        again = sorted(int(row["number"]) for row in csv.DictReader(file) if row["bits"] == "again")
    expect("those and no others are made again", again == [4, 5])
    status, out = crush(folder, *run)
    expect("what is made is not made again", out.startswith("0 of 25 tests to be made"))
    status, out = crush(folder, *run[:2], "--rows")
    expect("a row with counts of p-values and tests", out.splitlines()[1] == "philox,sequence,26 in 25,1,name 4")


for check in (check_division, check_summary, check_dieharder):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / LIBRARY.name).symlink_to(LIBRARY)
        check(Path(folder))
