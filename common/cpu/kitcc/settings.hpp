// The facts about the compiler and its folders that CMake writes into the file kitcc.settings.
#pragma once

#include <string>
#include <vector>

namespace kitcc {

/// The contents of the file. Each line has a word and its value, in which {root} is the folder of the
/// installation.
struct Settings {
    std::string compiler, header, architecture;
    std::string pages;  ///< folder with the pages about kinds of reports
    std::string
        build;  ///< build folder of the course, which builds the executor at first use; empty when installed
    std::vector<std::string> flags, unchecked, kept, libraries, linked;
};

/// Reads the file next to kitcc or, in an installation, in ../share/kitcc. Throws std::runtime_error if there
/// is no file.
Settings read_settings();

}  // namespace kitcc
