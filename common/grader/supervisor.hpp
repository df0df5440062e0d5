// Grades in a child process, so that a crash, an endless loop or exit() in the student's code gives a verdict
// and does not end the grading. The parent process does not use CUDA and does not run the student's
// functions.
#pragma once

#include <facts/json.hpp>
#include <grader/channel.hpp>
#include <grader/kernel_gaps.hpp>
#include <grader/options.hpp>
#include <grader/report.hpp>
#include <grader/runner.hpp>
#include <grader/wall_sides.hpp>
#include <mutex>
#include <optional>
#include <sstream>
#include <text_layout.hpp>
#include <thread>
#include <words/outcome.hpp>

namespace kit::detail {

/// Returns the outcome in a message of a child. The message can contain anything, because a worker may have
/// sent it.
inline facts::Outcome received(const std::string& message) {
    const std::optional<facts::Outcome> outcome = facts::outcome_from(message);
    if (outcome && (outcome->status != Status::other || outcome->method)) return *outcome;
    return failed(failure_of(facts::Fault::unreadable, Diagnosis::exited));
}

/// The name and the architecture of the device; if there is none, the reason. Finding it creates the CUDA
/// context.
struct Device {
    bool usable = false;
    std::string text;
    std::string error = {};  ///< name of the error if there is no device
};

inline Device find_device() {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    cudaDeviceProp properties{};
    if (error == cudaSuccess && count == 0) error = cudaErrorNoDevice;
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) error = cudaFree(nullptr);
    if (error != cudaSuccess) {
        const facts::RuntimeError found = {cudaGetErrorName(error), cudaGetErrorString(error), ""};
        return {false, words::no_gpu(found), found.name};
    }
    const std::string name = properties.name;
#ifdef KIT_CPU
    return {true, name.rfind("CPU executor", 0) == 0 ? name : "CPU executor as " + name};
#else
    return {true, name + " (sm_" + std::to_string(properties.major) + std::to_string(properties.minor) + ")"};
#endif
}

#ifdef KIT_CPU
/// Returns the time limit for a kernel of this case, in seconds. After a failure, the limit is shorter,
/// because other cases only confirm the failure.
inline double kernel_seconds(const Entry& entry, const Options& options, bool after_failure) {
    constexpr double most_after_failure = 1;
    const double seconds = std::max(0.5, entry.options.seconds / 3);
    return (after_failure ? std::min(seconds, most_after_failure) : seconds) * options.time_factor;
}
#endif

/// A gap of the starter that the code has reached.
struct Gap {
    int number = 0;
    facts::Line at;
};

inline Gap gap_from(const std::string& message) {
    Gap gap;
    std::istringstream words(message);
    words >> gap.number >> gap.at.line >> std::ws;
    std::getline(words, gap.at.file);
    gap.at.file = from_root(printable(gap.at.file));
    return gap;
}

/// Sends what kit.cuh reports to the parent: the error at which CUDA_CHECK ends the program, and gaps.
class Listening {
  public:
    explicit Listening(const Channel& channel) {
        channel_ = &channel;
        kit::detail::listener = {send_error, send_gap};
        watch_kernels();
    }

    /// Sends the gap that a kernel on the GPU has reached.
    static void send_gap_of_kernels() {
#ifndef KIT_CPU
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!of_kernels_ || of_kernels_->number == 0) return;
        // A kernel writes the number last, so the text no longer changes.
        send_gap(of_kernels_->number, const_cast<const char*>(of_kernels_->file), of_kernels_->line);
        of_kernels_->number = 0;
#endif
    }

  private:
    static void send_error(cudaError_t error, const char* expression, const char* file, int line) {
        facts::Failure failure = failure_of(facts::Fault::checked_error, error);
        failure.error.call = expression;
        failure.at = {file, line, ""};
        channel_->send(Message::error, facts::to_json(failed(failure)));
    }

    /// On the CPU backend, kernels call this function. Therefore, the checks do not see the accesses of this
    /// function, and it allocates nothing.
    static KIT_TODO_FUNCTION void send_gap(int number, const char* file, int line) {
        char text[600], packet[640];
        const int size = std::snprintf(text, sizeof text, "%d %d %s", number, line, file);
        const int all = std::snprintf(packet, sizeof packet, "%c%d\n%s", static_cast<char>(Message::gap),
                                      std::min(size, static_cast<int>(sizeof text) - 1), text);
        if (write(file_, packet, static_cast<std::size_t>(all)) < 0) _exit(3);
    }

    /// Looks for gaps of kernels in a separate thread, because a kernel with a gap may never end.
    void watch_kernels() {
        file_ = channel_->file();
#ifndef KIT_CPU
        of_kernels_ = watch_gaps();
        std::thread([] {
            while (true) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                send_gap_of_kernels();
            }
        }).detach();
