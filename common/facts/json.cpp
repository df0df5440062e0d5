// One list of members for each structure, from which it is both written and read.
#include <cmath>
#include <facts/json.hpp>
#include <json.hpp>
#include <limits>

namespace kit::facts {
namespace {

template <class Use>
void members(Line& line, const Use& use) {
    use("file", line.file), use("line", line.line), use("text", line.text);
}

template <class Use>
void members(Where& where, const Use& use) {
    members(static_cast<Line&>(where), use);
    use("caller", where.caller);
}

template <class Use>
void members(Who& who, const Use& use) {
    use("kind", who.kind), use("thread", who.thread), use("block", who.block);
    use("in_grid", who.in_grid), use("name", who.name);
}

template <class Use>
void members(Memory& memory, const Use& use) {
    use("kind", memory.kind), use("name", memory.name), use("bytes", memory.bytes);
    use("position", memory.position), use("element", memory.element);
    use("byte", memory.byte), use("distance", memory.distance), use("block", memory.block);
    use("made_by", memory.made_by), use("number", memory.number), use("made_at", memory.made_at);
    use("registered", memory.registered), use("symbol", memory.symbol);
    use("device_heap", memory.device_heap), use("freed", memory.freed), use("dormant", memory.dormant);
}

template <class Use>
void members(Access& access, const Use& use) {
    use("who", access.who), use("write", access.write), use("atomic", access.atomic), use("at", access.at);
    use("bytes", access.bytes), use("discards", access.discards), use("puts", access.puts);
    use("copies", access.copies), use("queued", access.queued);
}

template <class Use>
void members(Queued& work, const Use& use) {
    use("what", work.what), use("is_kernel", work.is_kernel);
    use("stream", work.stream), use("line", work.line), use("caller", work.caller);
}

template <class Use>
void members(Waiting& group, const Use& use) {
    use("count", group.count), use("first", group.first), use("in", group.in), use("at", group.at);
    use("lanes", group.lanes), use("absent", group.absent);
    use("missing", group.missing), use("expected", group.expected), use("too_many", group.too_many);
    use("bytes_expected", group.bytes_expected), use("bytes_copied", group.bytes_copied);
}

template <class Use>
void members(Call& call, const Use& use) {
    use("who", call.who), use("rank", call.rank), use("function", call.function), use("at", call.at);
    use("count", call.count), use("type", call.type), use("operation", call.operation);
    use("root", call.root), use("bytes", call.bytes);
}

template <class Use>
void members(Value& value, const Use& use) {
    use("name", value.name), use("kind", value.kind);
    use("text", value.text), use("number", value.number), use("line", value.line);
}

template <class Use>
void members(Finding& finding, const Use& use) {
    use("rule", finding.rule), use("kind", finding.kind), use("place", finding.place);
    use("kernel", finding.kernel), use("who", finding.who), use("other", finding.other);
    use("at", finding.at), use("other_at", finding.other_at), use("launched", finding.launched);
    use("memory", finding.memory);
    use("accesses", finding.accesses), use("fix", finding.fix), use("queued", finding.queued);
    use("waiting", finding.waiting), use("calls", finding.calls), use("values", finding.values),
        use("times", finding.times);
}

constexpr const char* who_names[] = {"nobody", "thread",          "host",        "host_function",
                                     "call",   "allocating_node", "freeing_node"};
constexpr const char* memory_names[] = {
    "unknown",     "shared",    "buffer",        "variable",          "allocation",        "host_block",
    "stack_frame", "no_shared", "before_shared", "local_of_launcher", "shared_of_launcher"};
constexpr const char* position_names[] = {"whole", "inside", "before", "after"};
constexpr const char* value_names[] = {"text", "number", "line"};

struct Names {
    const char* const* begin;
    std::size_t count;
};
template <std::size_t Count>
constexpr Names all_of(const char* const (&names)[Count]) {
    return {names, Count};
}
Names names_of(Who::Kind) {
    return all_of(who_names);
}
Names names_of(Memory::Kind) {
    return all_of(memory_names);
}
Names names_of(Memory::Position) {
    return all_of(position_names);
}
Names names_of(Value::Kind) {
    return all_of(value_names);
}
Names names_of(Fix) {
    return all_of(fix_names);
}

/// Writes a member unless it is empty.
struct Writer {
    Json& json;

