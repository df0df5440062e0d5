// Numbers as they are written: with their decimals and commas.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "numbers.hpp"

namespace course {

namespace {

std::string without_commas(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    return text;
}

int decimals_of(const std::string& text) {
    const std::size_t point = text.find('.'), exponent = text.find('e');
    return point == std::string::npos ? 0 : static_cast<int>(std::min(exponent, text.size()) - point - 1);
}

}  // namespace

bool shows(const std::string& text, double value) {
    const std::string plain = without_commas(text);
    const double shown = std::stod(plain);
    const std::size_t exponent = plain.find('e');
    const double unit =
        exponent == std::string::npos ? 1 : std::pow(10, std::stoi(plain.substr(exponent + 1)));
    const double half = 0.5 * std::pow(10, -decimals_of(plain)) * unit;
    return std::fabs(value - shown) <= half + 1e-9 * std::fabs(value);
}

std::string written_like(const std::string& text, double value) {
    const int decimals = decimals_of(text);
    const bool exponent = text.find('e') != std::string::npos;
    char buffer[400];
    // A value such as 0.125 is not rounded to the even digit, as printf would.
    const double nudged = exponent ? value : value + std::copysign(1e-9 * std::fabs(value), value);
    std::snprintf(buffer, sizeof buffer, exponent ? "%.*e" : "%.*f", decimals, nudged);
    std::string written = buffer;
    if (std::stod(written) == 0 && written[0] == '-') written.erase(0, 1);
    if (text.find(',') == std::string::npos) return written;
    const std::size_t point = std::min(written.find('.'), written.size()), first = written[0] == '-' ? 1 : 0;
    for (std::size_t at = point; at > first + 3;) written.insert(at -= 3, ",");
    return written;
}

}  // namespace course
