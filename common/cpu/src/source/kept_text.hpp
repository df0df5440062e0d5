// Texts that exist until the process ends, for objects with a plain pointer: the file of a Place, the name of
// a Launch.
#pragma once

#include <string>

namespace kit::cpu {

/// Returns a pointer to a copy of the text that stays valid. Equal texts have the same pointer.
const char* keep(const std::string& text);

}  // namespace kit::cpu
