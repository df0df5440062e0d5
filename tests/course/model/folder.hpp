// A temporary folder for tests that need files, and a function that changes a sample text.
#pragma once

#include <stdlib.h>

#include "text.hpp"

namespace course_test {

/// Returns the text with the first `from` replaced. If `from` does not occur, the test itself is wrong.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw course::Error("the text has no " + from);
    return text.replace(at, from.size(), to);
}

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
    void change(const std::string& name, const std::string& from, const std::string& to) const {
        write(name, with(read(name), from, to));
    }
};

/// Returns the text of the Error that the call throws; empty if it throws none.
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
