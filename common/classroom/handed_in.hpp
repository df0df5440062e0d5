// Reads the files that one student has handed in, from an untrusted folder or archive. The reader unpacks
// nothing to disk, follows no links, accepts no names that lead out of the folder, and limits everything that
// it reads. Each problem is reported as a sentence.
#pragma once

#include <ctime>
#include <map>
#include <string>

#include "text.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Lines;

struct Limits {
    std::size_t members = 20000;      ///< maximum number of files and folders of one student
    std::size_t unpacked = 1u << 30;  ///< maximum size of one unpacked archive in bytes
    std::size_t sources = 64u << 20;  ///< maximum size of all .cu files of one student in bytes
    std::size_t file = 1u << 20;      ///< maximum size of one .cu file in bytes
    std::size_t remarks = 20;         ///< maximum number of remarks about one student
};

struct File {
    std::string text;      ///< contents of a .cu or .answer file, unchanged; empty for other files
    std::time_t time = 0;  ///< time of the last change, from the folder or the archive
};

struct HandedIn {
    /// Files by path. Paths are in UTF-8, with "/" as separator and without "." or "..", for example
    /// "exercises/07_reduction/tree.cu".
    std::map<std::string, File> files;
    Lines remarks;
    bool is_archive = false;  ///< whether the file could be opened as an archive
};

/// Returns the files of a folder. For a folder with no .cu file and one archive, returns the files of the
/// archive. Hidden files are left out.
HandedIn read_folder(const fs::path& folder, const Limits& limits);

/// Returns the files of a zip or tar archive (also .tar.gz, .tar.bz2 and .tar.xz), whatever its name is.
HandedIn read_archive(const fs::path& archive, const Limits& limits);

/// Returns the name without the extension of an archive; unchanged if it has none.
std::string without_archive_ending(const std::string& name);

}  // namespace classroom
