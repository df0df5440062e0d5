// Writes the verdict of a run as a JSON file, which the judge, the scoreboard and other tools read. The
// environment variable KIT_VERDICT names the file. common/facts/verdict.hpp describes its form.
#pragma once

#include <cstdio>
#include <json.hpp>
#include <string>

namespace kit::detail {

/// Replaces the file atomically, so that a reader never sees an incomplete verdict.
inline void write_verdict(const std::string& path, const std::string& verdict) {
    const std::string part = path + ".part", text = verdict + "\n";
    std::FILE* file = std::fopen(part.c_str(), "w");
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (!file || std::fclose(file) != 0 || !written || std::rename(part.c_str(), path.c_str()) != 0)
        std::fprintf(stderr, "%s: the verdict cannot be written there\n", path.c_str());
}

}  // namespace kit::detail
