#include "encoding.hpp"

#include <utf8.hpp>

#include "text.hpp"

namespace classroom {

std::string to_utf8(std::string_view text) {
    bool is_utf8 = true;
    for (std::size_t i = 0; is_utf8 && i < text.size();) {
        const std::size_t length = kit::length_of_character(text.substr(i));
        is_utf8 = length > 0;
        i += length;
    }
    if (is_utf8) return std::string(text);
    std::string converted;
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            converted += c;
        } else {
            converted += static_cast<char>(0xc0 | (byte >> 6));
            converted += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return converted;
}

std::string graded_text(std::string_view text) {
    if (course::begins_with(text, "\xef\xbb\xbf")) text.remove_prefix(3);
    return course::text_of(course::lines_of(to_utf8(text)));
}

std::string shown_name(std::string_view name) {
    const std::string whole = to_utf8(name);
    std::string shown;
    for (std::size_t i = 0; i < whole.size();) {
        const std::size_t length = kit::length_of_character(std::string_view(whole).substr(i));
        if (shown.size() + length > 100) return shown + "...";
        const unsigned char byte = static_cast<unsigned char>(whole[i]);
        if (byte < 0x20 || byte == 0x7f || (byte == 0xc2 && static_cast<unsigned char>(whole[i + 1]) < 0xa0))
            shown += '?';
        else
            shown += whole.substr(i, length);
        i += length;
    }
    return shown;
}

std::string in_small_letters(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

}  // namespace classroom
