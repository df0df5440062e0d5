// Sentences and tables of --profile.
#pragma once

#include <facts/profile.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// Returns how much more requests cost than necessary, and why: "32 sectors per request, 4 are enough:
/// neighbours are 128 bytes apart". Empty if the requests do not cost more than necessary.
std::string cost_of(const facts::Requests& requests);

std::string table_of(const std::vector<facts::ProfiledKernel>& kernels);
/// Returns the message that says where the page was written.
std::string page_written(const std::string& path);
/// Returns the message for a run in which kernels may have run, but none was observed.
std::string nothing_watched();

/// Returns a line as text, such as "line 12"; empty if the line is unknown.
std::string line_name(int line);

/// Returns a stream as text: "stream 2", "the default stream" or "a graph".
std::string stream_of(int stream);
/// Returns a short name of a piece of work: "copy in", "copy out", "fill", "host fn", or the name of the
/// kernel.
std::string name_of(const facts::Piece& piece);
/// Returns why a piece waited: "an event, line 12", "the default stream", "the host waited" or "the graph".
std::string reason_of(const facts::Piece::After& after);
/// Returns a drawing of the steps of all pieces, with a row for each stream, and a list of which piece waited
/// for which. `width`: text columns.
std::string drawing_of(const std::vector<facts::Piece>& timeline, std::size_t width);

}  // namespace kit::words
