// Reads JSON: verdicts of graded programs, and findings of the executor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kit {

/// A JSON value. A value from an untrusted program can be of any kind, so check `kind` first.
struct JsonValue {
    enum Kind { null, boolean, number, text, list, object };

    Kind kind = null;
    double amount = 0;               ///< value of a number; 1 for true
    std::string words;               ///< contents of a text, in UTF-8
    std::vector<JsonValue> values;   ///< elements of a list, or values of an object
    std::vector<std::string> names;  ///< names of an object's values

    /// Returns the value with this name; if there are several, the last one; null if there is none.
    const JsonValue* find(std::string_view name) const;
};

/// Parses a text. Returns nothing if the text is not JSON, or is nested too deeply.
std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace kit
