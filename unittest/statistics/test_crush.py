# tools/rng/batteries: tests are divided among processes, given up at a limit and made later; and its summary. A program
# that only reads words stands for TestU01, and one for dieharder.   SPDX-License-Identifier: GPL-2.0-or-later
import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checks import of_build, require

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools" / "rng"
LIBRARY = "librng_runs.so"
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


@pytest.fixture
def folder(tmp_path):
    (tmp_path / LIBRARY).symlink_to(Path(of_build("DS_RNG_PROGRAMS")) / LIBRARY)
    return tmp_path


def crush(folder, *arguments):
    command = [sys.executable, TOOLS / "batteries", *arguments, "--programs", folder, "--table", folder / "table.csv"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def test_tests_are_divided_among_processes(folder):
    tester, slow = folder / "testu01_driver", folder / "slow"
    tester.write_text(TESTER)
    tester.chmod(0o755)
    slow.touch()
    run = ["lcg", "--runs", "alone", "100", "--bits", "reversed", "--jobs", "3"]
    status, out = crush(folder, *run, "--limit", "10")
    require("not made: small lcg alone reversed, 1 tests: 7\n" in out, "tests that are given up are named")
    require("not made: small lcg 100 reversed, 1 tests: 7\n" in out, "and those of the other run")
    require(status == 3, "status 3 where tests are left")
    slow.unlink()
    status, out = crush(folder, *run)
    require(out.startswith("2 of 20 tests to be made"), "only those that are left are made")
    require(status == 0, "an unfit generator may fail")
    with open(folder / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in ("alone", "100"):
        numbers = sorted(int(row["number"]) for row in rows if row["run"] == name)
        require(numbers == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10], "each result stands in the table once")
    require({row["test"] for row in rows} == {"Name, of it", "Another"}, "names with a comma are read")
    status, out = crush(folder, "philox", *run[1:])
    require(status == 1 and "failed Name, of it (test 3) 1.0e-15" in out, "a fit generator must not fail")


def test_summary(folder):
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
    require(status == 1, "a failure of a fit generator gives status 1")
    require("    failed LinearComp, r = 29 (test 71) 1 - 0.0e+00\n" in out, "failures are named")
    require("    listed SampleMean (test 47) 2.0e-04\n" in out, "what is near an end is listed")
    require("LempelZiv" not in out, "what is not is not")
    require("3 p-values of fit generators that are no failures: 2 outside" in out, "how many are expected is told")
    status, out = crush(folder, "--rows", "--battery", "crush")
    rows = list(csv.reader(out.splitlines()))
    require([row[0] for row in rows[1:]] == ["taus", "philox", "lcg"], "a row per run")
    require(rows[2][1] == "particles of a step, reversed", "runs in words")
    require(rows[1][2] == "2 of 144", "how many p-values are missing")
    require(rows[1][4] == "SerialOver, t = 2 (test 1) 1 - 4.0e-04" and rows[3][4] == "none", "listed ones")


def test_dieharder(folder, monkeypatch):
    (folder / "dieharder").write_text(DIEHARDER)
    (folder / "dieharder").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    run = ["--battery", "dieharder", "philox", "--runs", "sequence", "--jobs", "2"]
    status, out = crush(folder, *run)
    require(status == 1 and "    failed name 4 (test 5) 1.0e-03\n" in out, "a test that is WEAK twice has failed")
    require("26 p-values,  1 failed" in out and "    listed name 3 (test 4) 1 - 1.0e-03\n" in out, "one that is WEAK once is listed")
    require("FAILED: philox must pass\n" in out, "who fails wrongly is named")
    with open(folder / "table.csv", newline="") as file:
        again = sorted(int(row["number"]) for row in csv.DictReader(file) if row["bits"] == "again")
    require(again == [4, 5], "those and no others are made again")
    status, out = crush(folder, *run)
    require(out.startswith("0 of 25 tests to be made"), "what is made is not made again")
    status, out = crush(folder, *run[:2], "--rows")
    require(out.splitlines()[1] == "philox,sequence,26 in 25,1,name 4", "a row with counts of p-values and tests")
