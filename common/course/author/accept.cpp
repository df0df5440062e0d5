// The command that accepts the screens of the last run: it writes them to tests/TOPIC/TOPIC.screens, and
// later runs are compared with them. A second command prints the facts of a verdict.
#include <cstdio>
#include <words/outcome.hpp>

#include "author_commands.hpp"
#include "expected.hpp"
#include "submission.hpp"

namespace course {

namespace {

/// Returns the screen of the last run; no lines if the entry needs no screen, and nothing if there is no
/// screen to accept.
std::optional<Lines> new_screen(const Course& course, const Exercise& exercise, const Entry& entry,
                                const std::string& test) {
    if (!entry.value("screen").empty()) return Lines();  // the screen varies
    const std::optional<Verdict> verdict = read_verdict(verdict_file(course, test));
    if (!verdict || verdict->outcome == "skip") return {};
    const std::string kind = facts_of(*verdict, program_of(course, exercise, entry)).kind;
    if (kind == "no_verdict" || kind == "open") return {};  // these runs have no screen
    return kind == "passed" ? Lines() : screen_of(*verdict);
}

}  // namespace

int command_accept(const Course& course, const Arguments& arguments) {
    if (arguments.size() > 1) return 2;
    int changed = 0, looked_at = 0;
    for (const std::string& topic : course.topics()) {
        Screens screens = read_screens(course, topic);
        for (const Exercise* const exercise : course.exercises_of(topic)) {
            const Submissions all(course, *exercise);
            for (const Entry& entry : all.entries()) {
                const std::string variant = entry.value("variant");
                const std::string test = entry.kind + "." + topic + "." + exercise->name + "." + entry.name +
                                         (variant.empty() ? "" : "." + variant);
                if (!arguments.empty() && !contains(test, arguments[0])) continue;
                const std::optional<Lines> screen = new_screen(course, *exercise, entry, test);
                if (!screen) continue;
                ++looked_at;
                if (*screen == screens.of(*exercise, entry)) continue;
                std::printf("%s\n", test.c_str());
                screens.set(*exercise, entry, *screen);
                ++changed;
            }
        }
        const std::string text = screens.text(course, topic);
        if (text != read_text_if_there(course.root / screens_of(topic)) && contains(text, "\n== "))
            write_text(course.root / screens_of(topic), text);
    }
    std::printf("%d of %d screens have changed\n", changed, looked_at);
    return 0;
}

/// Prints the facts of a verdict, for scripts that compare them with expected facts.
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
            // File names are removed, so that a word in the name of a file does not count as a cause.
            if (!text.empty())
                lines.push_back("says: " + on_one_line(replaced(text, program.filename().string(), "it")));
        }
    }
    std::printf("%s", text_of(lines).c_str());
    return 0;
}

}  // namespace course
