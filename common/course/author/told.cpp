// Prints the facts of a verdict, for scripts that compare them with what they expect.
#include <cstdio>
#include <words/outcome.hpp>

#include "author_commands.hpp"
#include "expected.hpp"

namespace course {

int command_told(const Course&, const Arguments& arguments) {
    if (arguments.size() != 2) return 2;
    const fs::path program = arguments[1];
    const std::optional<Verdict> verdict = read_verdict(arguments[0]);
    if (!verdict) throw Error(arguments[0], ": is no verdict");
    const Facts facts = facts_of(*verdict, program);
    Lines lines = {"kind: " + facts.kind, "task: " + facts.task};
    for (const std::string& text : facts.at) lines.push_back("at: " + text);
    if (!facts.demand.empty()) lines.push_back("demand: " + facts.demand);
    for (const CaseVerdict& one : verdict->cases) {
        if (one.name != verdict->told) continue;
        Lines sentences = kit::words::details_of(one);
        sentences.insert(sentences.begin(), {kit::words::headline_of(one), kit::words::meaning_of(one)});
        if (one.method) sentences.push_back(one.method->why);
        for (const std::string& text : sentences) {
            // The file names are removed, so that a cause is not found in the name of a file.
            if (!text.empty())
                lines.push_back("says: " + on_one_line(replaced(text, program.filename().string(), "it")));
        }
    }
    std::printf("%s", text_of(lines).c_str());
    return 0;
}

}  // namespace course
