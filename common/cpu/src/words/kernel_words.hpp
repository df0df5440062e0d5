// The sentences about what a thread of a kernel does that it must not, accesses and waiting aside: calls of the runtime, faults
// of the machine, requests that no device can meet. `thread` is the whole name of the running one.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

#include "finding.hpp"

namespace kit::cpu {

// ---- clusters ----
std::string held_by_no_block(const std::string& thread, const Spot& at);
std::string no_such_block(const std::string& thread, const Spot& at, int rank, std::size_t blocks);

// ---- the runtime of the device ----
std::string stream_of_another_grid(const std::string& thread, const std::string& creator, const Spot& at);
/// `memory` is what only the launching block or thread can reach.
std::string private_argument(const std::string& thread, const std::string& child, const Spot& at,
                             const std::string& memory, unsigned number);
std::string private_copy(const std::string& thread, const std::string& function, const Spot& at,
                         const std::string& memory);
/// A launch by a kernel of a conditional node's body, or of a graph for the device.
std::string no_children_here(const std::string& thread, const Spot& at, bool in_body);
std::string wrong_free(const std::string& thread, const std::string& function, const Spot& at,
                       const std::string& why);
std::string not_by_pointer(const std::string& kernel, const std::string& parameter, Place place);

// ---- memory that is not there ----
std::string no_stacks(unsigned threads);
std::string too_much_shared(const std::string& variable, std::size_t bytes);
std::string wrote_past_end(const std::string& kernel, const std::string& variable, const std::string& block);

// ---- faults ----
std::string trapped(const std::string& thread, const Spot& at);
std::string assertion_failed(const std::string& expression, const Spot& at, const std::string& thread);
std::string divided_by_zero(const std::string& thread, const Spot& at);
std::string illegal_instruction(const std::string& thread, const Spot& at);
std::string out_of_stack(const std::string& thread, const Spot& at);
/// `near` says what lies there; empty if it is nothing.
std::string bad_address(const std::string& thread, const void* address, const std::string& near,
                        const Spot& at);
std::string was_at(const std::string& thread, const Spot& at);
std::string touched_by_host(Place place, const std::string& memory);

}  // namespace kit::cpu
