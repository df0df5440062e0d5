// The members of each structure, with their names in JSON.
#include <facts/json.hpp>
#include <facts/members.hpp>

namespace kit {

static facts::Names names_of(Diagnosis) {
    return facts::all_of(detail::diagnosis_names);
}

}  // namespace kit

namespace kit::facts {

constexpr const char* who_names[] = {"nobody",        "thread", "other_thread",    "host",
                                     "host_function", "call",   "allocating_node", "freeing_node"};
constexpr const char* memory_names[] = {
    "unknown",     "shared",    "buffer",        "variable",          "allocation",         "host_block",
    "stack_frame", "no_shared", "before_shared", "local_of_launcher", "shared_of_launcher", "some_global",
    "some_shared", "nearest"};
constexpr const char* position_names[] = {"whole", "inside", "before", "after"};
constexpr const char* value_names[] = {"text", "number", "line"};

constexpr const char* fault_names[] = {
#define KIT_ROW(name) #name,
    KIT_FAULTS(KIT_ROW)
#undef KIT_ROW
};
constexpr const char* pattern_names[] = {
#define KIT_ROW(name) #name,
    KIT_PATTERNS(KIT_ROW)
#undef KIT_ROW
};
constexpr const char* bound_names[] = {"at_most", "at_least", "exactly"};
constexpr const char* note_names[] = {"stated",         "timed_on_cpu",   "timed",
                                      "time_not_valid", "program_passes", "not_tried"};
constexpr const char* status_names[] = {"pass", "fail", "skip", "other_method"};

static Names names_of(Who::Kind) {
    return all_of(who_names);
}
static Names names_of(Memory::Kind) {
    return all_of(memory_names);
}
static Names names_of(Memory::Position) {
    return all_of(position_names);
}
static Names names_of(Value::Kind) {
    return all_of(value_names);
}
static Names names_of(Fix) {
    return all_of(fix_names);
}
static Names names_of(Fault) {
    return all_of(fault_names);
}
static Names names_of(Pattern) {
    return all_of(pattern_names);
}
static Names names_of(Count::Bound) {
    return all_of(bound_names);
}
static Names names_of(Note::Kind) {
    return all_of(note_names);
}
static Names names_of(Status) {
    return all_of(status_names);
}

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
    use("copies", access.copies), use("narrow", access.narrow), use("queued", access.queued);
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
    use("missing", group.missing), use("expected", group.expected);
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
    use("waiting", finding.waiting), use("calls", finding.calls), use("values", finding.values);
    use("times", finding.times);
}

template <class Use>
void members(Element& element, const Use& use) {
    use("at", element.at), use("got", element.got), use("expected", element.expected);
    use("unwritten", element.unwritten), use("tolerance", element.tolerance);
}

template <class Use>
void members(Difference& difference, const Use& use) {
    use("what", difference.what), use("wrong", difference.wrong), use("of", difference.of);
    use("first", difference.first), use("last", difference.last), use("unwritten", difference.unwritten);
    use("block", difference.block), use("elements", difference.elements);
}

template <class Use>
void members(Count& count, const Use& use) {
    use("name", count.name), use("actual", count.actual), use("required", count.required);
    use("bound", count.bound), use("is_known", count.is_known);
}

template <class Use>
void members(RuntimeError& error, const Use& use) {
    use("name", error.name), use("text", error.text), use("call", error.call);
}

template <class Use>
void members(End& end, const Use& use) {
    use("fault", end.fault), use("status", end.status), use("signal", end.signal);
    use("seconds", end.seconds);
}

template <class Use>
void members(Failure& failure, const Use& use) {
    use("diagnosis", failure.diagnosis), use("fault", failure.fault), use("finding", failure.finding);
    use("difference", failure.difference), use("pattern", failure.pattern), use("mistake", failure.mistake),
        use("count", failure.count);
    use("error", failure.error), use("end", failure.end), use("at", failure.at);
    use("sentence", failure.sentence), use("subject", failure.subject), use("written_at", failure.written_at);
    use("lines", failure.lines), use("because", failure.because);
    use("tasks", failure.tasks);
}

