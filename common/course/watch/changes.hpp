// Detects which files were saved. The operating system reports it (inotify), without polling.
//
// Editors save in two ways: they overwrite the file, or they write a new one and rename it. So this class watches the folder and compares
// names.
#pragma once

#include <map>
#include <set>

#include "text.hpp"

namespace course {

/// Returns the file, and the headers that it includes as "..." from its folder, directly or not; of a link also where it leads.
std::set<fs::path> files_of(const fs::path& source);

class Changes {
  public:
    Changes();
    Changes(const Changes&) = delete;
    ~Changes();

    int descriptor() const { return file_; }

    /// Watches these files, and no others, from now on. Throws Error if their folder cannot be watched.
    void watch(const std::set<fs::path>& files);

    enum class Seen { nothing, saved, folder_gone };
    /// Takes all events that have happened.
    Seen read();

    /// Returns why inotify refuses, and what to do.
    static std::string why_not(int error, const fs::path& folder);

  private:
    int file_;
    std::set<fs::path> files_;
    std::map<int, fs::path> folders_;
};

}  // namespace course
