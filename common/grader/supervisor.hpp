// Grades in a child process, so that a crash, an endless loop or exit() in the student's code is a verdict
// and not the end of the grading. The parent never touches CUDA and never runs the student's functions.
#pragma once

#include <grader/channel.hpp>
#include <grader/options.hpp>
#include <grader/report.hpp>
#include <grader/runner.hpp>
#include <grader/wall_sides.hpp>

namespace kit::detail {

/// What the parent learns of a case that has come to its end.
struct Ending {
    Outcome outcome;
    bool on_host = false;  ///< the student's function ran, and no kernel
    bool go_on = true;     ///< this process can grade the next case
};

/// An Outcome as texts, and back: of the numbers and texts each has its place, the lists follow with their sizes.
class OutcomeTexts {
  public:
    static std::vector<std::string> of(const Outcome& outcome) {
        std::vector<std::string> texts = {std::to_string(static_cast<int>(outcome.status)),
                                          std::to_string(static_cast<int>(outcome.diagnosis)),
                                          std::to_string(outcome.line),
                                          outcome.file,
                                          outcome.meaning,
                                          outcome.headline,
                                          outcome.demand,
                                          outcome.error,
                                          "",
                                          outcome.subject,
                                          std::to_string(outcome.values)};
#ifdef KIT_CPU
        if (outcome.finding) texts[8] = facts::to_json(*outcome.finding);
#endif
        std::vector<std::string> also;
        for (const Outcome& other : outcome.also) also.push_back(pack(of(other)));
        std::vector<std::string> tasks;
        for (const int task : outcome.tasks) tasks.push_back(std::to_string(task));
        const Method method = outcome.method.value_or(Method());
        const std::vector<std::string> other = {method.practises, method.did, method.why};
        for (const auto& list : {outcome.details, outcome.demands, outcome.notes, also, tasks, other})
            texts.push_back(pack(list));
        return texts;
    }

    /// `depth`: others have no others.
    static Outcome from(std::vector<std::string> texts, int depth = 0) {
        texts.resize(17);
        const auto number = [&](std::size_t i) { return std::atoi(texts[i].c_str()); };
        Outcome outcome;
        outcome.status = status_numbered(number(0));
        outcome.diagnosis = diagnosis_numbered(number(1));
        outcome.line = number(2);
        outcome.file = is_source_file(texts[3]) ? texts[3] : "";
        outcome.meaning = texts[4], outcome.headline = texts[5], outcome.demand = texts[6];
        outcome.error = texts[7];
#ifdef KIT_CPU
        outcome.finding = facts::finding_from(texts[8]);
        // A worker may send anything.
        if (outcome.finding && !finding_row(outcome.finding->kind.c_str())) outcome.finding.reset();
#endif
        outcome.subject = texts[9];
        outcome.values = std::strtoull(texts[10].c_str(), nullptr, 10);
        outcome.details = unpack(texts[11]), outcome.demands = unpack(texts[12]);
        outcome.notes = unpack(texts[13]);
        for (const std::string& task : unpack(texts[15])) outcome.tasks.push_back(std::atoi(task.c_str()));
        for (const std::string& other : unpack(depth == 0 ? texts[14] : ""))
            outcome.also.push_back(from(unpack(other), depth + 1));
        if (outcome.status == Status::other) {
            std::vector<std::string> method = unpack(texts[16]);
            method.resize(3);
            outcome.method = {method[0], method[1], method[2], outcome.tasks.empty() ? 0 : outcome.tasks[0],
                              outcome.demand};
        }
        return outcome;
    }

