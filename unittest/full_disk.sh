#!/bin/sh
# full_disk.sh PROGRAM WORD ...: the program writes to standard output, and succeeds; where that has no room (/dev/full) it
# says so and fails.   SPDX-License-Identifier: GPL-2.0-or-later
[ -c /dev/full ] || exit 77
[ "$("$@" | head -c 1 | wc -c)" -eq 1 ] || { echo "no output: $*"; exit 1; }
said=$("$@" 2>&1 >/dev/full)
status=$?
echo "status $status: $said"
[ $status -ne 0 ] && [ $status -lt 126 ] || { echo "it takes no notice"; exit 1; }
case $said in
*"No space left on device"* | *"could not be written"*) ;;
*) echo "it does not say why"; exit 1 ;;
esac
