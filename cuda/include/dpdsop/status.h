/* Status codes and error texts of the engine: functions return a code and fill a text, nothing
   prints and nothing exits.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STATUS_H
#define DPDSOP_STATUS_H

/* Around what C and C++, or CUDA, share. */
#ifdef __cplusplus
#define DS_C_BEGIN extern "C" {
#define DS_C_END }
#else
#define DS_C_BEGIN
#define DS_C_END
#endif

DS_C_BEGIN

typedef enum {
  DS_OK = 0,
  DS_ERR_ARGUMENT,    /* a value outside its allowed range; the text names it */
  DS_ERR_NO_GPU,      /* the cuda backend is not compiled in, or no device is visible */
  DS_ERR_DRIVER,      /* the driver is older than the CUDA runtime needs */
  DS_ERR_MEMORY,      /* host or device memory is exhausted; the text says how much was asked */
  DS_ERR_CUDA,        /* any other CUDA error; the text has CUDA's words and the kernel's name */
  DS_ERR_POSITION,    /* a coordinate is NaN or too far outside the subdomain; the text has the tag */
  DS_ERR_FORCE_RANGE, /* a pair force beyond the fixed-point range; the text names the pair */
  DS_ERR_CAPACITY,    /* more atoms than 30-bit indices can name */
  DS_ERR_GHOST,       /* what came for a ghost is no atom: the process that it came from has failed */
  DS_ERR_CALLER       /* what a function of the caller has returned (ds_answer, for example), whose text is passed on; no other
                         error is of this kind */
} ds_status;

enum { DS_ERROR_LENGTH = 512 };

/* Text of the last error; code DS_OK and an empty text where there was none. */
typedef struct {
  ds_status code;
  char text[DS_ERROR_LENGTH];
} ds_error;

/* Fill err (may be NULL) printf-like and return code. */
ds_status ds_fail(ds_error *err, ds_status code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Reset err (may be NULL) and return DS_OK. */
ds_status ds_succeed(ds_error *err);

DS_C_END
#endif
