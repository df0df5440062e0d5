// Findings, outcomes of cases and verdicts as JSON. Members that are empty, 0 or false are left out.
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

// These functions return nothing if the text is not such a structure.

/// Returns nothing for an unknown kind of finding as well.
std::optional<Finding> finding_from(const JsonValue& json);
std::optional<Finding> finding_from(const std::string& json);

/// Drops findings of an unknown kind.
std::optional<Outcome> outcome_from(const std::string& json);
std::optional<Verdict> verdict_from(const std::string& json);

}  // namespace kit::facts
