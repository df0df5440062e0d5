// Recognizes keys from the bytes that a terminal sends.
#pragma once

#include <string>
#include <vector>

namespace course {

/// Keys that are not characters. For a character, the code of the key is the character.
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

/// Removes complete keys from `bytes` and returns them. Bytes that can begin a longer key stay. `all`: no
/// more bytes have come for a while, so they are keys by themselves; a single ESC is the Escape key.
std::vector<int> take_keys(std::string& bytes, bool all);

}  // namespace course
