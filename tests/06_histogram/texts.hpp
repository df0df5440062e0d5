// Real text for the tests and the demo of 06_histogram: John Milton, Paradise Lost (1674), book I.
#pragma once

#include <fstream>
#include <source_path.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

namespace histogram_test {

/// Returns 34,446 characters in the public domain, from the file next to this one. A case that needs more repeats them.
inline const std::string& real_text() {
    static const std::string text = [] {
        const std::string here = __FILE__;
        const std::string path =
            kit::source_path(here.substr(0, here.find_last_of('/') + 1) + "paradise_lost.txt");
        std::ifstream file(path, std::ios::binary);
        std::ostringstream all;
        all << file.rdbuf();
        if (all.str().size() < 34446) throw std::runtime_error("cannot read the text " + path);
        return all.str();
    }();
    return text;
}

}  // namespace histogram_test