#endif
    }

    static inline const Channel* channel_ = nullptr;
    static inline int file_ = -1;
#ifndef KIT_CPU
    static inline volatile ReachedGap* of_kernels_ = nullptr;
    static inline std::mutex mutex_;
#endif
};

/// Runs in the child: grades the cases, starting at `first`, and reports each. `after_failure`: an earlier case has failed.
[[noreturn]] inline void serve(const Channel& channel, const std::vector<const Entry*>& entries,
                               std::size_t first, const Options& options,
                               [[maybe_unused]] bool after_failure = false) {
    const Device device = find_device();
    if (device.usable)
        channel.send(Message::device, device.text);
    else
        channel.send(Message::no_device, pack({device.error, device.text}));
    if (!device.usable) _exit(0);
    const Listening listening(channel);
    std::atexit(Listening::send_gap_of_kernels);
#ifdef KIT_CPU
    cpu::collect_findings(true);
    // Code that ends the program on an error would lose the executor's findings, so they are sent at exit.
    static const Channel* last_words;
    last_words = &channel;
    static const auto say = [](const cpu::Finding& finding) {
        last_words->send(Message::finding, facts::to_json(failed(Case::explained(finding))));
    };
    cpu::on_fatal_finding([](const cpu::Finding& finding) { say(finding); });
    cpu::on_host_crash([](const facts::Line& at, bool in_host_function) {
        facts::Outcome outcome = failed(failure_of(facts::Fault::crashed, Diagnosis::crash));
        outcome.at = at;
        if (in_host_function) outcome.because = words::host_function_crashed();
        last_words->send(Message::finding, facts::to_json(outcome));
    });
    std::atexit([] {
        for (const cpu::Finding& finding : cpu::take_findings()) say(finding);
    });
#endif
    for (std::size_t i = first; i < entries.size(); ++i) {
        const Entry& entry = *entries[i];
        channel.send(Message::begin, "");
#ifdef KIT_CPU
        cpu::set_kernel_time_limit(kernel_seconds(entry, options, after_failure));
#endif
        Outcome outcome = Runner(entry, options).grade();
        after_failure = after_failure || outcome.status == Status::fail;
        std::fflush(nullptr);
        listening.send_gap_of_kernels();
        outcome.on_host = outcome.called && !outcome.kernel_ran;
        outcome.ends_process =
            outcome.device_lost || (outcome.status == Status::fail && !about_values(outcome.diagnosis) &&
                                    outcome.diagnosis != Diagnosis::part);
        channel.send(Message::end, facts::to_json(outcome));
        if (outcome.ends_process) _exit(0);
        channel.wait();
    }
    _exit(0);
}

/// Runs in the child process that checks a case again after a worker has passed it.
[[noreturn]] inline void serve_again(const Channel& channel, const Entry& entry, const Options& options,
                                     const std::vector<Crossing>& kept, Effort most) {
    effort = most;
#ifdef KIT_CPU
    if (effort != Effort::checked) {
        cpu::run_unchecked();
        setenv("KIT_WORKERS", "1", 1);  // other cores grade other submissions
    }
#endif
    find_device();
#ifdef KIT_CPU
    cpu::collect_findings(true);
#endif
    channel.send(Message::end, facts::to_json(Runner(entry, options).grade_again(kept)));
    _exit(0);
}

