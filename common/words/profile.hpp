// The sentences and tables of --profile.
#pragma once

#include <facts/profile.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// Returns how much more requests cost than they need to, and why: "32 sectors per request, 4 are enough: neighbours are 128 bytes apart".
/// Returns an empty text if they cost no more.
std::string cost_of(const facts::Requests& requests);

std::string table_of(const std::vector<facts::ProfiledKernel>& kernels);
/// Reports where the page was written.
std::string page_written(const std::string& path);
/// Reports that kernels may have run, but that none was observed.
std::string nothing_watched();

/// Returns "line 12"; empty if the line is unknown.
std::string line_name(int line);

/// Returns "stream 2", "the default stream" or "a graph".
std::string stream_of(int stream);
/// Returns a short name: "copy in", "copy out", "fill", "host fn", or the kernel.
std::string name_of(const facts::Piece& piece);
/// Returns "an event, line 12", "the default stream", "the host waited" or "the graph".
std::string reason_of(const facts::Piece::After& after);
/// Draws the steps of all pieces, with a row for each stream, and below it which piece waited for which. `width`: columns of text.
std::string drawing_of(const std::vector<facts::Piece>& timeline, std::size_t width);

}  // namespace kit::words
