// The counts of each launch, which --profile=FILE.json writes for tools.
#pragma once

#include <kit_cpu/profile.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Returns "load", "shared_store" and so on.
const char* name_of(RequestKind kind);

/// Returns a list of launches in their order, each with its kernel, its grid and block, whether a kernel has launched it (1), and its
/// lines: {"file", "line", "products", "multiplications", "barriers", "requests": [{"kind", "requests", "lanes", "units", "ideal", "used"}]} (RequestCounts).
std::string launches_as_json(const std::vector<KernelProfile>& launches);

}  // namespace kit::cpu
