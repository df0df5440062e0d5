// Grading a class on many machines: the work is cut into shards, and SLURM runs one task of a job array for each.
#pragma once

#include <functional>
#include <string>

#include "text.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Lines;

/// One of N equal parts of the work.
struct Shard {
    int index = 1;  ///< from 1
    int count = 1;
};

/// "3/8". Throws Error.
Shard shard_of(const std::string& words);

/// Every text belongs to one shard of N, and always to the same. The name is that of name_of_content.
bool belongs_to_shard(const std::string& content, int index, int count);

struct SlurmOptions {
    int tasks = 0;
    int cpus = 2;       ///< of each task
    int memory = 4096;  ///< of each task, in MB
    int minutes =
        120;  ///< after which SLURM ends a task; SBATCH_TIMELIMIT says otherwise (a partition may allow less)
    fs::path
        folder;  ///< OUT/slurm: script, logs, what became of each task; on a file system that all machines share
};

/// What each task runs: this command line without --slurm and its number, and with the program's whole path.
Lines command_of_tasks(const Lines& command_line);

/// Submits a job array whose task I runs the command with "--shard I/N" behind it (and, unless it says otherwise, "--jobs CPUS"), in
/// the folder and with the environment of this process, and waits until all have ended; meanwhile `progress` is told how many have,
/// when it is one more. What else sbatch is to be told (account, partition) it reads from the environment: SBATCH_ACCOUNT,
/// SBATCH_PARTITION. Throws Error where sbatch is missing or refuses, or where a task failed; what the others have done stays.
void run_as_job_array(const Lines& of_each, const SlurmOptions& options,
                      const std::function<void(int ended, int of)>& progress = {});

}  // namespace classroom
