#!/bin/sh
# Sends the pair noise (noise_stream) through the quick half of dieharder, a minute on one core.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: dieharder_noise.sh path/to/noise_stream
#
# Every test gets a stream with a seed of its own, the same in every run: so is the result.
# It fails if dieharder calls a p-value FAILED (below 1e-6 or above 1 - 1e-6), or more than 6 WEAK
# (below 0.005 or above 0.995): of 56 p-values 0.6 are WEAK on average, and more than 6 with
# probability 3e-6 if they are independent.
# Left out are tests that dieharder itself calls suspect and those that need minutes each. Those that take longest have
# fewer samples (-p) than the 100 of dieharder.

stream=$1
if [ ! -x "$stream" ]; then
  echo "usage: $0 path/to/noise_stream" >&2
  exit 1
fi
if ! command -v dieharder >/dev/null; then
  echo "dieharder was not found (Debian package: dieharder)" >&2
  exit 1
fi

results=$(
  seed=1000
  while read -r arguments; do
    seed=$((seed + 1))
    # shellcheck disable=SC2086 # several arguments in one line
    "$stream" "$seed" | dieharder -g 200 $arguments | grep -E 'PASSED|WEAK|FAILED'
  done <<EOT
-d 0
-d 1 -p 50
-d 2 -p 25
-d 3
-d 4
-d 8
-d 9 -p 50
-d 10
-d 12
-d 13 -p 25
-d 15
-d 16 -p 50
-d 100
-d 101 -p 50
-d 102 -p 50
-d 200 -n 4
-d 202 -n 5
-d 203 -n 0
-d 204
-d 206
-d 207
-d 208
-d 209
EOT
)
echo "        test        |ntup| tsamples |psamples|  p-value |assessment"
echo "$results"

count=$(echo "$results" | grep -c '|')
failed=$(echo "$results" | grep -c 'FAILED')
weak=$(echo "$results" | grep -c 'WEAK')
echo "$count p-values: $failed failed, $weak weak"
if [ "$count" -lt 50 ]; then
  echo "FAILED: a test of dieharder gave no result"
  exit 1
fi
[ "$failed" -eq 0 ] && [ "$weak" -le 6 ]
