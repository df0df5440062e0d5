#include "program.hpp"

#include <cstdio>

namespace course {

namespace {

int usage(const Program& program) {
    std::fprintf(stderr, "usage: %s [--course LIST] COMMAND [argument...]\n", program.name);
    for (const Command& command : program.commands)
        std::fprintf(stderr, "  %-12s %s\n", command.name, command.usage);
    return 2;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) try {
    Arguments arguments(argv + 1, argv + argc);
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    fs::path list = folder / "course.txt";
    if (arguments.size() >= 2 && arguments[0] == "--course") {
        list = arguments[1];
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    if (arguments.empty()) return usage(program);
    const std::string name = arguments[0];
    arguments.erase(arguments.begin());
    for (const Command& command : program.commands) {
        if (name != command.name) continue;
        const int status = command.run(Course::read(list), arguments);
        if (status == 2) std::fprintf(stderr, "usage: %s %s %s\n", program.name, command.name, command.usage);
        return status;
    }
    usage(program);
    std::fprintf(stderr, "%s has no command \"%s\". %s may have it: cmake --build %s -t %s\n", program.name,
                 name.c_str(), program.other, folder.c_str(), program.other);
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

}  // namespace course
