#include "options.hpp"

#include <thread>

namespace classroom {

using course::Error;

const char* const usage =
    "kit_class SUBMISSIONS [option...]: grades a class, one folder or archive (zip, tar) per student\n"
    "  --out FOLDER       all results (SUBMISSIONS.graded). The same command continues where it stopped\n"
    "  --names FILE       CSV with a header: the student of each folder\n"
    "  --points FILE      JSON: points per exercise or task, days late, partial credit (default: 1 each)\n"
    "  --deadline TIME    2026-12-01T23:59, local time\n"
    "  --cases FOLDER     TOPIC/NAME_test.cu: more tests, which students never see\n"
    "  --only TEXT        TOPIC/NAME, or all exercises with TEXT in their names; several with commas\n"
    "  --hunts NAMES      instead of exercises, grade these bug hunts, such as memory_access.coalesce.1\n"
    "  --seed N           the seed of all inputs (default: drawn once for FOLDER, and kept secret)\n"
    "  --jobs N           number of files graded at the same time (default: one per core)\n"
    "  --seconds N        time limit of one graded run (300). --memory MB: its memory limit (4096)\n"
    "  --shard I/N        grade only part I of N, and write no reports. Afterwards, use --collect\n"
    "  --collect          write only the reports about the files that are graded\n"
    "  --build            without SUBMISSIONS: only build the programs that judge them\n"
    "  --check            without SUBMISSIONS: only report whether the sandbox works on this machine\n"
    "  --no-sandbox       run students' code with the rights of this account\n"
    "Exit status: 0 everything is graded, 1 something is not graded, 2 wrong usage.\n";

namespace {

int number_from(const std::string& option, const std::string& text, int least, int most) {
    const int number = course::number_of(text);
    if (number < least || number > most)
        throw Error(option, " needs a whole number from ", least, " to ", most, ", not \"", text, "\"");
    return number;
}

void must_exist(const std::string& option, const fs::path& path, bool folder) {
    if (path.empty() || (folder ? fs::is_directory(path) : fs::is_regular_file(path))) return;
    throw Error(option, ": there is no ", folder ? "folder " : "file ", path.string());
}

}  // namespace

Options options_of(const Lines& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& option = arguments[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 >= arguments.size()) throw Error(option, " needs a value: see --help");
            return arguments[++i];
        };
        if (option == "--help") {
            options.help = true;
        } else if (option == "--out") {
            options.out = value();
        } else if (option == "--names") {
            options.names = value();
        } else if (option == "--points") {
            options.points = value();
        } else if (option == "--cases") {
            options.cases = value();
        } else if (option == "--deadline") {
            options.deadline = value();
        } else if (option == "--only") {
            options.only = value();
        } else if (option == "--hunts") {
            options.hunts = value();
        } else if (option == "--seed") {
            const std::string& text = value();
            if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
                throw Error("--seed needs a whole number, not \"", text, "\"");
            options.seed = std::stoull(text);
        } else if (option == "--jobs") {
            options.jobs = number_from(option, value(), 1, 1024);
        } else if (option == "--seconds") {
            options.limits.seconds = number_from(option, value(), 1, 86400);
        } else if (option == "--memory") {
            options.limits.memory = static_cast<std::size_t>(number_from(option, value(), 64, 1 << 20)) << 20;
        } else if (option == "--shard") {
            options.shard = shard_of(value());
        } else if (option == "--collect") {
            options.collect = true;
        } else if (option == "--build") {
            options.build = true;
        } else if (option == "--check") {
            options.check = true;
        } else if (option == "--no-sandbox") {
            options.no_sandbox = true;
        } else if (course::begins_with(option, "-")) {
            throw Error("there is no option \"", option, "\": see --help");
        } else if (options.submissions.empty()) {
            options.submissions = option;
        } else {
            throw Error("name only one folder to grade, \"", options.submissions.string(), "\" or \"", option,
                        "\"");
        }
    }
    if (options.help || options.build || options.check) return options;
    if (options.submissions.empty()) throw Error("name the folder of the class: see --help");
    must_exist("SUBMISSIONS", options.submissions, true);
    must_exist("--names", options.names, false);
    must_exist("--points", options.points, false);
    must_exist("--cases", options.cases, true);
    for (fs::path* path :
         {&options.submissions, &options.names, &options.points, &options.cases, &options.out}) {
        if (path->empty()) continue;
        *path = fs::weakly_canonical(fs::absolute(*path));
        // The path ends with a slash, as in "folder/".
        if (!path->has_filename()) *path = path->parent_path();
    }
    if (options.out.empty()) options.out = options.submissions.string() + ".graded";
    if (options.jobs == 0) options.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.limits.spare_parent = true;
    return options;
}

}  // namespace classroom
