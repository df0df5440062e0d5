// The sentences about calls of the runtime that nobody may make, or not here.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// `what`: the function, or one of these.
Finding not_offered(const std::string& what, Place place);
constexpr const char* copy_of_array = "a copy of a cudaArray";
constexpr const char* node_of_this_type = "a node of this type";

// ---- by a kernel; `thread` is the whole name of the running one ----
std::string host_function_in_kernel();
std::string waits_for_children(const std::string& thread, const std::string& function, Place place);

}  // namespace kit::cpu
