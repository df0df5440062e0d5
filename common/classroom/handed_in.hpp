// What one student handed in, read from a folder or an archive of a stranger: nothing is unpacked, no link is followed, no name
// leads out of it, and nothing is read without a limit. What is not as it should be becomes a sentence.
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
    std::size_t unpacked = 1u << 30;  ///< bytes that one archive may have when unpacked
    std::size_t sources = 64u << 20;  ///< bytes of all .cu files of one student
    std::size_t file = 1u << 20;      ///< bytes of one .cu file
    std::size_t remarks = 20;         ///< sentences about one student
};

struct File {
    std::string text;      ///< of a .cu file, as it was handed in; empty for every other file
    std::time_t time = 0;  ///< when it was changed, as its folder or archive says
};

struct HandedIn {
    /// By path, in UTF-8, with "/" between the parts, without "." or "..": "exercises/07_reduction/tree.cu".
    std::map<std::string, File> files;
    Lines remarks;
    bool is_archive = false;  ///< it could be opened as one
};

/// The files of a folder; where it holds no .cu file but one archive, those of the archive. Hidden files are left out.
HandedIn read_folder(const fs::path& folder, const Limits& limits);

/// The files of a zip or tar archive (also .tar.gz, .tar.bz2, .tar.xz), whatever it is called.
HandedIn read_archive(const fs::path& archive, const Limits& limits);

/// The name without the ending of an archive; the name itself if it has none.
std::string without_archive_ending(const std::string& name);

}  // namespace classroom
