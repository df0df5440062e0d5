// kit_make_starters SOLUTION STARTER: writes the starter that belongs to a solution (see starter.hpp).
// With --check nothing is written: exit 1 unless STARTER is what would be written, and the first line that is
// not.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "starter.hpp"

namespace {

bool read(const std::string& path, std::string& text) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    text = all.str();
    return file.good();
}

int check(const std::string& solution, const std::string& path, const std::string& wanted) {
    std::string found;
    if (!read(path, found)) {
        std::cerr << path << ": error: cannot be read; it is made from " << solution << "\n";
        return 1;
    }
    if (found == wanted) return 0;
    std::istringstream left(found), right(wanted);
    std::string have, want;
    for (int line = 1;; ++line) {
        const bool more = static_cast<bool>(std::getline(left, have));
        if (!std::getline(right, want)) want = "(the end of the file)";
        if (!more) have = "(the end of the file)";
        if (have == want && more) continue;
        std::cerr << path << ":" << line << ": error: not what " << solution << " gives\n  has:   " << have
                  << "\n  wants: " << want << "\n";
        return 1;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool checks = argc == 4 && std::string(argv[1]) == "--check";
    if (argc != 3 && !checks) {
        std::cerr << "usage: kit_make_starters [--check] SOLUTION STARTER\n";
        return 2;
    }
    const std::string solution = argv[argc - 2], starter = argv[argc - 1];
    std::string text;
    if (!read(solution, text)) {
        std::cerr << solution << ": error: cannot be read\n";
        return 1;
    }
    try {
        const std::string made = course::make_starter(text);
        if (checks) return check(solution, starter, made);
        std::ofstream file(starter, std::ios::binary);
        if (!(file << made) || !file.flush()) {
            std::cerr << starter << ": error: cannot be written\n";
            return 1;
        }
    } catch (const course::MarkerError& error) {
        std::cerr << solution << ":" << error.what() << "\n";
        return 1;
    }
    return 0;
}