  private:
    static Status status_numbered(int number) {
        const bool is_one = number >= 0 && number <= static_cast<int>(Status::other);
        return is_one ? static_cast<Status>(number) : Status::fail;
    }
    static Diagnosis diagnosis_numbered(int number) {
        const bool is_one = number >= 0 && number <= static_cast<int>(Diagnosis::wrong_value);
        return is_one ? static_cast<Diagnosis>(number) : Diagnosis::wrong_value;
    }
};

inline std::string to_message(const Ending& ending) {
    std::vector<std::string> texts = OutcomeTexts::of(ending.outcome);
    texts.insert(texts.begin(), {ending.on_host ? "1" : "0", ending.go_on ? "1" : "0"});
    return pack(texts);
}

inline Ending from_message(const std::string& message) {
    std::vector<std::string> texts = unpack(message);
    texts.resize(std::max<std::size_t>(texts.size(), 2));
    Ending ending;
    ending.on_host = texts[0] == "1", ending.go_on = texts[1] == "1";
    ending.outcome = OutcomeTexts::from({texts.begin() + 2, texts.end()});
    return ending;
}

/// Name and architecture of the device, or why there is none. Creates the CUDA context.
struct Device {
    bool usable = false;
    std::string text;
};

inline Device find_device() {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    cudaDeviceProp properties{};
    if (error == cudaSuccess && count == 0) error = cudaErrorNoDevice;
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess) error = cudaFree(nullptr);
    if (error != cudaSuccess) {
        return {false, "no usable GPU: " + error_text(error) +
                           "; configure with -DKIT_BACKEND=CPU to grade without one"};
    }
    const std::string name = properties.name;
#ifdef KIT_CPU
    return {true, name.rfind("CPU executor", 0) == 0 ? name : "CPU executor as " + name};
#else
    return {true, name + " (sm_" + std::to_string(properties.major) + std::to_string(properties.minor) + ")"};
#endif
}

/// What the child does: grade from this case on, and say so.
[[noreturn]] inline void serve(const Channel& channel, const std::vector<const Entry*>& entries,
                               std::size_t first, const Options& options) {
    const Device device = find_device();
    channel.send(device.usable ? Message::device : Message::no_device, device.text);
    if (!device.usable) _exit(0);
#ifdef KIT_CPU
    cpu::collect_findings(true);
    // Code that ends the program on an error takes the executor's words with it, unless they are sent now.
    static const Channel* last_words;
    last_words = &channel;
    static const auto say = [](const cpu::Finding& finding) {
        last_words->send(Message::finding, to_message({Case::explained(finding)}));
    };
    cpu::on_fatal_finding([](const cpu::Finding& finding) { say(finding); });
    std::atexit([] {
        for (const cpu::Finding& finding : cpu::take_findings()) say(finding);
    });
#endif
    for (std::size_t i = first; i < entries.size(); ++i) {
        const Entry& entry = *entries[i];
        channel.send(Message::begin, "");
#ifdef KIT_CPU
        cpu::set_kernel_time_limit(std::max(0.5, entry.options.seconds / 3) * options.time_factor);
#endif
        const Outcome outcome = Runner(entry, options).grade();
        std::fflush(nullptr);
        const bool go_on =
            !outcome.device_lost && (outcome.status != Status::fail || about_values(outcome.diagnosis) ||
                                     outcome.diagnosis == Diagnosis::part);
        channel.send(Message::end, to_message({outcome, outcome.on_host(), go_on}));
        if (!go_on) _exit(0);
        channel.wait();
    }
    _exit(0);
}

/// What the child does that looks again at a case which a worker has passed.
[[noreturn]] inline void serve_again(const Channel& channel, const Entry& entry, const Options& options,
                                     const std::vector<Crossing>& kept, Effort most) {
    effort = most;
#ifdef KIT_CPU
    if (effort != Effort::checked) {
        cpu::run_unchecked();
        setenv("KIT_WORKERS", "1", 1);  // other texts are graded on the other cores
    }
#endif
    find_device();
#ifdef KIT_CPU
    cpu::collect_findings(true);
#endif
    channel.send(Message::end, to_message({Runner(entry, options).grade_again(kept)}));
    _exit(0);
}

