/* other_lammps.c: found before LAMMPS's library, it answers in its place what LAMMPS it is, for the test that a plugin
   compiled for another one is not loaded.
   SPDX-License-Identifier: GPL-2.0-or-later

   DS_TEST_LAMMPS_VERSION is the version; DS_TEST_LAMMPS_SIZES the bytes of tagint, imageint and bigint, as "884". */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int lammps_version(void *lammps);
int lammps_extract_setting(void *lammps, const char *name);

int lammps_version(void *lammps)
{
  const char *version = getenv("DS_TEST_LAMMPS_VERSION");
  int (*own)(void *);
  if (version) return atoi(version);
  *(void **) &own = dlsym(RTLD_NEXT, "lammps_version");
  return own(lammps);
}

int lammps_extract_setting(void *lammps, const char *name)
{
  static const char *const names[] = {"tagint", "imageint", "bigint"};
  const char *sizes = getenv("DS_TEST_LAMMPS_SIZES");
  int (*own)(void *, const char *);
  for (int i = 0; sizes && i < 3; i++)
    if (strcmp(name, names[i]) == 0) return sizes[i] - '0';
  *(void **) &own = dlsym(RTLD_NEXT, "lammps_extract_setting");
  return own(lammps, name);
}
