// Collects the lines that a failure names, and checks whether its facts are known.
#include <facts/outcome.hpp>

namespace kit::facts {

Line first_line_of(const Failure& failure) {
    return failure.finding ? failure.finding->place : failure.at;
}

std::vector<Where> lines_of(const Failure& failure) {
    std::vector<Where> lines;
    if (failure.finding) lines = lines_of(*failure.finding);
    if (const Line first = first_line_of(failure); lines.empty() && first.line > 0) lines.emplace_back(first);
    return lines;
}

bool is_empty(const Difference& difference) {
    return difference.what.empty() && difference.elements.empty() && difference.first == 0;
}

bool is_empty(const Count& count) {
    return count.name.empty();
}

bool is_empty(const RuntimeError& error) {
    return error.name.empty();
}

bool is_empty(const End& end) {
    return end.fault == Fault::none;
}

}  // namespace kit::facts
