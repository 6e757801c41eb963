#!/bin/sh
# Runs of in.ww with what the paper may mean, one after the other. SPDX-License-Identifier: GPL-2.0-or-later
#
#   sh variants.sh COPIES COMMAND [NAME ...]     such as: sh variants.sh 300 "lmp" c65 c76
#
# c65, c76          contacts by CA within 8 Angstrom, or those and side chains within 5.2; 31.017 um/s, which is SOP-GPU's deltax
# held65, held76    the same with a spring that holds the bead across its line, too
# slow65, slow76    2.5 um/s, as it is written in the paper, after 5.5 nm at 100 um/s
# gpu76             step, temperature, spring and cutoff of SOP-GPU's example
usage() { sed -n '4,/^[^#]/s/^# \{0,3\}//p' "$0"; }
case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -gt 1 ] || { usage >&2; exit 2; }
copies=$1 command=$2
case $copies in *[!0-9]* | 0* | '') echo "variants.sh: COPIES $copies; allowed: an integer, 1 or more" >&2; exit 2 ;; esac
shift 2
[ $# -gt 0 ] || set -- c65 c76 slow65 slow76 held65 held76 gpu76
fast="-var speed 31.017"
for name; do
  case $name in
    c65 | c76 | slow65 | slow76 | held65 | held76 | gpu76) ;;
    *) echo "variants.sh: no run $name, allowed: c65, c76, slow65, slow76, held65, held76, gpu76" >&2; exit 2 ;;
  esac
done
for name; do
  case $name in
    c65)    words="$fast -var contacts 65 -var every 4" ;;
    c76)    words="$fast -var every 4" ;;
    held65) words="$fast -var contacts 65 -var across held -var substeps 100 -var every 40" ;;
    held76) words="$fast -var across held -var substeps 100 -var every 40" ;;
    slow65) words="-var contacts 65 -var speed 2.5 -var approach 55 -var every 20" ;;
    slow76) words="-var speed 2.5 -var approach 55 -var every 20" ;;
    gpu76)  words="$fast -var h 1.612 -var T 301.9 -var spring 34.74 -var every 20 -var options 'cutoff 20 2'" ;;
  esac
  eval "$command -in in.ww -log log.$name -var copies $copies -var travel 90 -var name $name $words" || exit 1
done
