#include "work.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <words/progress.hpp>

#include "encoding.hpp"
#include "estimate.hpp"
#include "judge.hpp"
#include "quoting.hpp"
#include "regions.hpp"

namespace classroom {

namespace {

using course::ends_with;
using course::Error;
using Clock = std::chrono::steady_clock;

struct Job {
    const Exercise* exercise;
    std::string content;
    fs::path handed_in;
};

/// Returns the texts that have no verdict yet. Their order is that of their hashes, so the first ones are a random
/// sample of all, and their times give an estimate for the others.
std::vector<Job> jobs_of(const Class& all, const Settings& settings) {
    std::vector<Job> jobs;
    for (const Exercise* exercise : all.exercises) {
        std::set<std::string> seen;
        for (const Student& student : all.students) {
            const auto found = student.entries.find(exercise->id());
            if (found == student.entries.end()) continue;
            const Entry& entry = found->second;
            if (entry.content.empty() || entry.is_starter || !seen.insert(entry.content).second) continue;
            if (fs::exists(verdict_path(settings.out, *exercise, entry.content))) continue;
            if (!belongs_to_shard(name_of_content(exercise->id() + entry.content), settings.shard)) continue;
            jobs.push_back({exercise, entry.content, entry.file});
        }
    }
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.content < b.content; });
    return jobs;
}

std::string random_token() {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw Error("the system has no random numbers");
    std::string token;
    for (const unsigned char byte : bytes)
        token += "0123456789abcdef"[byte >> 4], token += "0123456789abcdef"[byte & 15];
    return token;
}

/// Grades one text with all exams of its exercise. The result is the first verdict other than "pass". The
/// verdict "other method" counts only if no exam has a worse verdict.
class Grading {
  public:
    Grading(const Course& course, const Settings& settings, const Job& job, const std::vector<Exam>& exams)
        : course_(course), settings_(settings), job_(job), exams_(exams) {}

    void run() {
        const fs::path folder = settings_.out / "contents" / job_.content;
        file_ = folder / job_.exercise->starter();
        course::write_text(file_, graded_text(course::read_text(job_.handed_in)));
        Verdict verdict;
        for (std::size_t i = 0; i < exams_.size(); ++i) {
            const Verdict next = verdict_of(exams_[i]);
            const bool is_right = next.outcome == "pass" || next.outcome == course::other_method;
            if (i == 0 || !is_right || verdict.outcome == "pass") verdict = next;
            if (!is_right) break;
        }
        verdict.test = "exercise." + job_.exercise->topic + "." + job_.exercise->name;
        verdict.token.clear();
        verdict.seed.clear();
        course::write_verdict(verdict_path(settings_.out, *job_.exercise, job_.content), verdict);
    }

  private:
    Verdict verdict_of(const Exam& exam) {
        const fs::path program = settings_.out / "programs" / (exam.name + "." + job_.content);
        Verdict verdict;
        const Built built = build_worker(course_, exam, settings_.sandbox, file_, program);
        if (!built.good) {
            check_kit(exam);
            verdict.outcome = "broken";
            verdict.sentence = kit::words::does_not_compile();
            verdict.output = built.message;
            return verdict;
        }
        verdict = judged(exam, program);
        std::error_code ignored;
        fs::remove(program, ignored);
        return verdict;
    }

    /// Throws Error if the kit's own solution does not compile: the checkout has changed, and the student's
    /// file is not the cause.
    void check_kit(const Exam& exam) const {
        const fs::path solution = course_.root / job_.exercise->solution(),
                       program = settings_.out / "programs" / (exam.name + "." + job_.content + ".solution");
        if (!fs::exists(solution)) return;
        const Built built = build_worker(course_, exam, settings_.sandbox, solution, program);
        std::error_code ignored;
        fs::remove(program, ignored);
        if (!built.good)
            throw Error("the kit's own solution no longer compiles, so no student's file can. Restore ",
                        course_.root.string(), ", which has perhaps changed during the grading.\n",
                        built.message);
    }

