// The option `program --profile`, or KIT_PROFILE=1: at its end, the program prints a table of what its
// kernels did. `--profile=FILE.html`, or KIT_PROFILE=FILE.html, writes a page instead. FILE.json receives the
// counts of each launch, for tools. The executor reads the option itself, so programs need no code for it.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/profile.hpp>
#include <string>
#include <words/profile.hpp>

#include "launches.hpp"
#include "page.hpp"
#include "run/timeline.hpp"

namespace kit::cpu {
namespace {

constexpr char option_name[] = "--profile";

struct Wanted {
    bool table = false;
    std::string path;  ///< file for the page or for the counts; empty if none was requested
    std::string command;
    int process = 0;
};
Wanted& wanted() {
    static Wanted& only = *new Wanted;
    return only;
}

bool ends_in(const std::string& path, const std::string& ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

bool wants_launches() {
    return ends_in(wanted().path, ".json");
}

/// Opens the file before the program starts. The program may change its working directory, and an error
/// should be reported early.
void prepare_file() {
    std::string& path = wanted().path;
    if (!ends_in(path, ".html") && !wants_launches()) {
        std::fprintf(
            stderr,
            "--profile=%s: the page needs a name that ends in .html, such as profile.html (or in .json, "
            "for tools)\n",
            path.c_str());
        std::_Exit(2);
    }
    std::FILE* const file = std::fopen(path.c_str(), "ab");
    if (!file) {
        std::fprintf(stderr, "--profile=%s: this file cannot be written: %s\n", path.c_str(),
                     std::strerror(errno));
        std::_Exit(2);
    }
    std::fclose(file);
    if (char* const whole = realpath(path.c_str(), nullptr)) {
        path = whole;
        std::free(whole);
    }
}

/// Returns whether the queued work uses streams or events, so that its order is not just the order of the
/// calls.
bool uses_streams(const std::vector<QueuedPiece>& timeline) {
    return std::any_of(timeline.begin(), timeline.end(),
                       [](const QueuedPiece& piece) { return piece.label.stream != 0; });
}

void write_file(const std::vector<KeptProfile>& kept, const std::vector<KernelProfile>& kernels,
                const std::vector<QueuedPiece>& timeline) {
    const std::string page =
        wants_launches() ? launches_as_json(kernels) : page_of(kept, timeline, wanted().command);
    std::FILE* const file = std::fopen(wanted().path.c_str(), "wb");
    const bool written = file && std::fwrite(page.data(), 1, page.size(), file) == page.size();
    if ((file && std::fclose(file) != 0) || !written)
        std::fprintf(stderr, "--profile=%s: the file could not be written: %s\n", wanted().path.c_str(),
                     std::strerror(errno));
    else if (!wants_launches())
        std::fputs(words::page_written(wanted().path).c_str(), stdout);
}

/// Reads the options in a constructor. The C library passes the arguments of main() to constructors, too.
__attribute__((constructor)) void look_for_option(int count, char** arguments) {
    const std::size_t length = sizeof option_name - 1;
    Wanted& now = wanted();
    const char* const variable = std::getenv("KIT_PROFILE");
    if (variable && *variable && std::strcmp(variable, "0") != 0) {
        now.table = true;
        if (std::strcmp(variable, "1") != 0) now.path = variable;
    }
    for (int i = 0; i < count; ++i) {
        const char* const argument = arguments[i];
        const bool is_it = i > 0 && std::strncmp(argument, option_name, length) == 0;
        if (is_it && argument[length] == '=') now.path = argument + length + 1;
        now.table |= is_it && (!argument[length] || argument[length] == '=');
        const char* const slash = i ? nullptr : std::strrchr(argument, '/');
        if (!is_it) now.command += (i ? " " : "") + std::string(slash ? slash + 1 : argument);
        if (is_it && argument[length] == '=' && now.path.empty()) {
            std::fprintf(stderr, "--profile=: the name of the file is missing\n");
            std::_Exit(2);
        }
    }
    if (!now.table) return;
    if (!now.path.empty()) prepare_file();
    now.process = getpid();
    profiler().begin();
    keep_timeline();
    profiler().keep(!now.path.empty() && !wants_launches());
    if (wants_launches()) profiler().tell_launches_apart();
    std::atexit(finish_profile);
}

}  // namespace

void finish_profile() {
    if (getpid() != wanted().process) return;  // no profile was requested, or this is a child process
    wanted().process = 0;
    const std::vector<KeptProfile> kept = profiler().take_kept();
    std::vector<KernelProfile> kernels;
    for (const KeptProfile& kernel : kept) kernels.push_back(kernel.counts);
    std::vector<QueuedPiece> timeline = kept_timeline();
    if (!uses_streams(timeline)) timeline.clear();
    const char* const checks = std::getenv("KIT_CHECKS");
    const bool unwatched = kernels.empty() && checks && std::strcmp(checks, "0") == 0;
    std::fflush(stdout);
    if (unwatched)
        std::fputs(words::nothing_watched().c_str(), stdout);
    else if (wanted().path.empty())
        std::fputs(in_words(kernels).c_str(), stdout);
    if (!timeline.empty() && wanted().path.empty()) std::printf("\n%s", in_words(timeline).c_str());
    if (!wanted().path.empty()) write_file(kept, kernels, timeline);
    std::fflush(stdout);
}

}  // namespace kit::cpu
