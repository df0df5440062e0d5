// The main function of kit_course and kit_author, which have the command line
//
//   PROGRAM [--course LIST] COMMAND [argument...]
//
// LIST is the file course.txt, which CMake writes to the build folder. Without the option, the program reads
// the list in its own folder.
#pragma once

#include "commands.hpp"

namespace course {

struct Command {
    const char* name;
    const char* arguments;
    const char* what;  ///< what the command does, for --help
    int (*run)(const Course&, const Arguments&);
};

struct Program {
    const char* name;
    std::vector<Command> commands;
    const char* other;  ///< name of the program with the other commands
};

/// Runs the command in the arguments, and returns the exit status for the program.
int run_program(const Program& program, int argc, char** argv);

}  // namespace course
