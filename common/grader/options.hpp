// The command line of a test: which cases to run, with which seed, and how.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <words/run.hpp>

namespace kit::detail {

struct Options {
    std::uint64_t seed = 1;
    std::vector<std::string> only;    ///< arguments of --case, which select the cases; empty: all cases
    bool list = false;                ///< whether to print only the names of the cases
    bool fork = true;                 ///< whether to grade in a child process
    bool profile = false;             ///< whether the program prints or writes a profile at its end
    bool once = false;                ///< whether to run each case only once, instead of in several orders
    std::vector<std::string> worker;  ///< command of the worker, which runs the student's code instead of
                                      ///< this program (wall.hpp)
    double time_factor = 1;           ///< factor for all time limits, for sanitizers and slow machines
};

[[noreturn]] inline void usage_error(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::exit(2);
}

inline std::uint64_t parse_seed(const std::string& text, const char* where) {
    char* end = nullptr;
    errno = 0;
    const unsigned long long seed = std::strtoull(text.c_str(), &end, 10);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || errno != 0) {
        usage_error(words::not_a_seed(where, text));
    }
    return seed;
}

inline double parse_time_factor(const std::string& text) {
    char* end = nullptr;
    const double factor = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !(factor > 0 && factor <= 1e6)) {
        usage_error(words::not_a_time_factor(text));
    }
    return factor;
}

/// Reads the options. Ends the program after --help, and with a message and status 2 for an invalid option.
inline Options parse_options(int argc, char** argv) {
    Options options;
    if (const char* seed = std::getenv("KIT_SEED")) options.seed = parse_seed(seed, "KIT_SEED");
    if (const char* factor = std::getenv("KIT_TIME_FACTOR")) options.time_factor = parse_time_factor(factor);
#ifdef KIT_CPU
    if (const char* profile = std::getenv("KIT_PROFILE"))  // has the same effect as --profile
        options.profile = profile[0] != 0 && std::string(profile) != "0";
#endif
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 >= argc) usage_error(words::option_needs_value(option));
            return argv[++i];
        };
        if (option == "--help") {
            std::fputs(words::help_of_test(argv[0]).c_str(), stdout);
            std::exit(0);
        } else if (option == "--list") {
            options.list = true;
        } else if (option == "--once") {
            options.once = true;
        } else if (option == "--no-fork") {
            options.fork = false;
        } else if (option == "--seed") {
            options.seed = parse_seed(value(), "--seed");
        } else if (option == "--profile" ||
                   option.rfind("--profile=", 0) == 0) {  // the executor reads it in this process
#ifdef KIT_CPU
            options.profile = true;
#else
            usage_error(words::profile_needs_the_cpu(argv[0]));
#endif
        } else if (option == "--case") {
            options.only.push_back(value());
        } else if (option == "--probe") {  // for the test: what this process does instead of grading
            value();
        } else if (option == "--worker") {
            options.worker = {value()};
            options.worker.insert(options.worker.end(), argv + i + 1, argv + argc);
            i = argc;
        } else {
            usage_error(words::unknown_option(option));
        }
    }
    options.fork &= !options.profile;
    return options;
}

}  // namespace kit::detail
