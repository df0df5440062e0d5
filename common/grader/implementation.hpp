// The code that a test needs only when it runs: supervision, report, options, and the members of Grader, Case
// and Buffer.
#pragma once

#ifndef KIT_GRADER_FUNCTION
#define KIT_GRADER_FUNCTION inline
#endif

#include <grader/buffer_members.hpp>
#include <grader/case_members.hpp>
#include <grader/supervisor.hpp>

#ifndef KIT_CPU
#include <words/all_but_tables.hpp>
#endif

namespace kit {

namespace detail {

/// The settings and the cases of a Grader.
struct Exam {
    std::string topic, exercise;
    Options options;
    Readme readme;
    std::vector<Entry> cases;
    const Channel* worker = nullptr;  ///< the channel to the judge, if this process is a worker (wall.hpp);
                                      ///< otherwise null
    std::size_t first = 0;            ///< index of the case to start with
    bool host_may_compute = false;    ///< set by Grader::host_may_compute

    int grade() {
        const std::vector<const Entry*> chosen = chosen_cases();
        if (options.list) {
            for (const Entry* entry : chosen) std::printf("%s\n", entry->name.c_str());
            return 0;
        }
        if (worker) serve(*worker, chosen, std::min(first, chosen.size()), options);
        const bool is_secret = !options.worker.empty();
        Report report(topic, exercise, is_secret ? std::nullopt : std::optional(options.seed), readme);
        if (chosen.empty() && !cases.empty()) {
            return report.fail(words::no_case_is_named(options.only.front()));
        }
        if (options.fork) return Supervisor(report, options, host_may_compute).run(chosen);
        return grade_here(report, chosen);
    }

    /// Returns the case with this name. Without one, ends the program.
    Entry& named(const std::string& name) {
        for (Entry& entry : cases)
            if (entry.name == name) return entry;
        usage_error(words::no_case_is_named(name));
    }

    /// Returns the cases that the option --case selects, in the order of the test.
    std::vector<const Entry*> chosen_cases() const {
        const auto named = [&](const std::string& text) {
            return std::any_of(cases.begin(), cases.end(),
                               [&](const Entry& entry) { return entry.name == text; });
        };
        std::vector<bool> whole;  // for each argument of --case: whether it is the whole name of a case
        for (const std::string& text : options.only) whole.push_back(named(text));
        std::vector<const Entry*> chosen;
        for (const Entry& entry : cases) {
            bool wanted = options.only.empty();
            for (std::size_t i = 0; i < whole.size(); ++i)
                wanted |= whole[i] ? entry.name == options.only[i]
                                   : entry.name.find(options.only[i]) != std::string::npos;
            if (wanted) chosen.push_back(&entry);
        }
        return chosen;
    }

    /// Runs the cases in this process, for the options --no-fork and --profile.
    int grade_here(Report& report, const std::vector<const Entry*>& entries) const {
        const Device device = find_device();
        if (!device.usable) return report.skip(device.text);
        report.header(device.text);
        if (options.profile)
            report.hide_passed();
        else
            report.line(words::without_protection());
        tell_at_exit(report);
        for (const Entry* entry : entries) {
            const auto begun = std::chrono::steady_clock::now();
            running_ = entry->name;
            const Outcome outcome = Runner(*entry, options).grade();
            report.verdict(entry->name, outcome,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
            if (outcome.device_lost) return report.fail(words::device_is_lost());
        }
        return report.finish();
    }

  private:
    /// Prints the executor's findings and earlier failures if the student's code ends the program.
    static void tell_at_exit(Report& report) {
        static Report* last;
        last = &report;
        std::atexit([] {
#ifdef KIT_CPU
            for (const cpu::Finding& finding : cpu::take_findings())
                last->verdict(running_, failed(Case::explained(finding)), 0);
#endif
            _exit(last->fail(words::program_has_ended()));
        });
#ifdef KIT_CPU
        cpu::collect_findings(true);
        cpu::on_fatal_finding([](const cpu::Finding& finding) {
            last->verdict(running_, failed(Case::explained(finding)), 0);
            last->fail(words::host_code_crashed());
        });
#endif
    }

    static inline std::string running_;  ///< name of the running case, which is needed because there is no
                                         ///< supervisor
};

}  // namespace detail

KIT_GRADER_FUNCTION Grader::Grader(const std::string& topic, const std::string& exercise, int argc,
                                   char** argv)
    : exam_(new detail::Exam{topic, exercise, detail::parse_options(argc, argv), {}, {}}) {
    if (const char* first = std::getenv("KIT_WORKER")) {
        exam_->worker = new detail::Channel(detail::workers_file);
        exam_->first = std::strtoull(first, nullptr, 10);
        detail::wall = new detail::WorkersWall(*exam_->worker);
        unsetenv("KIT_WORKER");
    }
    // Topics of the kit's own tests have no number.
    const bool numbered = topic.find_first_of("0123456789") == 0;
    exam_->readme.path = numbered ? "exercises/" + topic + "/README.md" : "tests/" + topic;
    detail::session_seed = exam_->options.seed;
}

KIT_GRADER_FUNCTION void Grader::task(int number, const std::vector<Diagnosis>& diagnoses) {
    for (const Diagnosis diagnosis : diagnoses) exam_->readme.tasks.by_diagnosis[diagnosis].push_back(number);
}

KIT_GRADER_FUNCTION void Grader::task(int number, const About& about) {
    exam_->readme.tasks.by_facts.push_back({about, number});
}

KIT_GRADER_FUNCTION void Grader::host_may_compute() {
    exam_->host_may_compute = true;
}

KIT_GRADER_FUNCTION void Grader::add(std::string name, std::function<void(Case&)> body, CaseOptions options) {
    exam_->cases.push_back({std::move(name), std::move(body), options});
}

KIT_GRADER_FUNCTION void Grader::afterwards(const std::string& name, std::function<void(Case&)> check) {
    exam_->named(name).afterwards.push_back(std::move(check));
}

KIT_GRADER_FUNCTION void Grader::run_once(const std::string& name, std::function<void()> before_call,
                                          std::function<void()> after_call) {
    detail::Entry entry = exam_->named(name);
    entry.afterwards.clear();
    detail::before_call = std::move(before_call), detail::after_call = std::move(after_call);
    detail::Options options = exam_->options;
    options.once = true;
    detail::Runner(entry, options).grade();
}

KIT_GRADER_FUNCTION int Grader::run() {
    const int status = exam_->grade();
#ifdef KIT_CPU
    cpu::finish_profile();
#endif
    std::fflush(nullptr);
    std::_Exit(status);
}

KIT_GRADER_FUNCTION std::vector<int> sizes(int block, int largest) {
    Random random = detail::secret_random(detail::session_seed, "sizes", static_cast<std::uint64_t>(block));
    std::vector<int> all = {0, 1, block - 1, block, block + 1, 2 * block, 1009, 4096};
    const int ragged = static_cast<int>(random.integer(largest / 2, largest));
    all.push_back(ragged % block ? ragged : ragged + 1);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace kit
