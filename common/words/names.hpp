// The words that sentences use for lines, threads, memory and numbers. The comments show examples of the results.
#pragma once

#include <facts/finding.hpp>
#include <string>

namespace kit::words {

/// Returns a number or text of the finding; 0 or empty if it has none with this name.
double number_in(const facts::Finding& finding, const std::string& name);
std::string text_in(const facts::Finding& finding, const std::string& name);

/// "1 byte", "12 bytes": `unit` is the plural.
std::string count_of(double count, const std::string& unit);
/// "12", "0.5"
std::string number_of(double number);
/// "0x0000ffff"
std::string mask_of(std::uint32_t lanes);
/// "0x7f12a000"
std::string address_of(double address);
/// "(5,0,0)"
std::string text_of(const facts::Index& index);

/// "line 31 of tree.cu: `sum += tile[i];`", and ", called from line 57 of tree.cu: `v = block_sum(v);`" if the caller is known.
std::string text_of(const facts::Line& line);
std::string text_of(const facts::Where& where);

/// "thread (5,0,0) of block (2,0,0) of `tree`", "host code", "cudaMemcpyAsync"
std::string text_of(const facts::Who& who);

/// "`in[258]`, 4 bytes after the end of `in` (1028 bytes)", "the 64 bytes allocated by cudaMalloc #1 (tree.cu:41)"
std::string text_of(const facts::Memory& memory);

/// "`produce`, launched at line 52 into stream 1"
std::string text_of(const facts::Queued& work);

/// Returns "tree.cu" for "solutions/07_reduction/tree.cu".
std::string without_folder(const std::string& path);

}  // namespace kit::words
