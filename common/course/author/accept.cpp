// Accepts the screens of the last run: writes them to tests/TOPIC/NAME.screens, with which the next runs are compared.
#include <cstdio>

#include "author_commands.hpp"
#include "expected.hpp"
#include "submission.hpp"

namespace course {

int command_accept(const Course& course, const Arguments& arguments) {
    if (arguments.size() > 1) return 2;
    int changed = 0, looked_at = 0;
    for (const Exercise& exercise : course.exercises) {
        const Submissions all(course, exercise);
        Screens screens = screens_of(course, exercise);
        for (const Entry& entry : all.entries()) {
            const std::string variant = entry.value("variant");
            const std::string test = entry.kind + "." + exercise.topic + "." + exercise.name + "." +
                                     entry.name + (variant.empty() ? "" : "." + variant);
            if (!arguments.empty() && !contains(test, arguments[0])) continue;
            const std::optional<Verdict> verdict = read_verdict(verdict_file(course, test));
            const bool varies = !entry.value("screen").empty();
            Lines screen;
            if (!varies) {
                if (!verdict || verdict->outcome == "skip") continue;
                const std::string kind = facts_of(*verdict, program_of(course, exercise, entry)).kind;
                if (kind == "no_verdict" || kind == "open") continue;  // these runs have no screen to accept
                if (kind != "passed") screen = screen_of(*verdict);
            }
            ++looked_at;
            if (screen == screens.of(entry.id())) continue;
            std::printf("%s\n", test.c_str());
            screens.set(entry.id(), screen);
            ++changed;
        }
        const std::string text = screens.text(exercise, all);
        if (text != read_text_if_there(course.root / exercise.screens()) && contains(text, "\n== "))
            write_text(course.root / exercise.screens(), text);
    }
    std::printf("%d of %d screens have changed\n", changed, looked_at);
    return 0;
}

}  // namespace course