    void operator()(const char* name, std::string& text) const {
        if (!text.empty()) json.member(name, text);
    }
    void operator()(const char* name, Index& index) const {
        if (index.known) json.member(name, std::vector<unsigned>(index.at.begin(), index.at.end()));
    }
    void operator()(const char* name, Rule& rule) const { json.member(name, name_of(rule)); }
    template <class T>
    void operator()(const char* name, std::vector<T>& list) const {
        if (list.empty()) return;
        json.key(name).open('[');
        for (T& one : list) object(one);
        json.close(']');
    }
    template <class T>
    void operator()(const char* name, T& value) const {
        if constexpr (std::is_enum_v<T>) {
            if (value != T{}) json.member(name, names_of(value).begin[static_cast<std::size_t>(value)]);
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (value != T{}) json.member(name, value);
        } else if (!is_empty(value)) {
            json.key(name);
            object(value);
        }
    }
    template <class T>
    void object(T& value) const {
        json.open('{');
        members(value, *this);
        json.close('}');
    }

  private:
    static bool is_empty(const Line& line) { return line.line == 0; }
    static bool is_empty(const Who& who) { return who.kind == Who::Kind::nobody && !who.block.known; }
    static bool is_empty(const Memory& memory) { return memory.kind == Memory::Kind::unknown; }
};

/// Reads the members of an object. What is missing keeps its value; what is of another kind makes the whole unreadable.
struct Reader {
    const JsonValue& object;
    bool& readable;

    template <class T>
    void operator()(const char* name, T& into) const {
        if (const JsonValue* const value = object.find(name)) take(*value, into);
    }

  private:
    bool is(const JsonValue& value, JsonValue::Kind kind) const {
        readable &= value.kind == kind;
        return value.kind == kind;
    }
    void take(const JsonValue& value, std::string& into) const {
        if (is(value, JsonValue::text)) into = value.words;
    }
    void take(const JsonValue& value, Index& into) const {
        if (!is(value, JsonValue::list)) return;
        into.known = value.values.size() == into.at.size();
        for (std::size_t i = 0; into.known && i < into.at.size(); ++i) take(value.values[i], into.at[i]);
    }
    void take(const JsonValue& value, Rule& into) const {
        if (is(value, JsonValue::text)) into = rule_named(value.words);
    }
    template <class T>
    void take(const JsonValue& value, std::vector<T>& into) const {
        if (!is(value, JsonValue::list)) return;
        for (const JsonValue& one : value.values) take(one, into.emplace_back());
    }
    template <class T>
    void take(const JsonValue& value, T& into) const {
        if constexpr (std::is_same_v<T, bool>) {
            if (is(value, JsonValue::boolean)) into = value.amount != 0;
        } else if constexpr (std::is_enum_v<T>) {
            if (is(value, JsonValue::text)) take_name(value.words, into);
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (is(value, JsonValue::number)) take_number(value.amount, into);
        } else if (is(value, JsonValue::object)) {
            members(into, Reader{value, readable});
        }
    }
    template <class T>
    void take_name(const std::string& name, T& into) const {
        const Names names = names_of(into);
        std::size_t i = 0;
        while (i < names.count && name != names.begin[i]) ++i;
        readable &= i < names.count;
        if (i < names.count) into = static_cast<T>(i);
    }
    /// A number that does not fit is no number of ours.
    template <class T>
    void take_number(double number, T& into) const {
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);  // the first that is too large
        const bool fits =
            std::is_floating_point_v<T> || (number >= (std::is_signed_v<T> ? -end : 0) && number < end);
        readable &= fits;
        if (fits) into = static_cast<T>(number);
    }
};

}  // namespace

Rule rule_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(rule_rows); ++i)
        if (name == rule_rows[i].name) return static_cast<Rule>(i);
    return Rule::none;
}

std::string to_json(const Finding& finding) {
    Json json;
    Finding copy = finding;
    Writer{json}.object(copy);
    return json.text();
}

std::optional<Finding> finding_from(const JsonValue& json) {
    Finding finding;
    bool readable = json.kind == JsonValue::object;
    if (readable) members(finding, Reader{json, readable});
    if (!readable || finding.kind.empty()) return {};
    return finding;
}

std::optional<Finding> finding_from(const std::string& json) {
    const std::optional<JsonValue> value = parse_json(json);
    return value ? finding_from(*value) : std::nullopt;
}

}  // namespace kit::facts
