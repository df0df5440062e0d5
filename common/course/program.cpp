#include "program.hpp"

#include <cstdio>
#include <text_layout.hpp>

namespace course {

namespace {

int usage(const Program& program, std::FILE* to, int status) {
    std::fprintf(to, "usage: %s [--course LIST] COMMAND [argument...]\n", program.name);
    for (const Command& command : program.commands) {
        std::fprintf(to, "  %s %s\n", command.name, command.arguments);
        for (const std::string& line : kit::wrapped(std::string("        ") + command.what, 80, 8))
            std::fprintf(to, "%s\n", line.c_str());
    }
    return status;
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
    if (arguments.empty()) return usage(program, stderr, 2);
    if (arguments[0] == "--help") return usage(program, stdout, 0);
    const std::string name = arguments[0];
    arguments.erase(arguments.begin());
    for (const Command& command : program.commands) {
        if (name != command.name) continue;
        const int status = command.run(Course::read(list), arguments);
        if (status == 2)
            std::fprintf(stderr, "usage: %s %s %s\n", program.name, command.name, command.arguments);
        return status;
    }
    usage(program, stderr, 2);
    std::fprintf(stderr, "%s has no command \"%s\". %s may have it: cmake --build %s -t %s\n", program.name,
                 name.c_str(), program.other, folder.c_str(), program.other);
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

}  // namespace course
