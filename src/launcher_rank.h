/* -*- c++ -*- Number of a process among all processes of a job on its node, as the launcher tells it.
   SPDX-License-Identifier: GPL-2.0-or-later

   Used if LAMMPS runs several partitions. A partition alone does not know which others are on its node. It cannot ask them by
   MPI, because each of them may start its pair style at another time, or never. */

#ifndef LMP_DPDSOP_LAUNCHER_RANK_H
#define LMP_DPDSOP_LAUNCHER_RANK_H

#include <cstdlib>

namespace LAMMPS_NS {

// The value of an environment variable if it is a number >= 0, else -1

inline int launcher_number(const char *text)
{
  if (!text || !*text) return -1;
  char *end;
  const long number = strtol(text, &end, 10);
  return *end || number < 0 || number > 0x7fffffff ? -1 : static_cast<int>(number);
}

/* Launchers give each process two environment variables: its number on its node, and its number in the job. A process may
   have inherited those of another one, such as the script that has called mpiexec: they count only if the number in the
   job is that of MPI. Returns -1 if no launcher tells. */

template <class LOOKUP> int launcher_rank_on_node(int rank_in_job, LOOKUP variable)
{
  static constexpr const char *NAMES[][2] = {
      {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_RANK"},    // Open MPI
      {"MPI_LOCALRANKID", "PMI_RANK"},                           // MPICH, Intel MPI
      {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_RANK"},      // MVAPICH2
      {"PALS_LOCAL_RANKID", "PALS_RANKID"},                      // HPE Cray
      {"FLUX_TASK_LOCAL_ID", "FLUX_TASK_RANK"},                  // Flux
      {"SLURM_LOCALID", "SLURM_PROCID"},                         // Slurm's srun
  };
  for (const auto &name : NAMES)
    if (launcher_number(variable(name[1])) == rank_in_job) {
      const int on_node = launcher_number(variable(name[0]));
      if (on_node >= 0) return on_node;
    }
  return -1;
}

// If no launcher tells, partitions are taken to fill one node after the other

inline int rank_among_partitions(int rank_on_node, int first_of_partition, int told)
{
  return told >= 0 ? told : first_of_partition + rank_on_node;
}

}    // namespace LAMMPS_NS

#endif
