// A folder of its own for a test that needs files; it is gone when the test ends.
#pragma once

#include <stdlib.h>

#include "text.hpp"

namespace course_test {

struct Folder {
    course::fs::path path;

    Folder() {
        std::string name = (course::fs::temp_directory_path() / "course_XXXXXX").string();
        if (!mkdtemp(name.data())) throw course::Error(name + ": cannot be made");
        path = name;
    }
    Folder(const Folder&) = delete;
    ~Folder() { course::fs::remove_all(path); }

    void write(const std::string& name, const std::string& text) const {
        course::write_text(path / name, text);
    }
    std::string read(const std::string& name) const { return course::read_text(path / name); }
};

/// The sentence of the Error that the call throws; empty if it throws none.
template <class Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const course::Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace course_test
