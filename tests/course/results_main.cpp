// kit_results check ROOT: do the records of all lectures obey the schema? (lectures/results.md)
// kit_results compare A.json B.json [--write]: two runs on one GPU. A row that differs by more than its spread is noisy;
// with --write it is marked so in A.json. Without, a row that is not marked yet is a failure.
// Exit status: 0, or 1 with complaints, or 2 for a usage error.
#include <fstream>
#include <iostream>

#include "results.hpp"

namespace {

int usage() {
    std::cerr << "usage: kit_results check ROOT\n       kit_results compare A.json B.json [--write]\n";
    return 2;
}

int check(const std::string& root) {
    const course::Complaints complaints = course::check_results(root);
    for (const std::string& complaint : complaints) std::cout << complaint << "\n";
    std::cout << complaints.size() << " complaints\n";
    return complaints.empty() ? 0 : 1;
}

int compare(const std::string& first, const std::string& second, bool write) {
    const std::string text = course::read_text(first), other = course::read_text(second);
    if (text.empty() || other.empty()) {
        std::cerr << (text.empty() ? first : second) << ": cannot be read\n";
        return 1;
    }
    const course::Comparison result = course::compare_records(text, other);
    for (const std::string& line : result.lines) std::cout << "noisy: " << line << "\n";
    for (const std::string& complaint : result.complaints)
        std::cout << first << ", " << second << ": " << complaint << "\n";
    if (!result.complaints.empty()) return 1;
    const bool changed = result.marked != text;
    if (changed && write) {
        std::ofstream out(first, std::ios::binary);
        if (!(out << result.marked) || !out.flush()) {
            std::cerr << first << ": cannot be written\n";
            return 1;
        }
    }
    if (result.invalid > 0) std::cout << "not valid, so not compared: " << result.invalid << "\n";
    std::cout << result.agree << " rows agree, " << result.noisy << " noisy\n";
    return changed && !write ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "check") return check(words[1]);
    if (words.size() < 3 || words.size() > 4 || words[0] != "compare") return usage();
    if (words.size() == 4 && words[3] != "--write") return usage();
    return compare(words[1], words[2], words.size() == 4);
}
