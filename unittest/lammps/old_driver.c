/* What the CUDA runtime asks of a driver before it finds it too old, for the test of that error text.
   SPDX-License-Identifier: GPL-2.0-or-later */

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);

int cuInit(unsigned flags)
{
  (void) flags;
  return 0;
}

int cuDriverGetVersion(int *version)
{
  *version = 9020; /* CUDA 9.2 */
  return 0;
}