/// Turns the child process into the worker, which is the same test as a separate program. The worker finds
/// the judge at descriptor 3, and inherits nothing else of the environment and the open files.
[[noreturn]] inline void become_worker(const Channel& channel, const Options& options, std::size_t first) {
    std::vector<std::string> words = options.worker;
    for (const std::string& only : options.only) words.insert(words.end(), {"--case", only});
    if (options.once) words.push_back("--once");
    std::vector<std::string> variables = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp",
                                          "KIT_WORKER=" + std::to_string(first)};
    for (const char* name : {"KIT_DEVICE", "KIT_DEVICES", "KIT_TIME_FACTOR"}) {
        if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
    }
    std::vector<char*> arguments, environment;
    for (std::string& word : words) arguments.push_back(word.data());
    for (std::string& variable : variables) environment.push_back(variable.data());
    arguments.push_back(nullptr);
    environment.push_back(nullptr);
    if (channel.file() != workers_file) dup2(channel.file(), workers_file);
    fcntl(workers_file, F_SETFD, 0);
    close_range(workers_file + 1, ~0u, 0);
    execvpe(arguments[0], arguments.data(), environment.data());
    std::printf("%s\n", words::no_start(arguments[0], std::strerror(errno)).c_str());
    std::fflush(stdout);
    _exit(127);
}

class Supervisor {
  public:
    Supervisor(Report& report, const Options& options, bool host_may_compute)
        : report_(report), options_(options), host_may_compute_(host_may_compute) {}

