// Grades 01_error_handling/check_macro: each failing check ends a process of its own, which is watched.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/probe.hpp"
#include "grader.cuh"

using namespace error_handling;

namespace {

// ---- In the probe ----

cudaError_t code = cudaSuccess;
Place place = {"", 0};

// What the macro checks: says each time that it was evaluated, then returns `code`.
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

// All that MY_CHECK did to standard output and standard error, for the student to see.
void show(kit::Case& test, const Probe& probe) {
    if (!probe.err.empty()) test.note("standard error was: " + probe.err.substr(0, 400));
}

void goes_on(kit::Case& test, const std::string& what) {
    Probe probe = run_probe(what + ":0");
    show(test, probe);
    test.check(probe.value("returned") == "1",
               "a successful call must let the program go on, but it " + probe.ending());
    test.check(probe.err.empty(), "a successful call must print nothing");
    test.check(count(probe.out, "evaluated\n") <= 1, "MY_CHECK evaluated its argument " +
                                                         std::to_string(count(probe.out, "evaluated\n")) +
                                                         " times: a call with an effect would happen again");
}

bool stops(kit::Case& test, const Probe& probe) {
    show(test, probe);
    bool stopped = probe.value("returned") != "1";
    test.check(stopped, "the call failed, and MY_CHECK went on as if nothing had happened");
    if (!stopped) return false;
    test.check(probe.status != 0,
               "the program ended with status 0: whoever started it believes that all went well");
    test.check(probe.signal == 0 || probe.signal == SIGABRT, "the program " + probe.ending());
    return true;
}

// The message must hold file and line, expression, name and text.
void reports(kit::Case& test, cudaError_t error) {
    Probe probe = run_probe("call:" + std::to_string(error));
    if (!stops(test, probe)) return;
    std::string file = probe.value("file");
    std::string where = file.substr(file.rfind('/') + 1) + ":" + probe.value("line");
    auto has = [&](const std::string& text) { return probe.err.find(text) != std::string::npos; };
    test.check(!probe.err.empty(),
               "nothing on standard error: a message on standard output is lost in a pipe");
    if (probe.err.empty()) return;
    test.check(has(where), "the message does not say where: expected " + where);
    test.check(has("call()"), "the message does not show the expression: expected call()");
    test.check(has(cudaGetErrorName(error)),
               std::string("the message lacks the name of the error: expected ") + cudaGetErrorName(error));
    test.check(has(cudaGetErrorString(error)),
               std::string("the message lacks the text of the error: expected ") + cudaGetErrorString(error));
    test.check(count(probe.out, "evaluated\n") == 1,
               "MY_CHECK evaluated its argument " + std::to_string(count(probe.out, "evaluated\n")) +
                   " times: the error that it prints may not be the one that it saw");
}

void else_branch(kit::Case& test) {
    Probe unwanted = run_probe("unwanted:2");
    show(test, unwanted);
    test.check(count(unwanted.out, "evaluated\n") == 0,
               "MY_CHECK ran although the if in front of it was false");
    test.check(unwanted.value("otherwise") == "1",
               "the else belongs to an if inside MY_CHECK, not to the one in front of it");
    Probe wanted = run_probe("branch:0");
    test.check(wanted.value("otherwise") == "0",
               "the else was taken although the condition was true: it belongs to an if inside MY_CHECK");
    stops(test, run_probe("branch:2"));
}

void names(kit::Case& test, int position, cudaError_t error) {
    Probe probe = run_probe("names:" + std::to_string(position) + ":" + std::to_string(error));
    if (!stops(test, probe)) return;
    test.check(
        probe.err.find(cudaGetErrorName(error)) != std::string::npos,
        "MY_CHECK(variable) reported another error than the variable holds: the macro has a variable of "
        "the same name");
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = probe_asked(argc, argv)) return probe_main(what);
    kit::Grader grader("01_error_handling", "check_macro", argc, argv);
    grader.add("a call that succeeds", [](kit::Case& test) { goes_on(test, "call"); });
    for (cudaError_t error : {cudaErrorMemoryAllocation, cudaErrorInvalidValue, cudaErrorInvalidConfiguration,
                              cudaErrorIllegalAddress}) {
        grader.add(std::string("a call that fails: ") + cudaGetErrorName(error),
                   [error](kit::Case& test) { reports(test, error); });
    }
    grader.add("if and else without braces", else_branch);
    grader.add("variables that succeed", [](kit::Case& test) { goes_on(test, "names:0"); });
    const char* variables[] = {"error", "err", "status", "result"};
    for (int i = 0; i < 4; ++i) {
        grader.add(std::string("a variable named ") + variables[i],
                   [i](kit::Case& test) { names(test, i, cudaErrorInvalidDevice); });
    }
    return grader.run();
}
