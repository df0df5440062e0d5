// The tables of --profile.
#pragma once

#include <facts/profile.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// What requests cost more than they need to, and why: "32 sectors per request, 4 are enough: neighbours are 128 bytes apart". Empty if
/// they cost nothing more.
std::string cost_of(const facts::Requests& requests);

std::string table_of(const std::vector<facts::ProfiledKernel>& kernels);
/// Where the page lies.
std::string page_written(const std::string& path);
/// Kernels may have run, but nobody has looked at them.
std::string nothing_watched();

/// "line 12"; empty if it is not known.
std::string line_name(int line);

/// "stream 2", "the default stream", "a graph"
std::string stream_of(int stream);
/// Short: "copy in", "copy out", "fill", "host fn", or the kernel.
std::string name_of(const facts::Piece& piece);
/// "an event, line 12", "the default stream", "the host waited", "the graph"
std::string reason_of(const facts::Piece::After& after);
/// The steps of all, with a row for each stream, and below what waited for what. `width`: columns of text.
std::string drawing_of(const std::vector<facts::Piece>& timeline, std::size_t width);

}  // namespace kit::words
