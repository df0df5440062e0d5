// Finds the included headers that contain the user's CUDA code.
#pragma once

#include <string>
#include <vector>

#include "translate.hpp"
#include "unit.hpp"

namespace kit::translate {

/// A header that was read for translation.
struct Header {
    Unit* unit;
    bool holds_cuda;  ///< whether the header, or a header that it includes, contains CUDA code
};

/// Reads all headers that units[0] includes, directly or indirectly, into `program`.
std::vector<Header> read_headers(Program& program, const Options& options);

/// Returns the path of the file for the translation of a header.
std::string copy_path(const Options& options, const std::string& header);

/// Makes the #include directives of `unit` name the translations of `headers`. A name in quotes is relative
/// to the original file.
void rewrite_includes(Unit& unit, const std::vector<Header>& headers, const Options& options);

}  // namespace kit::translate
