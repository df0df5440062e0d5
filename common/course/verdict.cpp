#include "verdict.hpp"

#include <facts/json.hpp>
#include <random>

namespace course {

const CaseVerdict* told_failure(const Verdict& verdict) {
    const CaseVerdict* told = nullptr;
    for (const CaseVerdict& one : verdict.cases) {
        if (one.status != Status::fail) continue;
        if (one.name == verdict.told) return &one;
        if (!told) told = &one;
    }
    return told;
}

std::string word_of(const std::string& outcome) {
    return outcome == other_method ? "other" : outcome == "wrong" || outcome == "broken" ? "fail" : outcome;
}

bool is_told(const CaseVerdict& one) {
    return one.status == Status::fail || one.status == Status::other;
}

std::optional<Verdict> read_verdict(const fs::path& path) {
    return kit::facts::verdict_from(read_text_if_there(path));
}

std::string random_token() {
    std::random_device device;
    std::string token;
    for (int i = 0; i < 4; ++i) token += std::to_string(device()) + ".";
    return token;
}

std::string without_forgeries(const std::string& output, bool with_verdict) {
    std::vector<std::string> lines = lines_of(output);
    std::size_t last = lines.size();
    for (std::size_t i = 0; with_verdict && i < lines.size(); ++i) {
        if (begins_with(lines[i], "RESULT ")) last = i;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (begins_with(lines[i], "RESULT ") && i != last) lines[i] = "  | " + lines[i];
    }
    return text_of(lines);
}

void write_verdict(const fs::path& path, const Verdict& verdict) {
    write_text(path, kit::facts::to_json(verdict) + "\n");
}

}  // namespace course
