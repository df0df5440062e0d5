// Grades 01_error_handling/check_macro. Each check that must fail runs in its own process, whose end and output are examined.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/probe.hpp"
#include "grader.cuh"
#include "remembered.hpp"

using namespace error_handling;

namespace {

// ---- In the probe ----

cudaError_t code = cudaSuccess;
Place place = {"", 0};

// The call that the macro checks: prints each time that it is evaluated, then returns `code`.
cudaError_t call() {
    std::printf("evaluated\nfile=%s\nline=%d\n", place.file, place.line);
    std::fflush(stdout);
    return code;
}

// `what` is one of call:CODE, branch:CODE, unwanted:CODE, names:POSITION:CODE.
int probe_main(const std::string& what) {
    std::string kind = what.substr(0, what.find(':'));
    code = static_cast<cudaError_t>(std::atoi(what.substr(what.rfind(':') + 1).c_str()));
    bool otherwise = false;
    if (kind == "call") check_call(call, &place);
    if (kind == "branch") check_branch(true, call, &otherwise);
    if (kind == "unwanted") check_branch(false, call, &otherwise);
    if (kind == "names") {
        cudaError_t codes[4] = {cudaSuccess, cudaSuccess, cudaSuccess, cudaSuccess};
        codes[std::atoi(what.substr(6).c_str())] = code;
        check_names(codes[0], codes[1], codes[2], codes[3]);
    }
    std::printf("otherwise=%d\nreturned=1\n", otherwise);
    return 0;
}

// ---- In the grader ----

int count(const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
}

// Whether the program has ended after some failed check.
const kit::Remembered<bool> has_stopped;

// Checks the result of one probe. If a check fails, the student sees the probe's output.
class Watch {
  public:
    const Probe probe;

    Watch(kit::Case& test, const std::string& what) : probe(run_probe(what)), test_(test) {}

    ~Watch() {
        if (failed_) test_.note("the program " + probe.ending() + ", and " + probe.said());
    }

    bool check(bool condition, const kit::Said& sentence) {
        test_.check(condition, sentence);
        failed_ = failed_ || !condition;
        return condition;
    }

    // Checks that the program ended after the failed check. If it has done so after another error, the macro passes the error on.
    bool stops() {
        const bool went_on = probe.value("returned") == "1";
        *has_stopped = *has_stopped || !went_on;
        if (!check(!went_on,
                   "the call failed, but MY_CHECK let the program continue: " +
                       (*has_stopped ? "end the program" + kit::task(1)
                                     : "let check() end the program" + kit::task(1) +
                                           ", and pass it the error of this call" + kit::task(2)))) {
            return false;
        }
        check(probe.status != 0,
              "the program ended with status 0, which means success: end it with a different status" +
                  kit::task(1));
        return check(probe.signal == 0 || probe.signal == SIGABRT,
                     "the program " + probe.ending() + ": end it with exit() or abort()" + kit::task(1));
    }

    void message_has(const std::string& text, const std::string& complaint,
                     const kit::Said& task = kit::named_task(1)) {
        check(probe.err.find(text) != std::string::npos,
              "the message " + complaint + ": print " + text + " (" + task + ")");
    }

    int evaluations() const { return count(probe.out, "evaluated\n"); }