template <class Use>
void members(Note& note, const Use& use) {
    use("kind", note.kind), use("text", note.text), use("bits", note.bits), use("times", note.times);
    use("milliseconds", note.milliseconds), use("spread", note.spread), use("gb_per_s", note.gb_per_s);
    use("of_copy", note.of_copy);
}

template <class Use>
void members(Method& method, const Use& use) {
    use("practises", method.practises), use("did", method.did), use("why", method.why);
    use("task", method.task), use("counted", method.counted);
}

template <class Use>
void members(Outcome& outcome, const Use& use) {
    use("outcome", outcome.status);
    members(static_cast<Failure&>(outcome), use);
    use("also", outcome.also), use("notes", outcome.notes), use("demands", outcome.demands);
    use("method", outcome.method), use("on_host", outcome.on_host), use("ends_process", outcome.ends_process);
    use("crossed", outcome.crossed);
}

template <class Use>
void members(CaseVerdict& one, const Use& use) {
    use("name", one.name);
    members(static_cast<Outcome&>(one), use);
    use("edit", one.edit);
    use("seconds", one.seconds);
}

template <class Use>
void members(Verdict& verdict, const Use& use) {
    use("test", verdict.test), use("outcome", verdict.outcome), use("sentence", verdict.sentence);
    use("again", verdict.again);
    use("token", verdict.token), use("device", verdict.device), use("seed", verdict.seed);
    use("status", verdict.status), use("passed", verdict.passed), use("failed", verdict.failed);
    use("skipped", verdict.skipped), use("told", verdict.told), use("gap", verdict.gap);
    use("seconds", verdict.seconds), use("cases", verdict.cases), use("notes", verdict.notes);
    use("output", verdict.output), use("inputs", verdict.inputs);
}

namespace {

bool is_finding(const Finding& finding) {
    return finding_row(finding.kind.c_str()) != nullptr;
}

/// Removes facts that this version does not know, because a worker can send anything.
void drop_unknown(Failure& failure) {
    if (failure.finding && !is_finding(*failure.finding)) failure.finding.reset();
}

void drop_unknown(Outcome& outcome) {
    drop_unknown(static_cast<Failure&>(outcome));
    for (Failure& other : outcome.also) drop_unknown(other);
}

template <class T>
std::optional<T> read_text(const std::string& json) {
    const std::optional<JsonValue> value = parse_json(json);
    return value ? read_from<T>(*value) : std::nullopt;
}

}  // namespace

Rule rule_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(rule_rows); ++i)
        if (name == rule_rows[i].name) return static_cast<Rule>(i);
    return Rule::none;
}

const char* name_of(Fault fault) {
    return fault_names[static_cast<int>(fault)];
}

const char* name_of(Pattern pattern) {
    return pattern_names[static_cast<int>(pattern)];
}

std::string to_json(const Finding& finding) {
    return json_of(finding);
}

std::string to_json(const Failure& failure) {
    return json_of(failure);
}

std::string to_json(const Outcome& outcome) {
    return json_of(outcome);
}

std::string to_json(const Verdict& verdict) {
    return json_of(verdict);
}

std::optional<Finding> finding_from(const JsonValue& json) {
    std::optional<Finding> finding = read_from<Finding>(json);
    if (finding && !is_finding(*finding)) finding.reset();
    return finding;
}

std::optional<Finding> finding_from(const std::string& json) {
    const std::optional<JsonValue> value = parse_json(json);
    return value ? finding_from(*value) : std::nullopt;
}

std::optional<Outcome> outcome_from(const std::string& json) {
    std::optional<Outcome> outcome = read_text<Outcome>(json);
    if (outcome) drop_unknown(*outcome);
    return outcome;
}

std::optional<Verdict> verdict_from(const std::string& json) {
    std::optional<Verdict> verdict = read_text<Verdict>(json);
    for (std::size_t i = 0; verdict && i < verdict->cases.size(); ++i) drop_unknown(verdict->cases[i]);
    return verdict;
}

}  // namespace kit::facts
