// Computes a hash of everything on which a test's verdict depends: files, command line and environment
// variables.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "expected.hpp"
#include "judge.hpp"

namespace course {

namespace {

std::string hash_of(std::string_view text) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016zx", std::hash<std::string_view>()(text));
    return digits;
}

/// Returns a hash of the file's contents. A program that was linked again from the same objects has the same
/// hash. The hash is cheap: libstdc++ processes 8 bytes at a time, and nothing is copied, so the 13 MB of a
/// test take 4 ms.
std::string hash_of_file(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto size = static_cast<std::size_t>(std::max<off_t>(0, lseek(file, 0, SEEK_END)));
    void* const contents = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (contents == MAP_FAILED) return "";  // the file is missing or empty
    const std::string hash = hash_of({static_cast<const char*>(contents), size});
    munmap(contents, size);
    return hash;
}

/// Returns the shared libraries that the loader finds for this program. With this environment variable, the
/// loader prints "NAME => PATH (ADDRESS)" for each library and does not start the program.
std::set<fs::path> libraries_of(const std::string& program) {
    std::set<fs::path> libraries;
    for (const std::string& line : lines_of(run({program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}}).output)) {
        const Lines found = match(line, "(/.*) [(]0x");
        if (!found.empty()) libraries.insert(found[1]);
    }
    return libraries;
}

}  // namespace

std::string inputs_of(const Course& course, const Test& test,
                      const std::map<std::string, std::string>& environment) {
    const Exercise* const exercise = exercise_of(course, test.name);
    if (course.backend != "CPU" || (!exercise && !begins_with(test.name, "cpu."))) return "";

    Lines inputs = {test.name, test.mode, test.submission};
    inputs.insert(inputs.end(), test.command.begin(), test.command.end());
    for (const auto& [name, value] : environment) inputs.push_back(name + "=" + value);
    for (char** variable = environ; *variable; ++variable) {
        const std::string text = *variable, name = text.substr(0, text.find('='));
        if (begins_with(name, "KIT_") && name != "KIT_RUN_ALL" && !environment.count(name))
            inputs.push_back(text);
    }

    std::set<fs::path> files = libraries_of(test.command[0]);
    files.insert({"/proc/self/exe", test.command[0], test.submission});
    // Programs read some files at run time: lines that a report quotes, and the data and pages with which a
    // test compares.
    const auto add = [&](const fs::path& folder, const std::set<std::string>& extensions) {
        for (const fs::path& file : course.files(folder, extensions)) files.insert(course.root / file);
    };
    if (const std::optional<Entry> entry = entry_of(course, test.name)) {
        const Lines stated = lines_of(*entry);
        inputs.insert(inputs.end(), stated.begin(), stated.end());
        inputs.push_back(text_of(read_screens(course, exercise->topic).of(*exercise, *entry)));
    }
    if (exercise) {
        for (const fs::path& file : {exercise->solution(), exercise->test(), exercise->contract()})
            files.insert(course.root / file);
        add(exercise->contract().parent_path(), {".txt"});
    } else {  // for example, tests/cpu/checks/pages_test.cu for the test cpu.checks.pages
        files.insert(course.root / "tests" / (replaced(test.name, ".", "/") + "_test.cu"));
        add("tests/cpu/recorded", {});
        if (contains(test.name, ".pages")) add("lectures/diagnoses", {});
    }
    for (const fs::path& file : files) inputs.push_back(file.string() + " " + hash_of_file(file));
    return hash_of(text_of(inputs));
}

}  // namespace course
