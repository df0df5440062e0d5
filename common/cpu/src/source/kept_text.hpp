// Texts that live as long as the process, for objects that keep a plain pointer: a Place its file, a Launch its name.
#pragma once

#include <string>

namespace kit::cpu {

/// Returns the same pointer for the same text.
const char* keep(const std::string& text);

}  // namespace kit::cpu
