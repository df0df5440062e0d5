// Inserts the facts of a finding into the sentence of its rule.
#include <algorithm>
#include <iterator>
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Finding;
using facts::Value;

namespace {

/// Returns the name of a graph node in sentences.
std::string node_of(const Finding& finding) {
    if (!finding.kernel.empty()) return "kernel `" + finding.kernel + "`";
    const std::string type = text_in(finding, "node");
    if (type == "copy") return "a copy";
    if (type == "fill") return "a fill";
    if (type == "host_function") return "a host function";
    if (type == "child_graph") return "a child graph";
    if (type == "wait") return "a wait";
    if (type == "event") return "an event";
    if (type == "allocation") return "an allocation";
    if (type == "free") return "a freeing of memory";
    if (type == "conditional") return "a conditional node";
    return "an empty node";
}

/// Returns the sizes and offsets of a kernel's parameters, such as "4 bytes at 0, 8 bytes at 8".
std::string parameters_of(const Finding& finding) {
    std::string list;
    for (const Value& value : finding.values) {
        if (value.name == "parameter_bytes")
            list += (list.empty() ? "" : ", ") + count_of(value.number, "bytes");
        if (value.name == "parameter") list += " at " + number_of(value.number);
    }
    return list.empty() ? "none" : list;
}

/// Returns an operand or an argument of an operation of tensor cores.
std::string tensor_operand_of(const std::string& name) {
    if (name == "A" || name == "B") return "the fragment of matrix " + name;
    if (name == "sums") return "the accumulator";
    if (name == "row") return "address of a row";
    if (name == "stride") return "leading dimension";
    if (name == "kind") return "kind of fragment";
    if (name == "form") return "form of the instruction";
    return name;
}

}  // namespace

Meaning meaning_of(const Finding& finding) {
    return [&finding](Sentence& sentence, const std::string& name) {
        const facts::Access* const access = finding.accesses.empty() ? nullptr : &finding.accesses[0];
        if (name == "who") {
            const bool is_known = finding.who.kind != facts::Who::Kind::nobody || !access;
            sentence.add(text_of(is_known ? finding.who : access->who));
        } else if (name == "other") {
            sentence.add(text_of(finding.other));
        } else if (name == "at") {
            sentence.add(finding.at.line || !access ? finding.at : access->at);
        } else if (name == "other_at") {
            sentence.add(finding.other_at);
        } else if (name == "memory") {
            sentence.add(text_of(finding.memory));
        } else if (name == "kind") {
            sentence.add(finding.kind);
        } else if (name == "kernel") {
            sentence.add(finding.kernel);
        } else if (name == "call") {
            sentence.add(finding.kernel.empty() ? text_in(finding, "call")
                                                : "the launch of `" + finding.kernel + "`");
        } else if (name == "operand") {
            sentence.add(tensor_operand_of(text_in(finding, "operand")));
        } else if (name == "node") {
            sentence.add(node_of(finding));
        } else if (name == "parameters") {
            sentence.add(parameters_of(finding));
        } else {
            const std::size_t colon = name.find(':');
            const Value* const value = finding.value(name.substr(0, colon));
            const std::string unit = colon == std::string::npos ? "" : name.substr(colon + 1);
            if (!value) return;
            if (value->kind == Value::Kind::line)
                sentence.add(facts::Where(value->line));
            else if (value->kind == Value::Kind::text)
                sentence.add(value->text);
            else if (unit == "hex")
                sentence.add(address_of(value->number));
            else if (unit == "mask")
                sentence.add(mask_of(static_cast<std::uint32_t>(value->number)));
            else
                sentence.add(unit.empty() ? number_of(value->number) : count_of(value->number, unit));
        }
    };
}

Sentence sentence_of(const Finding& finding) {
    Sentence sentence;
    const char* const candidates[] = {words_of_kernel(finding.rule), words_of_launch(finding.rule),
                                      words_of_graph(finding.rule),  words_of_alignment(finding),
                                      words_of_copy(finding),        words_of_free(finding)};
    const auto* const words =
        std::find_if(std::begin(candidates), std::end(candidates), [](const char* one) { return one; });
    if (words != std::end(candidates))
        sentence.add(*words, meaning_of(finding));
    else if (!add_race(sentence, finding) && !add_access(sentence, finding) && !add_wait(sentence, finding) &&
             !add_calls(sentence, finding) && !add_demand(sentence, finding))
        sentence.add(finding.kind);
    if (finding.times > 1) sentence.add(" (seen " + std::to_string(finding.times) + " times)");
    return sentence;
}

std::string text_of(const Finding& finding, bool advises) {
    return sentence_of(finding).text(advises);
}

Told told(const Finding& finding, bool advises) {
    Told told;
    if (list_undefined_lane(told, finding, advises)) return told;
    told = sentence_of(finding).told(advises);
    if (finding.rule == facts::Rule::endless_kernel && !told.lines.empty()) {
        Sentence heading, here, progress;
        told.what = heading.add("`{kernel}` did not end within {seconds} s", meaning_of(finding)).text();
        told.lines[0].who = here.add("{who} was here", meaning_of(finding)).text();
        told.rest = add_progress(progress, finding).text(advises);
    }
    if (told.lines.empty() && finding.place.line) told.lines.push_back({finding.place, ""});
    return told;
}

}  // namespace kit::words
