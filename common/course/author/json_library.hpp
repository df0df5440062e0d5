// The JSON library for records, presets and the instructor's points. Programs for students do not include
// this library.
#pragma once

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#else
#error "nlohmann-json is not installed: apt-get install nlohmann-json3-dev"
#endif
