// kit_course: the program with the commands for CMake, CTest and students. author/main.cpp is the program for
// authors.
#include "program.hpp"

int main(int argc, char** argv) {
    using namespace course;
    return run_program(
        {"kit_course",
         {{"starter", "TOPIC NAME FILE", "writes the starter of an exercise", command_starter},
          {"judge",
           "--name TEST --mode MODE [--submission FILE] [--target T] [--status S] [--expect TEXT]... -- "
           "PROGRAM "
           "[argument...]",
           "runs one test and decides its verdict; CTest calls it", command_judge},
          {"begin", "", "prepares a run of the exercises; CTest calls it before their tests", command_begin},
          {"scoreboard", "",
           "prints the verdicts, the scoreboard and the next step; CTest calls it at the end",
           command_scoreboard},
          {"watch", "[EXERCISE]", "grades an exercise each time you save it, on one screen", command_watch},
          {"hunt",
           "[TOPIC|EXERCISE|EXERCISE.N] [--level N] [--anyway] | hint | verdict | test | answer LINE KIND | "
           "kinds | watch",
           "gives you a program with a mistake to find and repair", command_hunt},
          {"results", "", "prints the verdict of each exercise on one line", command_results}},
         "kit_author"},
        argc, argv);
}
