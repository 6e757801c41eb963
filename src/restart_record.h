/* -*- c++ -*- The record with which the data of a fix of this package begin in restart files. It is a struct without padding.
   First come char mark[8] and int64_t format, at the end uint64_t check, a digest of everything before it.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS gives a fix the data of its style without their length. There are at least eight bytes, and the mark in these tells
   whether the rest of the record follows. */

#ifndef LMP_DPDSOP_RESTART_RECORD_H
#define LMP_DPDSOP_RESTART_RECORD_H

#include "utils.h"

#include "dpdsop/digest.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace LAMMPS_NS {

using RestartMark = char[8];

static constexpr char DAMAGED[] = "is damaged: the state of this fix has been changed";

template <class Record> uint64_t digest_of_record(const Record &record)
{
  return ds_digest(DS_DIGEST_OF_NOTHING, &record, offsetof(Record, check));
}

template <class Record> void seal_record(Record &record, const RestartMark &mark, int64_t format)
{
  memcpy(record.mark, mark, sizeof mark);
  record.format = format;
  record.check = digest_of_record(record);
}

// Seals a record and writes it with what follows it, in the form that LAMMPS reads: the number of bytes first

template <class Record>
void write_record(FILE *file, Record &record, const RestartMark &mark, int64_t format, const void *behind = nullptr,
                  size_t bytes = 0)
{
  seal_record(record, mark, format);
  const int size = static_cast<int>(sizeof record + bytes);
  fwrite(&size, sizeof size, 1, file);
  fwrite(&record, sizeof record, 1, file);
  if (bytes > 0) fwrite(behind, 1, bytes, file);
}

// Returns what is wrong, as the end of a sentence that begins with "the restart file", or nothing

template <class Record>
std::string open_record(Record &record, const char *buffer, const RestartMark &mark, int64_t format)
{
  if (memcmp(buffer, mark, sizeof mark) != 0)
    return "has no state of this fix, or one that another version of it wrote";
  memcpy(&record, buffer, sizeof record);
  if (record.format != format)
    return fmt::format("has a state of format {}, allowed is {}", record.format, format);
  if (record.check != digest_of_record(record))
    return DAMAGED;
  return "";
}

// A record of a single number

template <class Number> struct NumberRecord {
  RestartMark mark;
  int64_t format;
  Number number;
  uint64_t check;
};

constexpr int64_t NUMBER_FORMAT = 1;

template <class Number> void write_number(FILE *file, Number number, const RestartMark &mark)
{
  static_assert(sizeof number == sizeof(uint64_t), "a record has no padding");
  NumberRecord<Number> record = {};
  record.number = number;
  write_record(file, record, mark, NUMBER_FORMAT);
}

template <class Number> std::string open_number(Number &number, const char *buffer, const RestartMark &mark)
{
  NumberRecord<Number> record;
  const std::string wrong = open_record(record, buffer, mark, NUMBER_FORMAT);
  if (wrong.empty()) number = record.number;
  return wrong;
}

// The record of an array of `n` elements, whose bytes follow it

struct ArrayRecord {
  RestartMark mark;
  int64_t format;
  int64_t n;
  uint64_t digest;    // of the bytes
  uint64_t check;
};

constexpr int64_t ARRAY_FORMAT = 1;

inline std::vector<char> array_with_record(const void *array, size_t bytes, int64_t n, const RestartMark &mark)
{
  ArrayRecord record = {};
  record.n = n;
  record.digest = ds_digest(DS_DIGEST_OF_NOTHING, array, bytes);
  seal_record(record, mark, ARRAY_FORMAT);
  std::vector<char> all(sizeof record + bytes);
  memcpy(all.data(), &record, sizeof record);
  if (bytes > 0) memcpy(all.data() + sizeof record, array, bytes);
  return all;
}

inline std::string open_array(int64_t &n, const char *buffer, const RestartMark &mark)
{
  ArrayRecord record;
  const std::string wrong = open_record(record, buffer, mark, ARRAY_FORMAT);
  if (wrong.empty()) n = record.n;
  return wrong;
}

// Then reads the bytes; `array` has room for all of them

inline std::string take_array(void *array, size_t bytes, const char *buffer)
{
  ArrayRecord record;
  memcpy(&record, buffer, sizeof record);
  if (bytes > 0) memcpy(array, buffer + sizeof record, bytes);
  return ds_digest(DS_DIGEST_OF_NOTHING, array, bytes) == record.digest ? "" : DAMAGED;
}

}    // namespace LAMMPS_NS

#endif
