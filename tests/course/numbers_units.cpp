// See numbers_units.hpp.
#include "numbers_units.hpp"

#include <cctype>

namespace course {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c));
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string unit_at(const std::string& text, std::size_t at, std::size_t limit, std::size_t* end) {
    // The longer ones first where one begins with another.
    static const char* const units[] = {"microseconds",
                                        "microsecond",
                                        "milliseconds",
                                        "millisecond",
                                        "nanoseconds",
                                        "nanosecond",
                                        "seconds",
                                        "second",
                                        "percent",
                                        "TFLOP/s",
                                        "GFLOP/s",
                                        "TFLOPS",
                                        "GFLOPS",
                                        "TB/s",
                                        "GB/s",
                                        "MB/s",
                                        "us",
                                        "\u00b5s",
                                        "ms",
                                        "ns",
                                        "s",
                                        "%"};
    for (const std::string unit : units) {
        const std::size_t next = at + unit.size();
        if (next > limit || text.compare(at, unit.size(), unit) != 0) continue;
        const bool goes_on = next < limit && (is_word(text[next]) || text[next] == '/');
        if (goes_on && unit != "%") continue;
        if (end != nullptr) *end = next;
        return unit;
    }
    return "";
}

bool is_times(const std::string& text, std::size_t at, std::size_t limit, const std::string& number) {
    if (at + 5 > limit || text.compare(at, 5, "times") != 0 || (at + 5 < limit && is_word(text[at + 5])))
        return false;
    if (number.find('.') != std::string::npos) return true;
    for (const std::string word : {"as ", "slower", "faster", "longer", "more ", "less ", "the "}) {
        if (at + 6 < limit && text.compare(at + 6, word.size(), word) == 0) return true;
    }
    return false;
}

}  // namespace course
