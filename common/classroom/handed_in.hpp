// Reads the files that one student handed in, from an untrusted folder or archive. It unpacks nothing, follows no link, accepts no name
// that leads out of the folder, and limits everything that it reads. Each problem becomes a sentence.
#pragma once

#include <ctime>
#include <map>
#include <string>

#include "text.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Lines;

struct Limits {
    std::size_t members = 20000;      ///< files and folders of one student
    std::size_t unpacked = 1u << 30;  ///< bytes of one archive when unpacked
    std::size_t sources = 64u << 20;  ///< bytes of all .cu files of one student
    std::size_t file = 1u << 20;      ///< bytes of one .cu file
    std::size_t remarks = 20;         ///< sentences about one student
};

struct File {
    std::string text;      ///< content of a .cu file, unchanged; empty for every other file
    std::time_t time = 0;  ///< time of its last change, from its folder or archive
};

struct HandedIn {
    /// By path, in UTF-8, with "/" between the parts, without "." or "..": "exercises/07_reduction/tree.cu".
    std::map<std::string, File> files;
    Lines remarks;
    bool is_archive = false;  ///< whether it could be opened as an archive
};

/// Returns the files of a folder. If it has no .cu file but one archive, returns those of the archive. Omits hidden files.
HandedIn read_folder(const fs::path& folder, const Limits& limits);

/// Returns the files of a zip or tar archive (also .tar.gz, .tar.bz2, .tar.xz), whatever its name is.
HandedIn read_archive(const fs::path& archive, const Limits& limits);

/// Returns the name without the ending of an archive; the name itself if it has no such ending.
std::string without_archive_ending(const std::string& name);

}  // namespace classroom
