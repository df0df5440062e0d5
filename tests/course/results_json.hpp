// JSON as a tree that knows the type of each value and keeps numbers as they are written.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace course {

struct Json {
    enum class Kind { null, boolean, number, text, list, object };

    Kind kind = Kind::null;
    std::string text;                                   ///< the number as written, true, false, or the text
    std::vector<std::pair<std::string, Json>> members;  ///< of an object; of a list too, without names

    /// The member of that name, or null.
    const Json* find(const std::string& name) const;

    bool is_text() const { return kind == Kind::text; }
    bool is_number() const { return kind == Kind::number; }
    bool is_boolean() const { return kind == Kind::boolean; }
    /// Is the member of that name a text, and this one?
    bool says(const std::string& name, const std::string& words) const;
    double number() const { return std::strtod(text.c_str(), nullptr); }
};

/// What is wrong with a text that should be JSON, with the line.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws JsonError. An empty list and an empty object look alike: a list without members.
Json parse_json(const std::string& text);

}  // namespace course
