#include "estimate.hpp"

#include <algorithm>
#include <cmath>

#include "judge.hpp"

namespace classroom {

namespace {

/// A kind of output: the text that its path contains, CPU seconds, and its name in a plan. With "%", a plan
/// shows how many there are.
struct Kind {
    const char *path, *name;
    double seconds;
};

constexpr Kind kinds[] = {{".gch", "precompiled headers", 3},
                          {"/kit_executor.dir/layers/", "the executor", 6.5},
                          {"/kit_executor.dir/", "the executor", 0.5},
                          {"/kit_ranks.dir/", "the library for NCCL and NVSHMEM", 4},
                          {"/kit_blas.dir/", "the library for cuBLAS", 3},
                          {"/kit_grader.dir/", "the grader", 8},
                          {"/kit_translator.dir/", "the translator", 3.5},
                          {"/kit_course_model.dir/", "the model of the course", 8},
                          {"/kit_classroom_model.dir/", "the class grader", 8.5},
                          {"/test.", "% tests", 3},
                          {"/solved.", "% solutions", 1},
                          {".o", "", 1}};

const Kind* kind_of(const std::string& output) {
    for (const Kind& kind : kinds) {
        if (course::contains("/" + output, kind.path)) return &kind;
    }
    return nullptr;
}

}  // namespace

double usual_seconds(const std::string& output) {
    const Kind* const kind = kind_of(output);
    return kind ? kind->seconds : 0;
}

double speed_of(const std::string& ninja_log, double otherwise) {
    // A line has the times of begin and end in milliseconds since the build began, the time of the output in
    // nanoseconds, and the output. The last line about an output counts.
    struct Built {
        double begin, end, work;
    };
    std::map<std::string, Built> outputs;
    for (const std::string& line : course::lines_of(ninja_log)) {
        const Lines fields = course::lines_of(course::replaced(line, "\t", "\n"));
        if (fields.size() < 5) continue;
        const double work = usual_seconds(fields[3]), end = std::atof(fields[2].c_str()) / 1e9,
                     seconds = (std::atof(fields[1].c_str()) - std::atof(fields[0].c_str())) / 1e3;
        if (work > 0 && end > 0) outputs[fields[3]] = {end - seconds, end, work};
    }
    std::vector<Built> all;
    for (const auto& [output, built] : outputs) all.push_back(built);
    std::sort(all.begin(), all.end(), [](const Built& a, const Built& b) { return a.begin < b.begin; });
    double work = 0, busy = 0, until = 0;
    for (const Built& one : all) {
        work += one.work;
        busy += std::max(0.0, one.end - std::max(one.begin, until));
        until = std::max(until, one.end);
    }
    return work < 10 || busy <= 0 ? otherwise : work / busy;
}

Plan plan_of(const Lines& missing_outputs) {
    Plan plan;
    std::vector<std::pair<std::string, int>> parts;
    for (const std::string& output : missing_outputs) {
        const Kind* const kind = kind_of(output);
        if (!kind) continue;
        ++plan.files;
        plan.usual_seconds += kind->seconds;
        const std::string name = kind->name;
        const auto found =
            std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == name; });
        if (found == parts.end())
            parts.emplace_back(name, 1);
        else
            ++found->second;
    }
    for (const auto& [name, count] : parts) {
        const std::string number = std::to_string(count);
        const std::string text = course::replaced(name, "%", number);
        if (!name.empty())
            plan.parts.push_back(count == 1 && name[0] == '%' ? text.substr(0, text.size() - 1) : text);
    }
    return plan;
}

Plan plan_of(const Course& course, const Lines& targets) {
    Lines command = {"ninja", "-C", course.build, "-t", "commands"};
    command.insert(command.end(), targets.begin(), targets.end());
    const course::Run said = course::run(command);
    Lines missing;
    for (const std::string& line : course::lines_of(said.output)) {
        const Lines found = course::match(line, " -o ([^ ]+[.](o|gch)) ");
        if (!found.empty() && !fs::exists(course.build / found[1])) missing.push_back(found[1]);
    }
    return plan_of(missing);
}

std::string in_time(double seconds) {
    if (seconds < 90) return std::to_string(std::max(1l, std::lround(seconds))) + " s";
    const long minutes = std::lround(seconds / 60);
    if (minutes < 90) return std::to_string(minutes) + " min";
    return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

bool Rest::is_known() const {
    return done_ >= std::min<std::size_t>(all_, 10);
}

double Rest::seconds() const {
    if (done_ == 0) return 0;
    const double each = seconds_ / static_cast<double>(done_), left = static_cast<double>(all_ - done_);
    return each * left / std::min(static_cast<double>(jobs_), std::max(left, 1.0));
}

}  // namespace classroom
