// Recognizes keys from the bytes that a terminal sends for them.
#pragma once

#include <string>
#include <vector>

namespace course {

/// The keys that are not characters. A character is its own code.
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

/// Takes the keys from `bytes`. Bytes that may begin a longer key stay there, unless no more bytes have come for a while (`all`), which
/// means that Escape was pressed.
std::vector<int> take_keys(std::string& bytes, bool all);

}  // namespace course
