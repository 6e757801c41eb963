/* fused_lmp.c: starts LAMMPS with a library before its own, in which some of its sources are compiled for fused operations.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  (void) argc;
  setenv("LD_PRELOAD", DS_FUSED_LIBRARY, 1);
  execv(DS_TREE_LMP, argv);
  perror(DS_TREE_LMP);
  return 1;
}
