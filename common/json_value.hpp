// Reads JSON: verdicts of graded programs, and findings of the executor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kit {

/// A value, with everything in it. One that comes from a strange program can be of any kind, so the kind is asked for first.
struct JsonValue {
    enum Kind { null, boolean, number, text, list, object };

    Kind kind = null;
    double amount = 0;               ///< of a number; 1: true
    std::string words;               ///< of a text, in UTF-8
    std::vector<JsonValue> values;   ///< of a list or an object
    std::vector<std::string> names;  ///< of the values of an object

    /// The object's value of this name, the last one if there are several; null if there is none.
    const JsonValue* find(std::string_view name) const;
};

/// Nothing if the text is not JSON, or is nested too deeply.
std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace kit
