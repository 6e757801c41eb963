/* Lines, words and numbers of a text file.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ds_status ds_text_read(const char *file, char **text, size_t *size, ds_error *err)
{
  size_t room = 65536;
  *text = NULL;
  *size = 0;
  FILE *const in = fopen(file, "rb");
  if (!in) return ds_fail(err, DS_ERR_ARGUMENT, "cannot open %s: %s", file, strerror(errno));
  for (;;) {
    char *const grown = *size == 0 || *size == room / 2 ? realloc(*text, room) : *text;
    if (!grown) {
      fclose(in);
      free(*text);
      return ds_fail(err, DS_ERR_MEMORY, "no host memory for %s", file);
    }
    *text = grown;
    *size += fread(*text + *size, 1, room - *size, in);
    if (*size < room) break;
    room *= 2;
  }
  const int failed = ferror(in), number = errno;
  fclose(in);
  if (!failed) return DS_OK;
  free(*text);
  return ds_fail(err, DS_ERR_ARGUMENT, "cannot read %s: %s", file, strerror(number));
}

char *ds_text_cut_line(char *line)
{
  char *const end = strchr(line, '\n');
  if (!end) return NULL;
  *end = 0;
  return end + 1;
}

static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

int ds_text_split(char *line, char **words, int most)
{
  int n = 0;
  line[strcspn(line, "#")] = 0;
  for (char *c = line; n < most;) {
    while (is_blank(*c)) c++;
    if (!*c) break;
    words[n++] = c;
    while (*c && !is_blank(*c)) c++;
    if (*c) *c++ = 0;
  }
  return n;
}

void ds_text_tag(const char *line, const char *tag, char *word, size_t size)
{
  const char *c = strstr(line, tag);
  size_t n = 0;
  if (c) {
    c += strlen(tag);
    while (is_blank(*c)) c++;
    while (n + 1 < size && c[n] && !is_blank(c[n])) n++;
    memcpy(word, c, n);
  }
  word[n] = 0;
}

int ds_text_integer(const char *word, int64_t *value)
{
  char *end;
  if (word[strspn(word, "+-0123456789")]) return 0;
  errno = 0;
  *value = strtoll(word, &end, 10);
  return end != word && !*end && !errno;
}

int ds_text_number(const char *word, double *value)
{
  char *end;
  if (word[strspn(word, "+-.0123456789eE")]) return 0; /* no "inf", "nan" or "0x1p3" */
  *value = strtod(word, &end);
  return end != word && !*end && isfinite(*value);
}

ds_status ds_text_fail(ds_error *err, int line, const char *format, ...)
{
  char text[DS_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ds_fail(err, DS_ERR_ARGUMENT, "line %d: %.480s", line, text);
}
