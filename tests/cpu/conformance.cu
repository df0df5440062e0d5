// The part of the conformance suite's harness that is the same for all its programs: what was checked, and how cases run.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "conformance.cuh"
#include "grader.cuh"

namespace conformance {

namespace {

struct Entry {
    std::string name;
    Kind kind;
    void (*body)();
};

/// A function, as the cases register themselves before main begins.
std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
}

// Of the case that runs now.
int checks = 0;
std::string skip_reason;

void run_body(const Entry& entry) {
    failures().clear();
    checks = 0;
    skip_reason.clear();
    try {
        entry.body();
    } catch (const Abandoned&) {
    } catch (const Skipped& skipped) {
        skip_reason = skipped.why;
    }
#ifdef KIT_CPU
    if (entry.kind == Kind::ordinary)
        for (const kit::cpu::Finding& finding : kit::cpu::take_findings())
            failures().push_back("the executor objects: " + finding.message);
#endif
}

}  // namespace

Registration::Registration(const char* name, Kind kind, void (*body)()) {
    entries().push_back({name, kind, body});
}

std::vector<std::string>& failures() {
    static std::vector<std::string> all;
    return all;
}

void fail(const char* file, int line, const std::string& sentence) {
    const char* slash = std::strrchr(file, '/');
    failures().push_back(std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " +
                         sentence);
}

void count_check() {
    ++checks;
}

void fail_equal(const char* file, int line, const char* text, const std::string& got,
                const std::string& want) {
    fail(file, line, std::string(text) + ": got " + got + ", expected " + want);
}

void fail_elements(const char* file, int line, const char* text, std::size_t wrong, std::size_t of,
                   const std::vector<Difference>& first) {
    std::string pairs;
    for (const Difference& one : first)
        pairs += " [" + std::to_string(one.i) + "] got " + one.got + ", expected " + one.want + ";";
    fail(file, line,
         std::string(text) + ": " + std::to_string(wrong) + " of " + std::to_string(of) + " differ:" + pairs);
}

void check(const char* file, int line, const char* text, bool holds) {
    count_check();
    if (!holds) fail(file, line, std::string("not true: ") + text);
}

Capture::Capture(int descriptor) : descriptor_(descriptor), file_(std::tmpfile()) {
    std::fflush(nullptr);
    saved_ = dup(descriptor);
    dup2(fileno(file_), descriptor);
}

Capture::~Capture() {
    restore();
    std::fclose(file_);
}

std::string Capture::text() {
    restore();
    std::string all;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) all += static_cast<char>(c);
    return all;
}

void Capture::restore() {
    if (saved_ < 0) return;
    std::fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
    saved_ = -1;
}

void run_as_ctest_does() {
    setenv("KIT_EXERCISE_STAGE", "cpu", 0);
}

int run_all(const char* topic, int argc, char** argv) {
    run_as_ctest_does();
    kit::Grader grader("cpu", topic, argc, argv);
    for (const Entry& entry : entries()) {
        kit::CaseOptions options;
        options.seconds = 60;
        options.once = entry.kind == Kind::fatal;  // the grader then goes on in a new process
        grader.add(
            entry.name,
            [entry](kit::Case& test) {
                test.call_unchecked([&] { run_body(entry); });
                if (!skip_reason.empty()) test.skip(skip_reason);
                for (const std::string& sentence : failures()) test.check(false, sentence);
                if (failures().empty() && checks > 0) test.check(true, "");
            },
            options);
    }
    return grader.run();
}

CONFORMANCE_FOR(, int)
CONFORMANCE_FOR(, unsigned)
CONFORMANCE_FOR(, float)
template bool equal<cudaError_t, cudaError_t>(const char*, int, const char*, const cudaError_t&,
                                              const cudaError_t&);

}  // namespace conformance
