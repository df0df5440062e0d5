// kit_course: the program with the commands for CMake, CTest and students. author/main.cpp is the program for
// authors.
#include "program.hpp"

int main(int argc, char** argv) {
    using namespace course;
    return run_program(
        {"kit_course",
         {{"starter", "TOPIC NAME FILE      writes the starter of an exercise", command_starter},
          {"judge",
           "--name TEST --mode MODE [--submission FILE] [--target T] [--status S] [--expect TEXT]... -- "
           "PROGRAM "
           "[argument...]",
           command_judge},
          {"begin", "                       runs before the tests of exercises, for CTest", command_begin},
          {"scoreboard", "                  runs after them: prints verdicts, the scoreboard, the next step",
           command_scoreboard},
          {"watch", "[EXERCISE]             grades an exercise on every save, on one screen", command_watch},
          {"results", "                     prints all verdicts of exercises, one line each",
           command_results}},
         "kit_author"},
        argc, argv);
}
