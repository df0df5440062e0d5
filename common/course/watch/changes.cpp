#include "watch/changes.hpp"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace course {

namespace {

void add_files_of(const fs::path& file, std::set<fs::path>& files) {
    std::error_code none;
    if (!fs::is_regular_file(file, none) || !files.insert(file.lexically_normal()).second) return;
    const fs::path real = fs::canonical(file, none);
    if (!real.empty()) files.insert(real);
    for (const std::string& line : lines_of(read_text_if_there(file))) {
        const Lines included = match(line, "^ *# *include *\"([^\"]+)\"");
        if (!included.empty()) add_files_of(file.parent_path() / included[1], files);
    }
}

}  // namespace

std::set<fs::path> files_of(const fs::path& source) {
    std::set<fs::path> files;
    add_files_of(source, files);
    files.insert(source.lexically_normal());  // the file need not exist yet
    return files;
}

Changes::Changes() : file_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (file_ < 0) throw Error(why_not(errno, ""));
}

Changes::~Changes() {
    close(file_);
}

std::string Changes::why_not(int error, const fs::path& folder) {
    if (error == ENOSPC || error == EMFILE) {
        const std::string limit = error == ENOSPC ? "max_user_watches" : "max_user_instances";
        return "no more files can be watched: the system's limit fs.inotify." + limit +
               " is reached. End a program that watches many files, or raise it: sudo sysctl fs.inotify." +
               limit + "=" + (error == ENOSPC ? "524288" : "512");
    }
    return (folder.empty() ? "files" : folder.string()) + " cannot be watched: " + strerror(error);
}

void Changes::watch(const std::set<fs::path>& files) {
    files_ = files;
    std::map<int, fs::path> before;
    before.swap(folders_);
    std::set<fs::path> folders;
    for (const fs::path& file : files) folders.insert(file.parent_path());
    for (const fs::path& folder : folders) {
        const int id = inotify_add_watch(
            file_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
        if (id < 0) throw Error(why_not(errno, folder));
        folders_[id] = folder;
    }
    for (const auto& [id, folder] : before) {
        if (!folders_.count(id)) inotify_rm_watch(file_, id);
    }
}

Changes::Seen Changes::read() {
    Seen seen;
    alignas(inotify_event) char bytes[1 << 14];
    for (ssize_t count; (count = ::read(file_, bytes, sizeof bytes)) > 0;) {
        for (ssize_t at = 0; at < count;) {
            const inotify_event& event = *reinterpret_cast<const inotify_event*>(bytes + at);
            at += static_cast<ssize_t>(sizeof event + event.len);
            const auto folder = folders_.find(event.wd);
            if (event.mask & IN_Q_OVERFLOW) seen.saved.insert(seen.saved.end(), files_.begin(), files_.end());
            if (folder == folders_.end()) continue;
            if (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) seen.gone.insert(folder->second);
            if (event.len > 0 && files_.count(folder->second / event.name))
                seen.saved.push_back(folder->second / event.name);
        }
    }
    return seen;
}

}  // namespace course
