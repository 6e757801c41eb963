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
  EngineSession(class LAMMPS *, const std::string &user);    // as error texts begin

  int node_rank();     // of this process, by which GPUs are given out; all ranks together
  int node_ranks();    // of this run on this process's node, likewise

  // What the environment forces: an instruction set, or null. Resident atoms in arrays of the engine's own with
  // backend host, too: so tests without a GPU see whether LAMMPS's arrays are brought up to date

  const char *instruction_set() const;
  bool has_own_copies() const;

  // Errors of the engine stop LAMMPS, on all ranks together. A rank that has one, or hears of one from
  // another rank, does nothing any more until then.

  ds_error *error_text() { return &err; }
  void note(ds_status);
  void fail(const std::string &text);
  void follow();
  bool working() const { return !failed && !following; }

  // all ranks call these together; true if no rank has failed, else raise() tells what it was

  bool agree();
  [[noreturn]] void raise();
  void warn();    // this rank calls it where there is a failure, and agree() comes later
  void clear() { failed = following = warned = false; }

 private:
  std::string user;
  ds_error err;      // of this rank's last failure
  bool failed;       // this rank has failed: err tells why
  bool following;    // another one has
  bool warned;
  int first;                     // rank that agree() found
  int on_node, ranks_on_node;    // -1: not known yet
  void find_node();
  void set_text(const std::string &);
};

}    // namespace LAMMPS_NS

#endif
