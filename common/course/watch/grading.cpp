#include "watch/grading.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the living processes of a session. Compilers and programs create their own process groups, but not
/// their own sessions.
std::vector<pid_t> processes_of(pid_t session) {
    std::vector<pid_t> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator("/proc", none)) {
        const int id = number_of(entry.path().filename().string());
        if (id <= 0 || getsid(id) != session) continue;
        std::string status;
        try {
            status = read_text(entry.path() / "stat");
        } catch (const Error&) {
            continue;  // the process has ended in the meantime
        }
        if (status.substr(status.rfind(')') + 1, 2) != " Z") found.push_back(id);
    }
    return found;
}

}  // namespace

void Grading::start(const Exercise& exercise, int columns) {
    exercise_ = &exercise;
    said_.clear();
    before_.clear();
    for (const std::string& test : tests_of(exercise)) {
        const fs::path file = verdict_file(course_, test);
        std::error_code none;
        before_.push_back(
            {test, fs::exists(file), read_text_if_there(file), fs::last_write_time(file, none)});
    }
    const std::string names = "^exercise[.]" + exercise.topic + "[.]" + exercise.name + "([.]|$)";
    process_ = course::start({"ctest", "--test-dir", course_.build.string(), "-Q", "-R", names},
                             {{"COLUMNS", std::to_string(columns)}, {"KIT_RUN_ALL", "1"}}, true);
    fcntl(process_.output, F_SETFL, O_NONBLOCK);
    begun_ = Clock::now();
}

int Grading::seconds() const {
    return static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count());
}

void Grading::read() {
    char bytes[1 << 14];
    ssize_t count = -1;
    while (process_.output >= 0 && (count = ::read(process_.output, bytes, sizeof bytes)) > 0)
        said_.append(bytes, static_cast<std::size_t>(count));
    if (count != 0 || process_.output < 0) return;
    close(process_.output);
    process_.output = -1;
}

bool Grading::was_written(const Before& before) const {
    const fs::path file = verdict_file(course_, before.test);
    return fs::exists(file) && (!before.there || fs::last_write_time(file) != before.time);
}

void Grading::put_back(const Before& before) const {
    const fs::path file = verdict_file(course_, before.test);
    std::error_code none;
    fs::remove(file.string() + ".run", none);
    if (!was_written(before)) return;
    if (!before.there) {
        fs::remove(file, none);
    } else {
        write_text(file, before.text);
        fs::last_write_time(file, before.time, none);
    }
}

/// Asks all processes to end (SIGTERM), so that Ninja removes incomplete files. After two seconds, kills
/// those that are left.
void Grading::end_all() const {
    for (const int signal : {SIGTERM, SIGKILL}) {
        for (const pid_t id : processes_of(process_.id)) kill(id, signal);
        const Clock::time_point end = Clock::now() + std::chrono::seconds(2);
        while (Clock::now() < end) {
            if (processes_of(process_.id).empty()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
}

void Grading::cancel() {
    if (!runs()) return;
    end_all();
    waitpid(process_.id, nullptr, WNOHANG);
    if (process_.output >= 0) close(process_.output);
    process_ = {};
    for (const Before& before : before_) put_back(before);
}

std::optional<std::vector<Graded>> Grading::verdicts() {
    if (!runs() || waitpid(process_.id, nullptr, WNOHANG) == 0) return {};
    read();
    if (process_.output >= 0) close(process_.output);
    process_ = {};
    std::vector<Graded> graded;
    for (const Before& before : before_) {
        const std::optional<Verdict> verdict = read_verdict(verdict_file(course_, before.test));
        if (verdict && was_written(before)) graded.push_back({exercise_, *verdict});
    }
    return graded;
}

}  // namespace course
