/* GPUs of partitions: the numbers of their processes on each node, for any placement of the job and any launcher.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "check.h"
#include "launcher_rank.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace LAMMPS_NS;

using Variables = std::map<std::string, std::string>;

struct Launcher {
  const char *name, *on_node, *in_job;
};

static const Launcher LAUNCHERS[] = {
    {"Open MPI", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_RANK"},
    {"MPICH", "MPI_LOCALRANKID", "PMI_RANK"},
    {"srun", "SLURM_LOCALID", "SLURM_PROCID"},
};

static int told(int rank_in_job, const Variables &variables)
{
  return launcher_rank_on_node(rank_in_job, [&](const char *name) -> const char * {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

/* Node of each process: in blocks, in turns, or with some processes more on the first node. */
static std::vector<int> placement(const std::string &kind, int processes, int nodes)
{
  std::vector<int> node(processes);
  for (int rank = 0; rank < processes; rank++)
    node[rank] = kind == "blocks" ? rank * nodes / processes
        : kind == "turns"         ? rank % nodes
                                  : std::max(0, rank * (nodes + 1) / processes - 1);
  return node;
}

/* The numbers that the processes of a job give themselves, as LAMMPS's partitions do: each knows its partition only. */
static std::vector<int> numbers(const std::vector<int> &node, const std::vector<int> &partitions, const Launcher *launcher)
{
  std::vector<int> found;
  for (size_t p = 0, first = 0; p < partitions.size(); first += partitions[p], p++)
    for (int i = 0; i < partitions[p]; i++) {
      const auto rank = first + i;
      const auto before = [&](size_t from) {
        return static_cast<int>(std::count(node.begin() + from, node.begin() + rank, node[rank]));
      };
      Variables variables;
      if (launcher)
        variables = {{launcher->on_node, std::to_string(before(0))}, {launcher->in_job, std::to_string(rank)}};
      found.push_back(rank_among_partitions(before(first), static_cast<int>(first), told(static_cast<int>(rank), variables)));
    }
  return found;
}

/* Each node has as many GPUs as processes: each process must get one of its own. */
static bool one_each(const std::vector<int> &node, const std::vector<int> &found)
{
  std::map<int, std::vector<int>> gpus;
  for (size_t rank = 0; rank < node.size(); rank++) gpus[node[rank]].push_back(found[rank]);
  for (auto &entry : gpus) {
    const int ngpus = static_cast<int>(entry.second.size());
    for (int &gpu : entry.second) gpu %= ngpus;
    std::sort(entry.second.begin(), entry.second.end());
    std::vector<int> wanted(ngpus);
    std::iota(wanted.begin(), wanted.end(), 0);
    if (entry.second != wanted) return false;
  }
  return true;
}

static void check_partitions()
{
  const std::vector<std::vector<int>> jobs = {{8}, {1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2}, {4, 4}, {1, 2, 5}, {3, 1, 4}};
  for (const auto &partitions : jobs)
    for (int nodes = 1; nodes <= 4; nodes++)
      for (const char *kind : {"blocks", "turns", "unequal"}) {
        const std::vector<int> node = placement(kind, 8, nodes);
        for (const Launcher &launcher : LAUNCHERS)
          CHECK_MSG(one_each(node, numbers(node, partitions, &launcher)), "%s, %d nodes, %zu partitions, %s", launcher.name,
                nodes, partitions.size(), kind);
      }

  // without a launcher that tells: partitions of equal size in blocks
  for (const auto &partitions : {jobs[1], jobs[2], jobs[3]})
    for (int nodes : {1, 2}) {
      const std::vector<int> node = placement("blocks", 8, nodes);
      CHECK_MSG(one_each(node, numbers(node, partitions, nullptr)), "no launcher, %d nodes, %zu partitions", nodes,
            partitions.size());
    }
}

static void check_variables()
{
  const Launcher &mpich = LAUNCHERS[1], &srun = LAUNCHERS[2];
  CHECK_MSG(told(5, {}) == -1, "no variables");
  CHECK_MSG(told(5, {{mpich.on_node, "1"}}) == -1, "a number on the node alone may be another process's");
  CHECK_MSG(told(5, {{mpich.on_node, "1"}, {mpich.in_job, "4"}}) == -1, "inherited");
  CHECK_MSG(told(0, {{mpich.on_node, ""}, {mpich.in_job, "0"}}) == -1, "empty");
  CHECK_MSG(told(0, {{mpich.on_node, "x"}, {mpich.in_job, "0"}}) == -1, "no number");
  CHECK_MSG(told(0, {{mpich.on_node, "-1"}, {mpich.in_job, "0"}}) == -1, "negative");
  CHECK_MSG(told(0, {{mpich.on_node, "99999999999"}, {mpich.in_job, "0"}}) == -1, "too large");
  // mpiexec in a script of Slurm: all processes have the variables of the script
  const Variables script = {{srun.on_node, "0"}, {srun.in_job, "0"}};
  CHECK_MSG(told(3, script) == -1, "those of the script");
  Variables both = script;
  both[mpich.on_node] = "3";
  both[mpich.in_job] = "3";
  CHECK_MSG(told(3, both) == 3, "mpiexec in a script");
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(check_partitions());
  CHECK_CASE(check_variables());
  return check_result();
}
