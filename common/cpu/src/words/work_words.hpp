// Pieces of queued work by their names.
#pragma once

#include <kit_cpu/timeline.hpp>
#include <string>

namespace kit::cpu {

/// "stream 2", "the default stream", "a graph"
std::string stream_in_words(const WorkLabel& label);

/// Short: "copy in", "copy out", "fill", "host fn", or the kernel.
std::string name_in_words(const WorkLabel& label);

/// What made it wait: "an event, line 12", "the default stream", "the host waited", "the graph"
std::string reason_in_words(const CameAfter& after);

/// "`produce`, launched at line 52 into stream 1"
std::string work_in_words(const WorkLabel& label);

/// Both, of which neither waits for the other, in the order in which they were queued.
std::string work_in_words(const WorkLabel& first, const WorkLabel& second);

/// "a host function", who does something in one
std::string host_function_in_words();

}  // namespace kit::cpu
