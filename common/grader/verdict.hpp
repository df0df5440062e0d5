// The verdict of a graded run as data: one JSON file, which judge, scoreboard and all other tools read. KIT_VERDICT in the
// environment names it. Its form is told in common/course/verdict.hpp.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace kit::detail {

/// A JSON object or list, written member by member.
class Json {
  public:
    Json& member(const char* name, const std::string& text) { return raw(name, quoted(text)); }
    Json& member(const char* name, const char* text) { return raw(name, quoted(text)); }
    Json& member(const char* name, double number) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", number);
        return raw(name, text);
    }
    Json& member(const char* name, const std::vector<std::string>& texts) {
        std::string list;
        for (const std::string& text : texts) list += (list.empty() ? "" : ",") + quoted(text);
        return raw(name, "[" + list + "]");
    }
    Json& member(const char* name, const std::vector<int>& numbers) {
        std::string list;
        for (const int number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
        return raw(name, "[" + list + "]");
    }
    Json& member(const char* name, const std::vector<Json>& objects) {
        std::string list;
        for (const Json& object : objects) list += (list.empty() ? "\n " : ",\n ") + object.text();
        return raw(name, "[" + list + "]");
    }
    std::string text() const { return "{" + members_ + "}"; }

    /// Bytes that are no UTF-8 by themselves are replaced: the file must be valid, whatever a student's code prints.
    static std::string quoted(const std::string& text) {
        std::string quoted = "\"";
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", byte >= 0x80 ? '?' : byte);
            if (byte < 0x20 || byte >= 0x7f) {
                quoted += escaped;
            } else {
                if (c == '"' || c == '\\') quoted += '\\';
                quoted += c;
            }
        }
        return quoted + '"';
    }

  private:
    Json& raw(const char* name, const std::string& value) {
        members_ += (members_.empty() ? "" : ",") + quoted(name) + ":" + value;
        return *this;
    }
    std::string members_;
};

/// In one step, so that nobody reads half a verdict.
inline void write_verdict(const std::string& path, const Json& verdict) {
    const std::string part = path + ".part", text = verdict.text() + "\n";
    std::FILE* file = std::fopen(part.c_str(), "w");
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (!file || std::fclose(file) != 0 || !written || std::rename(part.c_str(), path.c_str()) != 0)
        std::fprintf(stderr, "%s: the verdict cannot be written there\n", path.c_str());
}

}  // namespace kit::detail
