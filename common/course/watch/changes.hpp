// Which files were saved. The operating system reports it (inotify), without polling.
//
// Editors save in two ways: they write the file, or they write a new one and rename it. So the folder is watched, and
// names are compared.
#pragma once

#include <map>
#include <set>

#include "text.hpp"

namespace course {

/// The file, and the headers that it includes as "..." from its folder, directly or not; of a link also where it leads.
std::set<fs::path> files_of(const fs::path& source);

class Changes {
  public:
    Changes();
    Changes(const Changes&) = delete;
    ~Changes();

    int descriptor() const { return file_; }

    /// From now on these files, and no others. Throws Error where their folder cannot be watched.
    void watch(const std::set<fs::path>& files);

    enum class Seen { nothing, saved, folder_gone };
    /// Takes all that has happened.
    Seen read();

    /// Why inotify refuses, and what to do.
    static std::string why_not(int error, const fs::path& folder);

  private:
    int file_;
    std::set<fs::path> files_;
    std::map<int, fs::path> folders_;
};

}  // namespace course
