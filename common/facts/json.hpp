// Findings as JSON. Members that are empty, 0 or false are left out.
#pragma once

#include <facts/finding.hpp>
#include <json_value.hpp>
#include <optional>
#include <string>

namespace kit::facts {

std::string to_json(const Finding& finding);

/// Nothing if this is no finding, or one of a rule that does not exist.
std::optional<Finding> finding_from(const JsonValue& json);
std::optional<Finding> finding_from(const std::string& json);

}  // namespace kit::facts