/// Becomes the worker: the same test as a program of its own, which finds us at descriptor 3, and of our environment and files
/// gets nothing.
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
    std::printf("%s cannot be started: %s\n", arguments[0], std::strerror(errno));
    std::fflush(stdout);
    _exit(127);
}

class Supervisor {
  public:
    Supervisor(Report& report, const Options& options) : report_(report), options_(options) {}

    int run(const std::vector<const Entry*>& entries) {
        while (next_ < entries.size()) {
            if (report_.count(Diagnosis::timeout) >= most_timeouts) {
                give_up(*entries[next_++]);
                continue;
            }
            Child child([&](const Channel& channel) {
                if (!options_.worker.empty()) become_worker(channel, options_, next_);
                serve(channel, entries, next_, options_);
            });
            const std::size_t before = next_;
            watch(child, entries);
            if (!gap_.empty()) return report_.open(gap_case_, gap_number_, gap_);
            // A forked child cannot use CUDA that its parent has started: no reason to skip.
            if (no_device_.find("cudaErrorInitializationError") != std::string::npos)
                return report_.fail(
                    "CUDA was used before main(), perhaps by a global object: use it in functions only");
            if (!no_device_.empty()) return report_.skip(no_device_);
            if (next_ == before) {
                judge_silence(child, *entries[next_]);  // the child ended outside of a case
                ++next_;
            }
        }
        if (on_host_) report_.note("no kernel ran: the work was done on the host");
        return report_.finish();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int most_timeouts = 3;

    /// Waiting for one case after the other would take minutes and tell nothing new.
    void give_up(const Entry& entry) {
        Outcome outcome;
        outcome.status = Status::fail;
        outcome.diagnosis = Diagnosis::timeout;
        outcome.headline = "not run, because three cases before it came to no end";
        report_.not_run(entry.name, outcome);
    }

    /// Follows one child to its end.
    void watch(Child& child, const std::vector<const Entry*>& entries) {
        constexpr double start_seconds = 60;
        while (next_ < entries.size()) {
            const Entry& entry = *entries[next_];
            Message message;
            std::string text;
            double limit = start_seconds * options_.time_factor;
            do {
                if (child.timed_out() || !child.receive(limit, message, text)) {
                    if (in_case_ || child.timed_out()) judge_silence(child, entry), ++next_;
                    in_case_ = false;
                    return;
                }
                if (message == Message::device && !header_shown_) report_.header(text), header_shown_ = true;
                if (message == Message::no_device) {
                    no_device_ = text;
                    return;
                }
                if (message == Message::words) child.answer(words_for(text, options_.seed));
                if (message == Message::value) kept_.push_back(crossing_from(text));
                if (message == Message::begin) begun_ = Clock::now(), kept_.clear(), in_case_ = true;
                if (message == Message::end) in_case_ = false;
                if (in_case_ && seconds() > 4 * limit) child.give_up();  // it sends without end
                if (message == Message::finding && finding_.empty()) finding_ = text;
                limit = entry.options.seconds * options_.time_factor;
            } while (message != Message::end);
            ++next_;
            if (found_gap(child, entry)) return;
            Ending ending = from_message(text);
            if (!options_.worker.empty() && ending.outcome.status != Status::fail) look_again(entry, ending);
            on_host_ = on_host_ && ending.on_host;
            report_.verdict(entry.name, ending.outcome, seconds(), output_of(child));
            if (!ending.go_on) return;
            if (report_.count(Diagnosis::timeout) >= most_timeouts) return;
            child.go_on();
        }
    }

    /// The worker says that this case has passed, perhaps by another method, or cannot run. It has if our own run with its results
    /// says so, too. That run counts nothing, so the method is the worker's word.
    void look_again(const Entry& entry, Ending& ending) {
        const std::optional<Method> method = ending.outcome.method;
        const Status said = method ? Status::pass : ending.outcome.status;
        for (const Effort most : {Effort::compare, Effort::unchecked, Effort::checked}) {
            Child judge([&](const Channel& channel) { serve_again(channel, entry, options_, kept_, most); });
            Message message;
            std::string text;
            while (judge.receive(entry.options.seconds * options_.time_factor, message, text) &&
                   message != Message::end) {
            }
            if (message == Message::end) {
                ending.outcome = from_message(text).outcome;
            } else {
                ending.outcome.status = Status::fail, ending.outcome.diagnosis = Diagnosis::exited;
                ending.outcome.headline =
                    "the judge came to no end with the results of your code: " + judge.stop();
            }
            ending.outcome.crossed = static_cast<int>(kept_.size());
            if (ending.outcome.status != said) continue;
            if (method) Runner::count_as_other(ending.outcome, *method);
            return;
        }
        ending.outcome.notes.push_back("the program itself said that this case passes");
    }

    /// The child died or hangs in this case.
    void judge_silence(Child& child, const Entry& entry) {
        const std::string how = child.stop();
        on_host_ = false;
        if (found_gap(child, entry)) return;
        Outcome outcome;
        outcome.status = Status::fail;
        outcome.diagnosis = child.timed_out() ? Diagnosis::timeout
                            : child.exited()  ? Diagnosis::exited
                                              : Diagnosis::crash;
        outcome.headline = how;
        if (child.timed_out()) {
            outcome.headline = "no result after " +
                               short_number(entry.options.seconds * options_.time_factor) +
                               " s: " + entry.options.late;
        }
        for (const std::string& line : child.output()) {
            if (line.find(": CUDA error cuda") == std::string::npos) continue;
            outcome.diagnosis = Diagnosis::cuda_error;
            outcome.headline = from_root(printable(line));
            const std::size_t colon = line.find(".cu:"), text = line.find(": CUDA error cuda");
            if (colon != std::string::npos && colon < text) {
                outcome.file = line.substr(0, colon + 3);
                outcome.line = std::atoi(line.c_str() + colon + 4);
                outcome.headline = printable(line.substr(text + 2));
                const std::size_t name = text + std::string(": CUDA error ").size();
                outcome.error = line.substr(name, line.find_first_of(" (:", name) - name);
            }
        }
        if (!finding_.empty()) {
            const std::string ended = outcome.headline;
            outcome = from_message(finding_).outcome;
            outcome.status = Status::fail;
            outcome.details.push_back(ended);
            finding_.clear();
        }
        report_.verdict(entry.name, outcome, seconds(), output_of(child));
    }

    /// KIT_TODO prints "[kit] TODO(1) is still open: file:line". The lowest number comes next: the host
    /// may reach TODO(2) before a kernel reaches TODO(1).
    bool found_gap(Child& child, const Entry& entry) {
        const std::string marker = "[kit] TODO(";
        int lowest = 0;
        for (const std::string& line : child.output()) {
            const std::size_t start = line.find(marker);
            if (start == std::string::npos) continue;
            const int number = std::atoi(line.c_str() + start + marker.size());
            if (!gap_.empty() && number >= lowest) continue;
            lowest = gap_number_ = number;
            gap_ = from_root(printable(line.substr(start + 6)));
        }
        gap_case_ = entry.name;
        return !gap_.empty();
    }

    /// What the student's code printed during this case.
    static std::vector<std::string> output_of(Child& child) {
        std::vector<std::string> lines = child.output();
        if (child.lines_dropped() > 0) lines.push_back("and " + count_of(child.lines_dropped(), "more line"));
        child.clear_output();
        return lines;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

    Report& report_;
    const Options& options_;
    std::size_t next_ = 0;
    bool in_case_ = false, header_shown_ = false;
    bool on_host_ = true;  ///< so far no case needed a kernel
    Clock::time_point begun_ = Clock::now();
    std::vector<Crossing> kept_;  ///< what the worker has read in this case
    std::string gap_, gap_case_, no_device_, finding_;
    int gap_number_ = 0;
};

}  // namespace kit::detail
