#include "encoding.hpp"

#include "text.hpp"

namespace classroom {

namespace {

/// How many bytes the UTF-8 character has that the text begins with; 0: it begins with none.
std::size_t length_of_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    // Longer than need be, surrogates, beyond the last character.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
        (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))
        return 0;
    return length;
}

}  // namespace

std::string to_utf8(std::string_view text) {
    bool is_utf8 = true;
    for (std::size_t i = 0; is_utf8 && i < text.size();) {
        const std::size_t length = length_of_character(text.substr(i));
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
        const std::size_t length = length_of_character(std::string_view(whole).substr(i));
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
