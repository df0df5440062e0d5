// The facts about the compiler and the folders that CMake writes into the file kitcc.settings.
#pragma once

#include <string>
#include <vector>

namespace kitcc {

/// Each line of the file is a word and its value; {root} in it is the folder of the installation.
struct Settings {
    std::string compiler, header, architecture;
    std::string pages;  ///< folder of the pages about reports
    std::string
        build;  ///< build folder of the course, which builds the executor at first use; empty when installed
    std::vector<std::string> flags, unchecked, kept, libraries, linked;
};

/// Reads the file next to kitcc or, in an installation, in ../share/kitcc. Throws std::runtime_error if there is none.
Settings read_settings();

}  // namespace kitcc
