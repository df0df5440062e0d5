#include "verdict.hpp"

#include <facts/json.hpp>
#include <json.hpp>
#include <json_value.hpp>
#include <random>

namespace course {

using kit::JsonValue;
using kit::parse_json;

namespace {

/// Calls `use(name, member)` for each member that the file has.
template <class Case, class Use>
void members_of_case(Case& one, const Use& use) {
    use("name", one.name);
    use("outcome", one.outcome);
    use("diagnosis", one.diagnosis);
    use("headline", one.headline);
    use("what", one.what);
    use("error", one.error);
    use("finding", one.finding);
    use("meaning", one.meaning);
    use("see", one.see);
    use("page", one.page);
    use("file", one.file);
    use("line", one.line);
    use("tasks", one.tasks);
    use("details", one.details);
    use("notes", one.notes);
    use("demands", one.demands);
    use("places", one.places);
    use("demand", one.demand);
    use("practises", one.practises);
    use("did", one.did);
    use("why", one.why);
    use("seconds", one.seconds);
}

template <class Whole, class Use>
void members_of(Whole& verdict, const Use& use) {
    use("test", verdict.test);
    use("outcome", verdict.outcome);
    use("sentence", verdict.sentence);
    use("token", verdict.token);
    use("device", verdict.device);
    use("seed", verdict.seed);
    use("status", verdict.status);
    use("passed", verdict.passed);
    use("failed", verdict.failed);
    use("skipped", verdict.skipped);
    use("told", verdict.told);
    use("gap", verdict.gap);
    use("seconds", verdict.seconds);
    use("cases", verdict.cases);
    use("notes", verdict.notes);
    use("output", verdict.output);
    use("inputs", verdict.inputs);
}

/// Reads the members of an object. A missing member keeps its value. A member of the wrong kind makes the whole file unreadable.
struct Reader {
    const JsonValue& object;
    bool& readable;

    template <class T>
    void operator()(const char* name, T& into) const {
        const JsonValue* const value = object.find(name);
        if (value) take(*value, into);
    }

  private:
    bool is(const JsonValue& value, JsonValue::Kind kind) const {
        readable &= value.kind == kind;
        return value.kind == kind;
    }
    void take(const JsonValue& value, std::string& into) const {
        if (is(value, JsonValue::text)) into = value.words;
    }
    void take(const JsonValue& value, double& into) const {
        if (is(value, JsonValue::number)) into = value.amount;
    }
    void take(const JsonValue& value, int& into) const {
        constexpr double most = 1e9;
        if (!is(value, JsonValue::number)) return;
        if (value.amount < -most || value.amount > most)
            readable = false;
        else
            into = static_cast<int>(value.amount);
    }
    void take(const JsonValue& value, std::optional<kit::facts::Finding>& into) const {
        if (is(value, JsonValue::object)) into = kit::facts::finding_from(value);
    }
    void take(const JsonValue& value, CaseVerdict& into) const {
        if (is(value, JsonValue::object)) members_of_case(into, Reader{value, readable});
    }
    template <class T>
    void take(const JsonValue& value, std::vector<T>& into) const {
        if (!is(value, JsonValue::list)) return;
        for (const JsonValue& one : value.values) take(one, into.emplace_back());
    }
};

struct Writer {
    kit::Json& json;

    template <class T>
    void operator()(const char* name, const T& value) const {
        json.member(name, value);
    }
    void operator()(const char* name, const std::optional<kit::facts::Finding>& finding) const {
        if (finding) json.key(name).written(kit::facts::to_json(*finding));
    }
    void operator()(const char* name, const std::vector<CaseVerdict>& cases) const {
        json.key(name).open('[');
        for (const CaseVerdict& one : cases) {
            json.open('{');
            members_of_case(one, *this);
            json.close('}');
        }
        json.close(']');
    }
};

}  // namespace

std::string word_of(const std::string& outcome) {
    return outcome == other_method ? "other" : outcome == "wrong" || outcome == "broken" ? "fail" : outcome;
}

bool Verdict::says(const std::string& text) const {
    const auto said = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            if (contains(line, text)) return true;
        }
        return false;
    };
    for (const CaseVerdict& one : cases) {
        const char* word = one.outcome == "pass"         ? "PASS  "
                           : one.outcome == "skip"       ? "SKIP  "
                           : one.outcome == other_method ? "OTHER "
                                                         : "FAIL  ";
        if (contains(word + one.name + (one.outcome == "pass" ? "" : ": ") + one.headline, text) ||
            contains(one.meaning + ": " + one.see, text))
            return true;
        if (said(one.details) || said(one.notes)) return true;
    }
    return said(notes) || contains("RESULT " + word_of(outcome) + ": " + sentence, text);
}

std::optional<Verdict> read_verdict(const fs::path& path) {
    const std::optional<JsonValue> json = parse_json(read_text_if_there(path));
    if (!json || json->kind != JsonValue::object) return {};
    Verdict verdict;
    bool readable = true;
    members_of(verdict, Reader{*json, readable});
    if (!readable) return {};
    return verdict;
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
    kit::Json json;
    json.open('{');
    members_of(verdict, Writer{json});
    write_text(path, json.close('}').text() + "\n");
}

}  // namespace course
