// The main function that kit_course and kit_author share.
//
//     PROGRAM [--course LIST] COMMAND [argument...]
//
// LIST is the file course.txt, which CMake writes into the build folder. Without the option, the program reads the list in its own folder.
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
    const char* other;  ///< name of the program that has the other commands
};

/// Runs the command that the arguments name, and returns the exit status of the program.
int run_program(const Program& program, int argc, char** argv);

}  // namespace course
