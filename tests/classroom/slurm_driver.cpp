// Stands in for kit_class in the tests of SLURM: "grades" the numbers from 1 to COUNT into a folder, alone, as a shard, or as a
// job array. slurm_driver OUT COUNT [--slurm N] [--fail-at NUMBER] [--sleep SECONDS]
// [--shard I/N]
#include <unistd.h>

#include <cstdio>

#include "classroom.hpp"
#include "slurm.hpp"

using namespace classroom;

int main(int count, char** words) try {
    const Lines line(words, words + count);
    const fs::path out = line.at(1);
    Shard shard;
    int tasks = 0, fail_at = 0, seconds = 0;
    for (std::size_t i = 3; i + 1 < line.size(); i += 2) {
        if (line[i] == "--slurm") tasks = course::number_of(line[i + 1]);
        if (line[i] == "--fail-at") fail_at = course::number_of(line[i + 1]);
        if (line[i] == "--sleep") seconds = course::number_of(line[i + 1]);
        if (line[i] == "--shard") shard = shard_of(line[i + 1]);
    }
    if (tasks > 0) {
        SlurmOptions options;
        options.tasks = tasks;
        options.cpus = 1;
        options.memory = 100;
        options.minutes = 5;
        options.folder = out / "slurm";
        int ended = 0;
        run_as_job_array(command_of_tasks(line), options, [&](int now, int) { ended = now; });
        std::printf("%d of %d tasks have ended\n", ended, tasks);
        return 0;
    }
    sleep(static_cast<unsigned>(seconds));
    for (int number = 1; number <= course::number_of(line.at(2)); ++number) {
        const std::string content = name_of_content(std::to_string(number));
        if (!belongs_to_shard(content, shard.index, shard.count)) continue;
        if (number == fail_at) throw course::Error("number ", number, " cannot be graded");
        const fs::path file = out / "verdicts" / content;
        if (fs::exists(file)) throw course::Error("number ", number, " was graded twice");
        course::write_text(file, std::to_string(number * number) + "\n");
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "slurm_driver: %s\n", error.what());
    return 1;
}
