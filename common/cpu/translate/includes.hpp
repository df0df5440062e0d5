// Finds the headers that a file includes and that contain the user's CUDA code.
#pragma once

#include <string>
#include <vector>

#include "translate.hpp"
#include "unit.hpp"

namespace kit::translate {

/// A header that was read.
struct Header {
    Unit* unit;
    bool holds_cuda;  ///< whether the header, or one that it includes, contains CUDA code
};

/// Reads all headers that units[0] includes, directly or not, into `program`.
std::vector<Header> read_headers(Program& program, const Options& options);

/// Returns where the translation of a header is.
std::string copy_path(const Options& options, const std::string& header);

/// Changes the includes of `unit` to the translations of `headers`. A quoted name is relative to the original.
void rewrite_includes(Unit& unit, const std::vector<Header>& headers, const Options& options);

}  // namespace kit::translate