    Verdict judged(const Exam& exam, const fs::path& program) {
        const fs::path said = program.string() + ".verdict";
        std::error_code ignored;
        fs::remove(said, ignored);
        const std::string token = random_token();
        Lines command = {exam.judge, "--worker"};
        const Lines worker = command_of_worker(course_, exam, settings_.sandbox, file_, program);
        command.insert(command.end(), worker.begin(), worker.end());
        const Ended ended =
            run_limited(command,
                        {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                         {"HOME", "/tmp"},
                         {"KIT_SEED", std::to_string(settings_.seed)},
                         {"KIT_VERDICT", said},
                         {"KIT_TOKEN", token},
                         {"KIT_EXERCISE_STAGE", "exercise"},
                         {"KIT_AGAIN", job_.exercise->pattern()},
                         {"KIT_SUBMISSION", file_},
                         {"KIT_TASKS", course::titles_of_tasks(course_, *job_.exercise)},
                         {"KIT_REGIONS", course::places_of_tasks(course_, *job_.exercise, file_)},
                         {"COLUMNS", "100"}},
                        settings_.limits);
        const std::optional<Verdict> found = course::read_verdict(said);
        fs::remove(said, ignored);
        Verdict verdict;
        if (found && found->token == token) {
            verdict = *found;
            if (verdict.outcome == "fail") verdict.outcome = "wrong";
            if (verdict.outcome == "skip") verdict.outcome = "wrong";
        } else {
            verdict.outcome = "wrong";
            verdict.sentence = "ended without a verdict";
        }
        verdict.output = ended.out;
        verdict.seconds = ended.seconds;
        if (!ended.stopped_for.empty()) {
            verdict.outcome = "wrong";
            verdict.sentence = "stopped: it " + ended.stopped_for;
            verdict.output += "STOPPED: it " + ended.stopped_for + "\n";
        }
        return verdict;
    }

    const Course& course_;
    const Settings& settings_;
    const Job& job_;
    const std::vector<Exam>& exams_;
    fs::path file_;
};

/// Prints one line with the number of graded files and the remaining time, and at the end, how good the first
/// estimate was.
class Progress {
  public:
    Progress(std::size_t all, int jobs) : all_(all), rest_(all, jobs) {}

    void done(const Job& job, double seconds) {
        const std::lock_guard lock(mutex_);
        rest_.add(seconds);
        const double gone = std::chrono::duration<double>(Clock::now() - begun_).count();
        if (first_ == 0 && rest_.is_known()) first_ = gone + rest_.seconds();
        const std::string left = rest_.is_known() ? ", about " + in_time(rest_.seconds()) + " left" : "";
        const bool is_last = rest_.done() == all_;
        std::fprintf(stderr, "%s%zu of %zu graded%s: %s%s", is_terminal_ ? "\r\033[K" : "", rest_.done(),
                     all_, is_last ? "" : left.c_str(), job.exercise->id().c_str(),
                     is_terminal_ && !is_last ? "" : "\n");
        if (is_last)
            std::fprintf(stderr, "Graded in %s; the first estimate was %s\n", in_time(gone).c_str(),
                         in_time(first_).c_str());
    }

  private:
    std::mutex mutex_;
    const std::size_t all_;
    Rest rest_;
    double first_ = 0;
    const Clock::time_point begun_ = Clock::now();
    const bool is_terminal_ = isatty(STDERR_FILENO) == 1;
};

/// Runs a build. If files are missing, prints what is built, an estimate of the time, and how good it was.
course::Run build_with_progress(const Course& course, const Lines& command) {
    const auto targets = std::find(command.begin(), command.end(), "-t") + 1;
    const Plan plan = plan_of(course, {targets, command.end()});
    const double cores = std::max(1u, std::thread::hardware_concurrency());
    const double speed = speed_of(course::read_text_if_there(course.build / ".ninja_log"), cores);
    const double expected = plan.usual_seconds / speed;
    if (plan.files == 0) return course::run(command);
    std::fprintf(stderr, "Building, once for this checkout: %s (%s). This takes about %s.\n",
                 course::joined(plan.parts, ", ").c_str(), counted(plan.files, "file").c_str(),
                 in_time(expected).c_str());
    const auto show = [&](const std::string& output) {
        const Lines step =
            course::match(output.substr(output.rfind("\n[") + 1, 24), "^\\[([0-9]+)/([0-9]+)\\]");
        if (!step.empty()) std::fprintf(stderr, "\r\033[Kstep %s of %s", step[1].c_str(), step[2].c_str());
    };
    const bool is_terminal = isatty(STDERR_FILENO) == 1;
    const course::Run done = course::run(command, {{"NINJA_STATUS", "[%f/%t] "}},
                                         is_terminal ? show : std::function<void(const std::string&)>());
    std::fprintf(stderr, "%sBuilt in %s; the estimate was %s\n", is_terminal ? "\r\033[K" : "",
                 in_time(done.seconds).c_str(), in_time(expected).c_str());
    return done;
}

}  // namespace

