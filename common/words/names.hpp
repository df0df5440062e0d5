// Words for lines, threads, memory and numbers in sentences. The comments show examples of the results.
#pragma once

#include <facts/finding.hpp>
#include <string>

namespace kit::words {

/// These functions return a number or a text of the finding; 0 or an empty text if there is no value with
/// this name.
double number_in(const facts::Finding& finding, const std::string& name);
std::string text_in(const facts::Finding& finding, const std::string& name);

/// For example "1 byte" or "12 bytes". `unit` is the plural.
std::string count_of(double count, const std::string& unit);
/// For example "12" or "0.5".
std::string number_of(double number);
/// For example "0x0000ffff".
std::string mask_of(std::uint32_t lanes);
/// For example "0x7f12a000".
std::string address_of(double address);
/// For example "(5,0,0)".
std::string text_of(const facts::Index& index);

/// For example "line 31 of tree.cu: `sum += tile[i];`", followed by ", called from line 57 of tree.cu: `v =
/// block_sum(v);`" if the caller is known.
std::string text_of(const facts::Line& line);
std::string text_of(const facts::Where& where);

/// For example "thread (5,0,0) of block (2,0,0) of `tree`", "host code" or "cudaMemcpyAsync".
std::string text_of(const facts::Who& who);

/// For example "`in[258]`, 4 bytes after the end of `in` (1028 bytes)" or "the 64 bytes allocated by
/// cudaMalloc #1 (tree.cu:41)".
std::string text_of(const facts::Memory& memory);

/// For example "`produce`, launched at line 52 into stream 1".
std::string text_of(const facts::Queued& work);

/// Returns the name of a file without its folder: "tree.cu" for "solutions/07_reduction/tree.cu".
std::string without_folder(const std::string& path);

}  // namespace kit::words
