/* Lines, words and numbers of a text file.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_TEXT_H
#define DPDSOP_SOP_TEXT_H

#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

/* The whole file; the caller frees *text. DS_ERR_ARGUMENT with the system's words where it cannot be read. */
ds_status ds_text_read(const char *file, char **text, size_t *size, ds_error *err);

/* Ends the line where its end of line stands, and returns the next one; NULL: it was the last. */
char *ds_text_cut_line(char *line);

/* The words of a line up to a '#', each ended by a 0; at most `most`. Returns how many. */
int ds_text_split(char *line, char **words, int most);

/* The word after `tag`, in comments too; at most size - 1 characters of it, empty where there is none. */
void ds_text_tag(const char *line, const char *tag, char *word, size_t size);

/* The whole word must be the number, a decimal one; finite. Return 0 where it is not. */
int ds_text_integer(const char *word, int64_t *value);
int ds_text_number(const char *word, double *value);

/* DS_ERR_ARGUMENT with "line N: " before the text. */
ds_status ds_text_fail(ds_error *err, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
