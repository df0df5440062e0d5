#include "slurm.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "judge.hpp"
#include "recipe.hpp"

namespace classroom {

using namespace course;

namespace {

fs::path status_of(const SlurmOptions& options, int task) {
    return options.folder / sentence(task, ".status");
}

fs::path log_of(const SlurmOptions& options, int task) {
    return options.folder / sentence(task, ".log");
}

/// Runs the command with its shard, and writes its exit status last, in one step.
std::string job_script(const Lines& command, const SlurmOptions& options) {
    Lines words;
    for (const std::string& word : command) words.push_back(for_shell(word));
    return sentence("#!/bin/sh\n", joined(words, " "), " --shard \"$SLURM_ARRAY_TASK_ID/", options.tasks,
                    "\"\n", "status=$?\nfile=", for_shell(options.folder.string()),
                    "/$SLURM_ARRAY_TASK_ID.status\n",
                    "echo $status >\"$file.part\" && mv \"$file.part\" \"$file\"\nexit $status\n");
}

int count_ended(const SlurmOptions& options) {
    int ended = 0;
    for (int task = 1; task <= options.tasks; ++task) ended += fs::exists(status_of(options, task));
    return ended;
}

/// Waits for sbatch, which waits for the tasks; what it printed.
Run wait_for(const Process& sbatch, const std::function<void()>& every_second) {
    fcntl(sbatch.output, F_SETFL, O_NONBLOCK);
    Run done;
    const auto read_all = [&] {
        char bytes[4096];
        for (ssize_t count; (count = read(sbatch.output, bytes, sizeof bytes)) > 0;)
            done.output.append(bytes, static_cast<std::size_t>(count));
    };
    int status = 0;
    for (int turn = 0; waitpid(sbatch.id, &status, WNOHANG) == 0; ++turn) {
        read_all();
        if (turn % 10 == 0) every_second();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    read_all();
    close(sbatch.output);
    done.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return done;
}

/// The number that sbatch prints when it has taken the job; empty if it has not.
std::string job_in(const std::string& output) {
    for (const std::string& line : lines_of(output)) {
        const Lines found = match(line, "^([0-9]+)(;.*)?$");
        if (!found.empty()) return found[1];
    }
    return "";
}

/// The last line of a log that says something.
std::string last_words(const fs::path& log) {
    const Lines lines = lines_of(read_text_if_there(log));
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!trimmed(*line).empty()) return trimmed(*line);
    }
    return "it says nothing";
}

/// Every task must have ended with 0. Throws Error about the first that has not.
void check_tasks(const SlurmOptions& options, const std::string& job) {
    int failed = 0, silent = 0, first = 0;
    for (int task = 1; task <= options.tasks; ++task) {
        const std::string status = trimmed(read_text_if_there(status_of(options, task)));
        failed += status != "0";
        silent += status.empty();
        if (status != "0" && first == 0) first = task;
    }
    if (failed == 0) return;
    const fs::path log = log_of(options, first);
    const std::string again = "; the same command goes on where they stopped";
    if (silent == options.tasks && !fs::exists(log))
        throw Error("no task of job ", job, " has written into ", options.folder,
                    ": that folder must lie on a file system that all machines of the cluster share", again);
    const std::string status = trimmed(read_text_if_there(status_of(options, first)));
    const bool was_ended = status.empty() || number_of(status) > 128;
    throw Error(failed, " of ", options.tasks, " tasks of job ", job, " failed; task ", first,
                was_ended ? " was ended from outside (out of memory or time, or canceled)"
                          : " ended with status " + status,
                ", and its log ", log, " ends with: ", last_words(log), again);
}

}  // namespace

Shard shard_of(const std::string& words) {
    const Lines parts = match(words, "^([0-9]+)/([0-9]+)$");
    const Shard shard = parts.empty() ? Shard{0, 0} : Shard{number_of(parts[1]), number_of(parts[2])};
    if (shard.index < 1 || shard.index > shard.count)
        throw Error("--shard ", words, " is no part of the work: say 1/8, 2/8 and so on up to 8/8");
    return shard;
}

bool belongs_to_shard(const std::string& content, int index, int count) {
    return std::strtoull(content.substr(0, 15).c_str(), nullptr, 16) % static_cast<unsigned>(count) ==
           static_cast<unsigned>(index - 1);
}

Lines command_of_tasks(const Lines& command_line) {
    Lines command;
    for (std::size_t i = 0; i < command_line.size(); ++i) {
        if (begins_with(command_line[i], "--slurm=")) continue;
        if (command_line[i] != "--slurm")
            command.push_back(command_line[i]);
        else if (i + 1 < command_line.size() && number_of(command_line[i + 1]) >= 0)
            ++i;
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error && !command.empty()) command[0] = program;
    return command;
}

void run_as_job_array(const Lines& of_each, const SlurmOptions& given,
                      const std::function<void(int ended, int of)>& progress) {
    SlurmOptions options = given;
    options.folder = fs::absolute(given.folder);
    Lines command = of_each;
    if (std::find(command.begin(), command.end(), "--jobs") == command.end())
        command.insert(command.end(),
                       {"--jobs", std::to_string(options.cpus)});  // not one per core of the machine
    if (options.tasks < 1) throw Error("--slurm ", options.tasks, ": say how many tasks, at least 1");
    if (run({"sbatch", "--version"}).status != 0)
        throw Error(
            "--slurm needs sbatch, which is not on this machine: use a login node of the cluster, or run "
            "the ",
            "parts yourself, with --shard 1/", options.tasks, " and so on, and then --collect");
    fs::create_directories(options.folder);
    for (int task = 1; task <= options.tasks; ++task) {
        fs::remove(status_of(options, task));
        fs::remove(log_of(options, task));
    }
    const fs::path script = options.folder / "job.sh";
    write_text(script, job_script(command, options));
    const char* const wanted = std::getenv("SBATCH_TIMELIMIT");
    const Process sbatch =
        start({"sbatch", "--parsable", "--wait", "--export=ALL", "--nodes=1", "--ntasks=1",
               "--job-name=kit_class", sentence("--array=1-", options.tasks),
               sentence("--cpus-per-task=", options.cpus), sentence("--mem=", options.memory, "M"),
               "--time=" + (wanted ? std::string(wanted) : std::to_string(options.minutes)),
               "--chdir=" + fs::current_path().string(), "--output=" + (options.folder / "%a.log").string(),
               script.string()},
              {});
    int told = -1;
    const auto tell = [&] {
        const int ended = count_ended(options);
        if (progress && ended != std::exchange(told, ended)) progress(ended, options.tasks);
    };
    const Run waited = wait_for(sbatch, tell);
    const std::string job = job_in(waited.output);
    if (job.empty()) throw Error("sbatch has refused the job: ", on_one_line(waited.output));
    tell();
    check_tasks(options, job);
}

}  // namespace classroom
