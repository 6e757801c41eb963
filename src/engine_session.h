/* -*- c++ -*- What every use of the engine needs: where it runs, and what becomes of its errors.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ENGINE_SESSION_H
#define LMP_DPDSOP_ENGINE_SESSION_H

#include "pointers.h"

#include "dpdsop/status.h"

#include <string>

namespace LAMMPS_NS {

class EngineSession : protected Pointers {
 public:
  EngineSession(class LAMMPS *, const std::string &user);    // the beginning of error texts

  // All ranks call these together

  int node_rank();     // number of this process on its node, which decides its GPU
  int node_ranks();    // how many processes of this run the node has

  // What environment variables ask for. instruction_set() may be null. has_own_copies(): the engine copies resident atoms with
  // backend host, too, so that a test without a GPU finds arrays of LAMMPS that are out of date

  const char *instruction_set() const;
  bool has_own_copies() const;

  // An error of the engine stops LAMMPS on all ranks together. Until then, a rank that has failed, or has heard of a failure,
  // does not use the engine any more

  ds_error *error_text() { return &err; }
  void note(ds_status);
  void fail(const std::string &text);
  void follow();
  bool working() const { return !failed && !following; }

  // All ranks call these together. agree() is true if no rank has failed; if it is false, raise() stops LAMMPS with the error

  bool agree();
  [[noreturn]] void raise();
  void warn();    // of a failure of this rank, where agree() comes later
  void clear() { failed = following = warned = false; }

 private:
  std::string user;
  ds_error err;      // of this rank's last failure
  bool failed;       // this rank has failed, and err tells why
  bool following;    // another rank has failed, as its messages say
  bool warned;
  int first;                     // the rank whose error stops LAMMPS, from agree() on
  int on_node, ranks_on_node;    // -1: not known yet
  void find_node();
  void set_text(const std::string &);
};

}    // namespace LAMMPS_NS

#endif
