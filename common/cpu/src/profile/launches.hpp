// The counts of each launch. --profile=FILE.json writes them for tools.
#pragma once

#include <kit_cpu/profile.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Returns the name of a kind of request in JSON: "load", "shared_store" and so on.
const char* name_of(RequestKind kind);

/// Returns the launches in order. Each has its kernel, its grid and block, whether a kernel launched it (1),
/// and its lines: {"file", "line", "products", "multiplications", "barriers", "requests": [{"kind", "requests", "lanes", "units", "ideal",
/// "used"}]} (see RequestCounts).
std::string launches_as_json(const std::vector<KernelProfile>& launches);

}  // namespace kit::cpu
