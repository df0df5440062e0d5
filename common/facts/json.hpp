// Converts findings, outcomes of cases and verdicts to JSON and back. Members that are empty, 0 or false are
// left out.
#pragma once

#include <facts/verdict.hpp>
#include <json_value.hpp>
#include <optional>
#include <string>

namespace kit::facts {

std::string to_json(const Finding& finding);
std::string to_json(const Failure& failure);
std::string to_json(const Outcome& outcome);
std::string to_json(const Verdict& verdict);

// The following functions return nothing if the text does not contain such a structure.

/// Also returns nothing for an unknown kind of finding.
std::optional<Finding> finding_from(const JsonValue& json);
std::optional<Finding> finding_from(const std::string& json);

/// Removes findings of an unknown kind from the outcome.
std::optional<Outcome> outcome_from(const std::string& json);
std::optional<Verdict> verdict_from(const std::string& json);

}  // namespace kit::facts
