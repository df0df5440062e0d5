#include "quoting.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "classroom.hpp"
#include "encoding.hpp"

namespace classroom {

namespace {

/// Markdown does not treat a "_" between two letters or digits as markup.
bool is_inside_word(const std::string& text, std::size_t at) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    return at > 0 && at + 1 < text.size() && is_part(text[at - 1]) && is_part(text[at + 1]);
}

}  // namespace

std::string as_utf8(const std::string& text) {
    std::string valid;
    for (const char c : to_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\r') continue;
        valid += (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f ? '?' : c;
    }
    return valid;
}

std::string as_html(const std::string& text) {
    std::string html;
    for (const char c : as_utf8(text)) {
        const char* entity = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '"'  ? "&quot;"
                             : c == '\'' ? "&#39;"
                                         : nullptr;
        if (entity)
            html += entity;
        else
            html += c;
    }
    return html;
}

std::string as_address(const course::fs::path& file) {
    std::string address = "file://";
    for (const char c : file.string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::string("/._-~").find(c) != std::string::npos) {
            address += c;
        } else {
            char escaped[4];
            std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
            address += escaped;
        }
    }
    return address;
}

std::string as_markdown(const std::string& text) {
    std::string markdown;
    const std::string line = course::on_one_line(as_utf8(text));
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (std::string("<>&").find(c) != std::string::npos) {
            markdown += as_html(std::string(1, c));
            continue;
        }
        const bool is_markup = std::string("\\`*_[]#!|~").find(c) != std::string::npos;
        if (is_markup && !(c == '_' && is_inside_word(line, at))) markdown += '\\';
        markdown += c;
    }
    // At the start of a line, these characters would begin a list or underline a heading.
    if (!markdown.empty() && std::string("-+=").find(markdown[0]) != std::string::npos)
        markdown.insert(0, "\\");
    return markdown;
}

std::string html_with_code(const std::string& sentence) {
    std::string html;
    bool is_code = false;
    for (std::size_t at = 0; at <= sentence.size(); is_code = !is_code) {
        const std::size_t end = std::min(sentence.find('`', at), sentence.size());
        const std::string part = as_html(sentence.substr(at, end - at));
        html += is_code ? "<code>" + part + "</code>" : part;
        at = end + 1;
    }
    return html;
}

std::string as_code_block(const std::string& text) {
    const std::string code = as_utf8(text);
    std::size_t longest = 2, run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    return fence + "text\n" + code + (code.empty() || code.back() == '\n' ? "" : "\n") + fence + "\n";
}

std::string as_csv(const std::string& text) {
    std::string field = as_utf8(text);
    const std::size_t first = field.find_first_not_of(" \n");
    if (first != std::string::npos && std::string("=+-@\t").find(field[first]) != std::string::npos)
        field.insert(0, "'");
    if (field.find_first_of(",\"\n") == std::string::npos) return field;
    return "\"" + course::replaced(field, "\"", "\"\"") + "\"";
}

std::string csv_line(const course::Lines& fields) {
    return course::joined(fields, ",") + "\r\n";
}

std::string as_number(double value) {
    const long long hundredths = std::llround(value * 100);
    const long long whole = std::llabs(hundredths) / 100, part = std::llabs(hundredths) % 100;
    std::string text = (hundredths < 0 ? "-" : "") + std::to_string(whole);
    if (part == 0) return text;
    text += "." + std::to_string(part / 10);
    return part % 10 == 0 ? text : text + std::to_string(part % 10);
}

std::string as_file_name(const std::string& id) {
    std::string name;
    for (const char c : as_utf8(id)) name += c == '/' || c == '\\' || c == '\n' || c == '\t' ? '_' : c;
    if (name.empty() || name[0] == '.') name.insert(0, "_");
    constexpr std::size_t most = 200;  // file systems allow 255 bytes, and an extension is added
    if (name.size() > most) {
        std::size_t end = most;
        while ((static_cast<unsigned char>(name[end]) & 0xc0u) == 0x80u) --end;
        name.resize(end);
    }
    return name == id ? name : name + "_" + name_of_content(id);
}

std::string counted(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace classroom