  private:
    kit::Case& test_;
    bool failed_ = false;
};

void goes_on(kit::Case& test, const std::string& what, int evaluations) {
    Watch watch(test, what + ":0");
    watch.check(watch.probe.value("returned") == "1",
                "after a successful call the program must continue, but it " + watch.probe.ending() +
                    ": end it only if the call has failed" + kit::task(1));
    watch.check(
        watch.probe.err.empty(),
        "your macro prints something after a successful call: print only if the call failed" + kit::task(1));
    int times = watch.evaluations();
    watch.check(times == evaluations, "MY_CHECK evaluated its argument " + kit::count_of(times, "time") +
                                          ": evaluate it once, because a call can have an effect" +
                                          kit::task(2));
}

// Checks that the message contains file and line, expression, name and text.
void reports(kit::Case& test, cudaError_t error) {
    Watch watch(test, "call:" + std::to_string(error));
    if (!watch.stops()) return;
    if (!watch.check(!watch.probe.err.empty(),
                     "your macro prints nothing on standard error: print the message there, because standard "
                     "output can be redirected" +
                         kit::task(1)))
        return;
    std::string file = watch.probe.value("file");
    const std::string name = file.substr(file.rfind('/') + 1);
    // If all else is right, either the macro passes a wrong place, or check() prints a different place.
    const bool is_else_right = watch.probe.err.find(name + ":") != std::string::npos &&
                               watch.probe.err.find("call()") != std::string::npos;
    watch.message_has(name + ":" + watch.probe.value("line"), "does not say where",
                      is_else_right ? kit::named_task(1) + ": print file and line; " + kit::named_task(2) +
                                          ": pass __FILE__ and __LINE__"
                                    : kit::named_task(1));
    // A word "call" in the message may be the literal that the macro has passed, or a word of the function's own text.
    const bool has_word = watch.probe.err.find("call") != std::string::npos;
    watch.message_has("call()", "does not show the expression",
                      has_word ? kit::named_task(2) + ": pass #call; " + kit::named_task(1) + ": print it"
                               : kit::named_task(1));
    watch.message_has(cudaGetErrorName(error), "lacks the name of the error");
    watch.message_has(cudaGetErrorString(error), "lacks the text of the error");
    int times = watch.evaluations();
    watch.check(times == 1, "MY_CHECK evaluated its argument " + kit::count_of(times, "time") +
                                ": evaluate it once, because a second call can return a different error" +
                                kit::task(2));
}

void else_branch(kit::Case& test) {
    const kit::Said belongs =
        ": the else belongs to an if inside MY_CHECK, so make the macro one statement" + kit::task(2);
    Watch unwanted(test, "unwanted:2");
    unwanted.check(
        unwanted.evaluations() == 0,
        "MY_CHECK ran although the condition of the if before it was false: make the macro one statement" +
            kit::task(2));
    unwanted.check(unwanted.probe.value("otherwise") == "1",
                   "the condition was false and the else was not taken" + belongs);
    Watch wanted(test, "branch:0");
    wanted.check(wanted.probe.value("otherwise") == "0",
                 "the condition was true and the else was taken" + belongs);
    Watch(test, "branch:2").stops();
}

void names(kit::Case& test, int position, cudaError_t error) {
    Watch watch(test, "names:" + std::to_string(position) + ":" + std::to_string(error));
    const std::string& said = watch.probe.err;
    const kit::Said own =
        "the macro has a variable of the same name, so choose a name that no caller uses" + kit::task(2);
    if (watch.probe.value("returned") == "1" &&
        Watch(test, "call:" + std::to_string(error)).probe.value("returned") != "1") {
        watch.check(false, "MY_CHECK(variable) did not detect the error in the variable: " + own);
        return;
    }
    if (!watch.stops() || said.find(cudaGetErrorName(error)) != std::string::npos) return;
    const bool names_another = said.find("cudaError") != std::string::npos ||
                               said.find("cudaSuccess") != std::string::npos ||
                               said.find("unrecognized error") != std::string::npos;
    watch.check(false, names_another
                           ? "MY_CHECK(variable) reported an error other than the one in the variable: " + own
                           : "the message lacks the name of the error: print cudaGetErrorName() of it" +
                                 kit::task(1));
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = probe_asked(argc, argv)) return probe_main(what);
    kit::Grader grader("01_error_handling", "check_macro", argc, argv);
    grader.host_may_compute();
    grader.add("a call that succeeds", [](kit::Case& test) { goes_on(test, "call", 1); });
    // The names are literals: asking CUDA for them would start CUDA in the process that watches the cases.
    const std::pair<cudaError_t, const char*> errors[] = {
        {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation"},
        {cudaErrorInvalidValue, "cudaErrorInvalidValue"},
        {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration"},
        {cudaErrorIllegalAddress, "cudaErrorIllegalAddress"}};
    for (const auto& [error, name] : errors) {
        grader.add(std::string("a call that fails: ") + name,
                   [error = error](kit::Case& test) { reports(test, error); });
    }
    grader.add("if and else without braces", else_branch);
    grader.add("variables that succeed", [](kit::Case& test) { goes_on(test, "names:0", 0); });
    const char* variables[] = {"error", "err", "status", "result"};
    for (int i = 0; i < 4; ++i) {
        grader.add(std::string("a variable named ") + variables[i],
                   [i](kit::Case& test) { names(test, i, cudaErrorInvalidDevice); });
    }
    return grader.run();
}
