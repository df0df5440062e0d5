// Keys, from the bytes that a terminal sends for them.
#pragma once

#include <string>
#include <vector>

namespace course {

/// A character is its own code; these have none.
enum Key : int {
    key_unknown = 256,
    key_up,
    key_down,
    key_page_up,
    key_page_down,
    key_home,
    key_end,
    key_enter,
    key_escape
};

constexpr int control(char letter) {
    return letter & 0x1f;
}

/// Takes the keys out of `bytes`. What may be the beginning of a longer one stays there, unless nothing more has come for a
/// while (`all`): then Escape was pressed.
std::vector<int> take_keys(std::string& bytes, bool all);

}  // namespace course
