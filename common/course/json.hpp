// What the rules ask of JSON files. The library is slow to compile and stays in json.cpp.
#pragma once

#include "course.hpp"

namespace course {

/// A preset of CMakePresets.json that can be named: {"workflow", "exercises"}.
struct Preset {
    std::string kind, name;
};
/// Throws Error if the file cannot be read.
std::vector<Preset> presets_of(const Course& course);

}  // namespace course