    int run(const std::vector<const Entry*>& entries) {
        while (next_ < entries.size()) {
            if (timeouts_ >= most_timeouts) {
                give_up(*entries[next_++]);
                continue;
            }
            Child child([&](const Channel& channel) {
                if (!options_.worker.empty()) become_worker(channel, options_, next_);
                serve(channel, entries, next_, options_, report_.has_failed());
            });
            const std::size_t before = next_;
            watch(child, entries);
            if (gap_.number > 0) return report_.open(gap_case_, gap_.number, gap_.at);
            // A forked child cannot use CUDA that its parent has started, but that is not a reason to skip.
            // The parent must not call CUDA itself, not even for the name of an error.
            if (no_device_.error == "cudaErrorInitializationError")
                return report_.fail(words::cuda_before_main());
            if (!no_device_.text.empty()) return report_.skip(no_device_.text);
            if (next_ == before) {
                judge_silence(child, *entries[next_]);  // the child ended outside of a case
                ++next_;
            }
        }
        if (on_host_ && !entries.empty() && !host_may_compute_ && !report_.has_failed()) blame_host();
        return report_.finish();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int most_timeouts = 3;

    /// Fails the test because no case ran a kernel, although the contract demands one. With --case, the
    /// missing kernel is only noted.
    void blame_host() {
        if (!options_.only.empty()) return report_.note(words::all_on_host());
        report_.verdict("kernels ran", failed(failure_of(facts::Fault::all_on_host, Diagnosis::wrong_value)),
                        0);
    }

    /// Returns whether the case has used up its time, even if another failure explains that.
    static bool has_timed_out(const facts::Outcome& outcome) {
        return outcome.diagnosis == Diagnosis::timeout ||
               std::any_of(outcome.also.begin(), outcome.also.end(),
                           [](const facts::Failure& other) { return other.diagnosis == Diagnosis::timeout; });
    }

    /// Skips the other cases, because waiting for each of them would take minutes and show nothing new.
    void give_up(const Entry& entry) {
        report_.not_run(entry.name, failed(failure_of(facts::Fault::not_run, Diagnosis::timeout)));
    }

    /// Reads the messages of one child until it ends.
    void watch(Child& child, const std::vector<const Entry*>& entries) {
        constexpr double start_seconds = 60;
        while (next_ < entries.size()) {
            const Entry& entry = *entries[next_];
            Message message;
            std::string text;
            double limit = start_seconds * options_.time_factor;
            do {
                if (child.timed_out() || !child.receive(limit, message, text)) {
                    if (gap_.number > 0) return;
                    if (in_case_ || child.timed_out()) judge_silence(child, entry), ++next_;
                    in_case_ = false;
                    return;
                }
                if (message == Message::device && !header_shown_) report_.header(text), header_shown_ = true;
                if (message == Message::no_device) {
                    std::vector<std::string> texts = unpack(text);
                    texts.resize(2);
                    no_device_ = {false, texts[1], texts[0]};
                    return;
                }
                if (message == Message::words) child.answer(words_for(text, options_.seed));
                if (message == Message::value) kept_.push_back(crossing_from(text));
                if (message == Message::begin) begun_ = Clock::now(), kept_.clear(), in_case_ = true;
                if (message == Message::end) in_case_ = false;
                if (in_case_ && seconds() > 4 * limit)
                    child.give_up();  // the child sends messages without end
                if (message == Message::finding && finding_.empty()) finding_ = text;
                if (message == Message::error) error_ = received(text);
                if (message == Message::gap) take_gap(gap_from(text), entry);
                limit = entry.options.seconds * options_.time_factor;
            } while (message != Message::end);
            ++next_;
            if (gap_.number > 0) return;
            facts::Outcome outcome = received(text);
            const bool on_host = outcome.on_host, ends_process = outcome.ends_process;
            if (!options_.worker.empty() && outcome.status != Status::fail) look_again(entry, outcome);
            on_host_ = on_host_ && on_host;
            timeouts_ += has_timed_out(outcome);
            report_.verdict(entry.name, outcome, seconds(), output_of(child));
            if (ends_process) return;
            if (timeouts_ >= most_timeouts) return;
            child.go_on();
        }
    }

    /// The worker reports that this case has passed, perhaps by a different method, or cannot run. The judge agrees only if its own run
    /// with the worker's results does. That run counts nothing, so the method is not verified.
    void look_again(const Entry& entry, facts::Outcome& outcome) {
        const std::optional<Method> method = outcome.method;
        const Status said = method ? Status::pass : outcome.status;
        for (const Effort most : {Effort::compare, Effort::unchecked, Effort::checked}) {
            Child judge([&](const Channel& channel) { serve_again(channel, entry, options_, kept_, most); });
            Message message;
            std::string text;
            while (judge.receive(entry.options.seconds * options_.time_factor, message, text) &&
                   message != Message::end) {
            }
            if (message == Message::end) {
                outcome = received(text);
            } else {
                outcome = failed(failure_of(facts::Fault::judge_ended, Diagnosis::exited));
                outcome.end = judge.stop();
            }
            outcome.crossed = static_cast<int>(kept_.size());
            if (outcome.status != said) continue;
            if (method) Runner::count_as_other(outcome, *method);
            return;
        }
        facts::Note note;
        note.kind = facts::Note::Kind::program_passes;
        outcome.notes.push_back(note);
    }

    /// Reports that the child died or hangs in this case.
    void judge_silence(Child& child, const Entry& entry) {
        facts::End end = child.stop();
        on_host_ = false;
        if (gap_.number > 0) return;
        if (child.timed_out()) {
            end = {};
            end.fault = facts::Fault::late;
            end.seconds = entry.options.seconds * options_.time_factor;
        }
        const Diagnosis diagnosis = end.fault == facts::Fault::late     ? Diagnosis::timeout
                                    : end.fault == facts::Fault::exited ? Diagnosis::exited
                                                                        : Diagnosis::crash;
        facts::Outcome outcome = failed(failure_of(end.fault, diagnosis));
        if (end.fault == facts::Fault::late) {
            const Said late = said_of_late(entry.options);
            outcome.because = late.text;
            take_facts(outcome, late);
        }
        if (error_) outcome = *error_;
        if (!finding_.empty()) {
            outcome = received(finding_);
            if (error_) outcome.also.push_back(*error_);
        }
        outcome.end = end;
        finding_.clear(), error_.reset();
        timeouts_ += has_timed_out(outcome);
        report_.verdict(entry.name, outcome, seconds(), output_of(child));
    }

    /// Keeps a gap that the code has reached. The lowest number counts, because the host may reach TODO(2) before a kernel reaches TODO(1).
    void take_gap(const Gap& gap, const Entry& entry) {
        if (gap.number < 1 || (gap_.number > 0 && gap.number >= gap_.number)) return;
        gap_ = gap;
        gap_case_ = entry.name;
    }

    /// Returns what the student's code printed during this case.
    static std::vector<std::string> output_of(Child& child) {
        std::vector<std::string> lines = child.output();
        if (child.lines_dropped() > 0) lines.push_back(words::more_lines(child.lines_dropped()));
        child.clear_output();
        return lines;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

    Report& report_;
    const Options& options_;
    const bool host_may_compute_;
    std::size_t next_ = 0;
    bool in_case_ = false, header_shown_ = false;
    int timeouts_ = 0;
    bool on_host_ = true;  ///< whether no case so far needed a kernel
    Clock::time_point begun_ = Clock::now();
    std::vector<Crossing> kept_;  ///< values that the worker has read in this case
    std::string gap_case_, finding_;
    Gap gap_;
    Device no_device_;
    std::optional<facts::Outcome> error_;  ///< at which CUDA_CHECK has ended the program
};

}  // namespace kit::detail
