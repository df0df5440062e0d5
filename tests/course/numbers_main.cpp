// kit_numbers [--write] ROOT: are the numbers in lectures and slides those of the records? (lectures/results.md)
// With --write the numbers and the blocks of output are first written anew.
// Exit status: 0, or 1 with complaints, or 2 for a usage error.
#include <cstdio>
#include <iostream>

#include "numbers.hpp"

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool write = words.size() == 2 && words[0] == "--write";
    if (words.size() != (write ? 2u : 1u) || words.back().rfind("--", 0) == 0) {
        std::cerr << "usage: kit_numbers [--write] ROOT\n";
        return 2;
    }
    if (write) {
        for (const std::string& line : course::write_numbers(words.back())) std::cout << line << "\n";
    }
    const course::NumbersReport report = course::check_numbers(words.back());
    for (const std::string& complaint : report.complaints) std::cout << complaint << "\n";
    std::printf("%-50s %10s %7s %7s %11s %8s\n", "page", "referenced", "given", "neither", "conditions",
                "outputs");
    for (const course::PageCount& page : report.pages)
        std::printf("%-50s %10d %7d %7d %11d %8d\n", page.page.c_str(), page.referenced, page.given,
                    page.bare, page.conditions, page.outputs);
    std::cout << report.pages.size() << " pages, " << report.complaints.size() << " complaints\n";
    return report.complaints.empty() ? 0 : 1;
}
