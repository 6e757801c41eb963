/* Error texts.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/status.h"

#include <stdarg.h>
#include <stdio.h>

ds_status ds_fail(ds_error *err, ds_status code, const char *format, ...)
{
  if (err) {
    va_list args;
    err->code = code;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return code;
}

ds_status ds_succeed(ds_error *err)
{
  if (err) {
    err->code = DS_OK;
    err->text[0] = '\0';
  }
  return DS_OK;
}
