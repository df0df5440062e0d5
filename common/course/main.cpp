// kit_course: everything that the course knows of itself, for CMake, CTest, authors, slides and site.
//
//     kit_course [--course LIST] COMMAND [argument...]
//
// LIST is the file that CMake writes when it configures, course.txt of the build folder; without the option it is the one
// beside this program.
#include <cstdio>

#include "commands.hpp"

namespace {

using course::Arguments;
using course::Course;

struct Command {
    const char* name;
    const char* usage;
    int (*run)(const Course&, const Arguments&);
};

const Command commands[] = {
    {"check", "[RULE]                 applies the rules of the course: all, or one", course::command_check},
    {"code", "[--write]              compares the code in pages with its regions, or writes it",
     course::command_code},
    {"new_exercise", "TOPIC NAME     creates the files of an exercise", course::command_new_exercise},
    {"starter", "TOPIC NAME FILE      writes the starter of an exercise", course::command_starter},
    {"starters", "[--force TOPIC/NAME] renews exercises/, except what somebody has worked on",
     course::command_starters},
    {"records", "                     checks all records of measurements", course::command_records},
    {"compare", "FIRST SECOND [--write]  compares two records of one GPU, and marks noisy rows in the first",
     course::command_compare},
    {"numbers", "[--write]            compares or writes what the pages quote from records",
     course::command_numbers},
    {"wrong", "TOPIC NAME MISTAKE FILE  writes a wrong submission", course::command_wrong},
    {"together", "TOPIC NAME FILE STARTER|PATCH...  writes submissions of an exercise as one source",
     course::command_together},
    {"joined", "FILE [NAME=]SOURCE...  writes several sources as one, each in a namespace",
     course::command_joined},
    {"patches",
     "TOPIC/NAME [MISTAKE FILE]  makes all patches anew after the solution changed, or one from a file",
     course::command_patches},
    {"judge",
     "--name TEST --mode MODE [--submission FILE] [--target T] [--status S] [--expect TEXT]... -- PROGRAM "
     "[argument...]",
     course::command_judge},
    {"begin", "                       before the tests of exercises", course::command_begin},
    {"scoreboard", "                  after them: verdicts, the scoreboard, what to do next",
     course::command_scoreboard},
    {"watch", "[EXERCISE]             grades an exercise on every save, on one screen",
     course::command_watch},
    {"results", "                     prints all verdicts of exercises, one line each",
     course::command_results},
    {"deck", "FILE OUTPUT [DEPFILE]     writes a deck of slides as Marp reads it", course::command_deck},
    {"student", "FOLDER               makes a copy of the course without solutions", course::command_student},
    {"json", "                        prints the model, for tools", course::command_json},
};

int usage() {
    std::fprintf(stderr, "usage: kit_course [--course LIST] COMMAND [argument...]\n");
    for (const Command& command : commands) std::fprintf(stderr, "  %-12s %s\n", command.name, command.usage);
    return 2;
}

}  // namespace

int main(int argc, char** argv) try {
    Arguments arguments(argv + 1, argv + argc);
    course::fs::path list = course::fs::read_symlink("/proc/self/exe").parent_path() / "course.txt";
    if (arguments.size() >= 2 && arguments[0] == "--course") {
        list = arguments[1];
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    if (arguments.empty()) return usage();
    for (const Command& command : commands) {
        if (arguments[0] != command.name) continue;
        arguments.erase(arguments.begin());
        const int status = command.run(Course::read(list), arguments);
        if (status == 2) std::fprintf(stderr, "usage: kit_course %s %s\n", command.name, command.usage);
        return status;
    }
    std::fprintf(stderr, "kit_course: no command \"%s\"\n", arguments[0].c_str());
    return usage();
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
