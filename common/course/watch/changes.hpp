// Detects which files were saved. The operating system reports this (inotify), so no polling is needed.
//
// Editors save in two ways: they overwrite the file, or they write a new file and rename it. So this class
// watches the folder and compares the names of files.
#pragma once

#include <map>
#include <set>

#include "text.hpp"

namespace course {

/// Returns the file, and the headers in its folder that it includes with quotes, directly or indirectly. If
/// the file is a link, the result also contains the target.
std::set<fs::path> files_of(const fs::path& source);

class Changes {
  public:
    Changes();
    Changes(const Changes&) = delete;
    ~Changes();

    int descriptor() const { return file_; }

    /// Watches only these files from now on. Throws Error if a folder of theirs cannot be watched.
    void watch(const std::set<fs::path>& files);

    /// What has happened: the files that were saved, and the folders that were removed or moved.
    struct Seen {
        std::vector<fs::path> saved;  ///< in the order of the saves
        std::set<fs::path> gone;
    };
    /// Reads all events that have occurred. If the system has lost events, all files count as saved.
    Seen read();

    /// Returns why inotify has failed, and what the user can do.
    static std::string why_not(int error, const fs::path& folder);

  private:
    int file_;
    std::set<fs::path> files_;
    std::map<int, fs::path> folders_;
};

}  // namespace course
