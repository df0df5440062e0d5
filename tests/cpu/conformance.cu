// The part of the conformance suite's harness that is compiled once for all its programs: main, the checks,
// and the execution of cases.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#ifdef KIT_CPU
#include <words/finding.hpp>
#endif

#include "conformance.cuh"
#include "grader.cuh"

namespace conformance {

namespace {

struct Entry {
    const char* file;
    std::string name;
    Kind kind;
    void (*body)();
};

/// Returns all cases. The list is created by a function, because cases register themselves before main()
/// starts.
std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
}

/// Returns all tests, which register themselves in the same way.
std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

const Test* chosen = nullptr;

/// Returns the test whose name was used to start this program or its parent process; null if there is none.
const Test* choose(const char* program) {
    const char* const slash = std::strrchr(program, '/');
    const char* const wanted[] = {slash ? slash + 1 : program, std::getenv("KIT_CHOSEN")};
    for (const char* name : wanted) {
        for (const Test& test : tests()) {
            if (!name || std::strcmp(test.name, name) != 0) continue;
            setenv("KIT_CHOSEN", name, 1);
            return &test;
        }
    }
    return tests().size() == 1 ? tests().data() : nullptr;
}

// State of the running case.
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
            failures().push_back("the executor objects: " + kit::words::text_of(finding));
#endif
}

}  // namespace

Registration::Registration(const char* file, const char* name, Kind kind, void (*body)()) {
    entries().push_back({file, name, kind, body});
}

TestRegistration::TestRegistration(const Test& test) {
    tests().push_back(test);
}

bool is_chosen(const char* file) {
    return std::strcmp(chosen->file, file) == 0;
}

std::string without_namespace(std::string text) {
    const std::string file = chosen->file, name = file.substr(file.rfind('/') + 1);
    const std::string space = name.substr(0, name.rfind('.')) + "::";
    for (std::size_t at; (at = text.find(space)) != std::string::npos;) text.erase(at, space.size());
    return text;
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

int run_all(const Test& test, int argc, char** argv) {
    run_as_ctest_does();
    kit::Grader grader("cpu", test.name, argc, argv);
    for (const Entry& entry : entries()) {
        if (!is_chosen(entry.file)) continue;
        kit::CaseOptions options;
        options.seconds = 60;
        options.once = entry.kind == Kind::fatal;  // the grader continues with the next case in a new process
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

int main(int argc, char** argv) {
    using namespace conformance;
    chosen = choose(argv[0]);
    if (chosen) return chosen->run(*chosen, argc, argv);
    std::fprintf(stderr, "%s holds several tests, and is started by one of their names:\n", argv[0]);
    for (const Test& test : tests()) std::fprintf(stderr, "    %s\n", test.name);
    return 2;
}