Shard shard_of(const std::string& words) {
    const Lines parts = course::match(words, "^([0-9]+)/([0-9]+)$");
    const Shard shard =
        parts.empty() ? Shard{0, 0} : Shard{course::number_of(parts[1]), course::number_of(parts[2])};
    if (shard.index < 1 || shard.index > shard.count)
        throw Error("--shard ", words, " is not a part of the work: write 1/8, 2/8 and so on up to 8/8");
    return shard;
}

bool belongs_to_shard(const std::string& content, const Shard& shard) {
    return std::strtoull(content.substr(0, 15).c_str(), nullptr, 16) % static_cast<unsigned>(shard.count) ==
           static_cast<unsigned>(shard.index - 1);
}

fs::path verdict_path(const fs::path& out, const Exercise& exercise, const std::string& content) {
    return out / "verdicts" / exercise.topic / exercise.name / (content + ".json");
}

void build_judges(const Course& course, const std::vector<const Exercise*>& exercises) {
    // Only one process builds at a time, as in course::build_target: the tasks of a job array start together,
    // in one build folder.
    Lines command = {"flock", course.build / "kit_build.lock", "cmake", "--build", course.build, "-t"};
    for (const Exercise* exercise : exercises) {
        Lines variants = exercise->variants;
        variants.emplace_back();
        for (const std::string& variant : variants) {
            const std::string target = target_of(*exercise, variant);
            if (fs::exists(course.root / exercise->solution())) {
                command.push_back("solution." + target);
            } else if (!fs::exists(recipe_of(course, *exercise, variant).program)) {
                throw Error("the judge of ", target,
                            " is not built, and the solution that it is built from is missing");
            }
        }
    }
    if (ends_with(command.back(), "-t")) return;
    const course::Run done = build_with_progress(course, command);
    if (done.status != 0)
        throw Error("the kit cannot be built:\n",
                    done.output.substr(done.output.size() - std::min<std::size_t>(done.output.size(), 4000)));
}

void grade(const Class& all, const Settings& settings) {
    const Course& course = *all.course;
    const std::vector<Job> jobs = jobs_of(all, settings);
    if (jobs.empty()) return;
    std::set<const Exercise*> exercises;
    for (const Job& job : jobs) exercises.insert(job.exercise);
    build_judges(course, {exercises.begin(), exercises.end()});
    struct Prepared {
        std::once_flag once;
        std::vector<Exam> exams;
    };
    std::map<const Exercise*, Prepared> prepared;
    for (const Exercise* exercise : exercises) prepared[exercise];
    const fs::path folder = settings.out / "exams" / std::to_string(settings.shard.index);
    const auto exams_for = [&](const Exercise* exercise) -> const std::vector<Exam>& {
        Prepared& mine = prepared.at(exercise);
        std::call_once(mine.once, [&] { mine.exams = exams_of(course, *exercise, folder, settings.cases); });
        return mine.exams;
    };

    Progress progress(jobs.size(), settings.jobs);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::string trouble;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < jobs.size();) {
            try {
                const std::vector<Exam>& exams = exams_for(jobs[i].exercise);
                const Clock::time_point begun = Clock::now();
                Grading(course, settings, jobs[i], exams).run();
                progress.done(jobs[i], std::chrono::duration<double>(Clock::now() - begun).count());
            } catch (const std::exception& error) {
                const std::lock_guard lock(mutex);
                trouble = jobs[i].exercise->id() + ": " + error.what();
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < settings.jobs; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (!trouble.empty())
        throw Error(
            "some files could not be graded. Run the same command again to grade them. The last error: ",
            trouble);
}

std::size_t collect(Class& all, const fs::path& out) {
    std::size_t missing = 0;
    for (Student& student : all.students) {
        for (const Exercise* exercise : all.exercises) {
            Entry& entry = student.entries[exercise->id()];
            if (entry.is_starter || entry.content.empty()) continue;
            const auto verdict = course::read_verdict(verdict_path(out, *exercise, entry.content));
            if (!verdict) {
                ++missing;
                continue;
            }
            entry.verdict = *verdict;
            entry.outcome = verdict->outcome;
            entry.sentence = verdict->sentence;
            if (entry.answer.empty() || entry.outcome != "pass") continue;
            entry.outcome = entry.verdict.outcome = "wrong";
            entry.sentence = entry.verdict.sentence = "the file is repaired, but " + entry.answer;
            entry.verdict.output += "RESULT fail: " + entry.sentence + "\n";
        }
    }
    return missing;
}

}  // namespace classroom
