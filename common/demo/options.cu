// Reads the command line of a demo.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "state.hpp"

namespace kit::demo {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
    return all;
}

std::string usage(const About& about) {
    std::string text = about.topic + ": " + about.shows + "\n\n";
    if (about.n > 0)
        text +=
            "  --n N             number of elements, at most " + with_commas(about.largest_n) + " (or 2^K)\n";
    if (!about.inputs.empty()) text += "  --input NAME      " + joined(about.inputs) + "\n";
    if (about.parts.size() > 1)
        text += "  --part A,B        only these tables: " + joined(about.parts) + "\n";
    text += "  --versions v1,v2  only these versions\n";
    text += "  --repeat K        number of repetitions of each measurement\n";
    text +=
        "  --profile         prints at the end what the warps of each kernel did, line by line (CPU "
        "backend)\n";
    text += "  --profile=FILE.html  the same, and writes it as a page for a browser\n";
    text += "  --explain         describes the change of each version, and the columns\n";
    text +=
        "  --json FILE       writes the record of the run; if FILE is a folder, the file is named after the "
        "device\n";
    return text;
}

[[noreturn]] void refuse(const About& about, const std::string& why) {
    std::fprintf(stderr, "%s\n\n%s", why.c_str(), usage(about).c_str());
    std::exit(2);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c == ',') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

/// Returns a number, which can be written as 2^K; -1 if the text is not a number.
long long number(const std::string& text) {
    const bool power = text.rfind("2^", 0) == 0;
    const char* digits = text.c_str() + (power ? 2 : 0);
    char* end = nullptr;
    const long long value = std::strtoll(digits, &end, 10);
    if (end == digits || *end != 0 || value < 0 || (power && value > 40)) return -1;
    return power ? 1ll << value : value;
}

void check_names(const About& about, const char* option, const std::vector<std::string>& given,
                 const std::vector<std::string>& known) {
    for (const std::string& name : given) {
        if (!contains(known, name))
            refuse(about, std::string(option) + " " + name + ": unknown; choose from " + joined(known));
    }
}

}  // namespace

bool contains(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

Options read_options(const About& about, int argc, char** argv) {
    Options options;
#ifdef KIT_CPU
    options.n = about.n_on_cpu;
#else
    options.n = about.n;
#endif
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--help") {
            print(stdout, usage(about));
            std::exit(EXIT_SUCCESS);
        }
        if (option != "--json") options.joined += (options.joined.empty() ? "" : " ") + option;
        if (option == "--explain") {
            options.explain = true;
            continue;
        }
        if (option == "--profile" || option.rfind("--profile=", 0) == 0) {  // the executor reads this option
#ifndef KIT_CPU
            refuse(about,
                   "--profile needs the CPU backend, whose executor counts; on a GPU, use the profiler ncu");
#endif
            continue;
        }
        const bool known = option == "--json" || option == "--versions" || option == "--repeat" ||
                           (option == "--n" && about.n > 0) ||
                           (option == "--input" && !about.inputs.empty()) ||
                           (option == "--part" && about.parts.size() > 1);
        if (!known) refuse(about, option + ": this demo has no such option");
        if (i + 1 == argc) refuse(about, option + ": its value is missing");
        const std::string value = argv[++i];
        if (option != "--json") options.joined += " " + value;
        if (option == "--json") {
            options.json = value;
        } else if (option == "--versions") {
            options.versions = split(value);
        } else if (option == "--part") {
            options.parts = split(value);
            check_names(about, "--part", options.parts, about.parts);
        } else if (option == "--input") {
            options.input = value;
            check_names(about, "--input", {value}, about.inputs);
        } else {
            const long long most = option == "--n" ? about.largest_n : 100'000, given = number(value);
            if (given < 1 || given > most)
                refuse(about, option + " " + value + ": not a number between 1 and " + with_commas(most));
            if (option == "--n") {
                options.n = given;
                options.n_given = true;
            } else {
                options.repeat = static_cast<int>(given);
            }
        }
    }
    return options;
}

}  // namespace kit::demo
