#include "verdict.hpp"

#include <nlohmann/json.hpp>
#include <random>

namespace course {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CaseVerdict, name, outcome, diagnosis, headline, meaning, see,
                                                page, file, line, tasks, details, notes, demands, places,
                                                demand, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Verdict, test, outcome, sentence, token, device, seed, status,
                                                passed, failed, skipped, told, gap, seconds, cases, notes,
                                                output, inputs)

std::optional<Verdict> read_verdict(const fs::path& path) {
    const nlohmann::json json = nlohmann::json::parse(read_text_if_there(path), nullptr, false);
    if (!json.is_object()) return {};
    try {
        return json.get<Verdict>();
    } catch (const nlohmann::json::exception&) {
        return {};
    }
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
    write_text(path,
               nlohmann::json(verdict).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace course
