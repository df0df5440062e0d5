// kit_join: the part of kit_author that writes the sources of submissions. Every program of submissions needs it,
// and the first proof of an exercise waits for it.
#include "author_commands.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
    using namespace course;
    return run_program(
        {"kit_join",
         {{"together", "TOPIC NAME FILE STARTER|wrong.MISTAKE|other.METHOD|right.WAY...",
           "writes submissions of an exercise to FILE as one source", command_together},
          {"joined", "FILE [HEADER.cuh...] [NAME=]SOURCE...",
           "writes several sources to FILE as one, each in its own namespace; they share these headers",
           command_joined},
          {"choose", "FILE NM NAMES SUBMISSIONS.o TEST.o...",
           "writes to FILE the source of a program that runs one of several submissions", command_choose}},
         "kit_author"},
        argc, argv);
}
