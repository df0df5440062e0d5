#include "watch/keys.hpp"

#include <map>

namespace course {

namespace {

/// Returns the code of a key from the text after "ESC [" or "ESC O", such as "A" or "5~".
int key_of_sequence(const std::string& sequence) {
    static const std::map<std::string, int> keys = {
        {"A", key_up},       {"B", key_down},       {"H", key_home}, {"1~", key_home}, {"7~", key_home},
        {"5~", key_page_up}, {"6~", key_page_down}, {"F", key_end},  {"4~", key_end},  {"8~", key_end}};
    const auto found = keys.find(sequence);
    return found == keys.end() ? static_cast<int>(key_unknown) : found->second;
}

int key_of_byte(unsigned char byte) {
    if (byte == '\r' || byte == '\n') return key_enter;
    if (byte >= 0x7f) return key_unknown;
    return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

/// Returns the length in bytes of a sequence "ESC [ ... letter" or "ESC O letter"; 0 if it is incomplete.
std::size_t size_of_sequence(const std::string& bytes) {
    if (bytes[1] == 'O') return bytes.size() > 2 ? 3 : 0;
    for (std::size_t i = 2; i < bytes.size(); ++i) {
        if (bytes[i] >= 0x40 && bytes[i] <= 0x7e) return i + 1;
    }
    return 0;
}

}  // namespace

std::vector<int> take_keys(std::string& bytes, bool all) {
    std::vector<int> keys;
    while (!bytes.empty()) {
        std::size_t size = 1;
        int key = key_of_byte(static_cast<unsigned char>(bytes[0]));
        if (bytes[0] == '\033') {
            const bool alone = bytes.size() == 1;
            const bool sequence = !alone && (bytes[1] == '[' || bytes[1] == 'O');
            size = alone ? 0 : sequence ? size_of_sequence(bytes) : 2;  // 2 bytes are a letter with Alt
            if (size == 0 && !all) break;
            key = alone ? static_cast<int>(key_escape) : key_unknown;
            if (size == 0) size = bytes.size();
            if (sequence) key = key_of_sequence(bytes.substr(2, size - 2));
        }
        keys.push_back(key);
        bytes.erase(0, size);
    }
    return keys;
}

}  // namespace course
