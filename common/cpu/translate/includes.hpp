// Finds the headers that a file includes, as far as they are the user's and hold CUDA code.
#pragma once

#include <string>
#include <vector>

#include "translate.hpp"
#include "unit.hpp"

namespace kit::translate {

/// A header that was read.
struct Header {
    Unit* unit;
    bool holds_cuda;  ///< it, or one that it includes
};

/// Reads all headers that units[0] includes, directly or not, into `program`.
std::vector<Header> read_headers(Program& program, const Options& options);

/// Where the translation of a header is.
std::string copy_path(const Options& options, const std::string& header);

/// Lets the includes of `unit` name the translations of `headers`. A quoted name is relative to the original.
void rewrite_includes(Unit& unit, const std::vector<Header>& headers, const Options& options);

}  // namespace kit::translate
