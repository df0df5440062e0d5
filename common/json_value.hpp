// Reads JSON: verdicts of graded programs, and findings of the executor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kit {

/// A JSON value with its content. A value from an unknown program can be of any kind, so check the kind first.
struct JsonValue {
    enum Kind { null, boolean, number, text, list, object };

    Kind kind = null;
    double amount = 0;               ///< value of a number; 1 for true
    std::string words;               ///< content of a text, in UTF-8
    std::vector<JsonValue> values;   ///< values of a list or an object
    std::vector<std::string> names;  ///< names of the values of an object

    /// Returns the value with this name, the last one if there are several; null if there is none.
    const JsonValue* find(std::string_view name) const;
};

/// Returns nothing if the text is not JSON, or is nested too deeply.
std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace kit
