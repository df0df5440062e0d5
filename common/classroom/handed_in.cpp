#include "handed_in.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "encoding.hpp"

namespace classroom {

using course::ends_with;
using course::sentence;

namespace {

struct Descriptor {
    int number = -1;
    explicit Descriptor(int number) : number(number) {}
    Descriptor(Descriptor&& other) : number(std::exchange(other.number, -1)) {}
    ~Descriptor() {
        if (number >= 0) close(number);
    }
};

/// Makes this thread read names in archives as UTF-8 during the lifetime of the object, whatever the locale
/// of the process is.
class InUtf8 {
  public:
    InUtf8() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (locale_) before_ = uselocale(locale_);
    }
    InUtf8(const InUtf8&) = delete;
    ~InUtf8() {
        if (!locale_) return;
        uselocale(before_);
        freelocale(locale_);
    }

  private:
    locale_t locale_, before_ = nullptr;
};

bool is_source(const std::string& path) {
    return ends_with(path, ".cu");
}

/// Returns whether the text of this file is read: a source, or the answer to a bug hunt.
bool is_read(const std::string& path) {
    return is_source(path) || ends_with(path, ".answer");
}

/// Returns whether this is the name of a file of an editor, an operating system or version control, which
/// students do not submit on purpose.
bool is_hidden(const std::string& name) {
    return name[0] == '.' || name == "__MACOSX";
}

std::string in_megabytes(std::size_t bytes) {
    return bytes < (1u << 20) ? sentence(bytes, " bytes") : sentence(bytes >> 20, " MB");
}

/// The submission that is being read, and how much of it has been read.
struct Reading {
    const Limits& limits;
    HandedIn found;
    std::size_t members = 0, sources = 0, silent = 0;
    std::vector<std::pair<std::string, Descriptor>>
        archives;  ///< archives in a folder, with their names; they stay open

    explicit Reading(const Limits& limits) : limits(limits) {}

    template <class... Parts>
    void remark(const Parts&... parts) {
        if (found.remarks.size() < limits.remarks)
            found.remarks.push_back(sentence(parts...));
        else
            ++silent;
    }
    bool one_more_member() {
        if (++members <= limits.members) return true;
        if (members == limits.members + 1)
            remark("has more than ", limits.members, " files: the others are not graded");
        return false;
    }
    /// Returns whether a .cu file of this size is within the limits. If not, adds a remark.
    bool has_room_for(std::size_t size, const std::string& path) {
        if (size > limits.file) {
            remark(shown_name(path), " is not graded: it is larger than ", in_megabytes(limits.file));
            return false;
        }
        if (sources + size > limits.sources) {
            remark(shown_name(path), " is not graded: all .cu files together are larger than ",
                   in_megabytes(limits.sources));
            return false;
        }
        return true;
    }
    void keep(const std::string& path, File file) {
        sources += file.text.size();
        const auto [place, is_new] = found.files.try_emplace(path);
        if (!is_new) remark(shown_name(path), " occurs twice: the last one is graded");
        place->second = std::move(file);
    }
    HandedIn done() {
        if (silent > 0) found.remarks.push_back(sentence("and ", silent, " more of such remarks"));
        return std::move(found);
    }
};

/// Returns the contents of the file, but at most one byte more than the limit.
std::string read_at_most(int descriptor, std::size_t limit) {
    std::string text;
    char bytes[1 << 14];
    for (ssize_t count; text.size() <= limit && (count = read(descriptor, bytes, sizeof bytes)) > 0;)
        text.append(bytes, static_cast<std::size_t>(count));
    return text;
}

/// Opens a file. Does not follow a link, and does not wait for a process that writes to a pipe.
int open_safely(int folder, const char* name, int flags) {
    return openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags);
}

const int deepest = 24;

void read_folder(Reading& reading, Descriptor folder, const std::string& above, int depth) {
    DIR* listing = fdopendir(folder.number);
    if (!listing) return;
    folder.number = -1;  // closedir() will close it
    std::vector<std::string> names;
    while (const dirent* entry = readdir(listing)) {
        if (is_hidden(entry->d_name)) continue;
        if (!reading.one_more_member()) break;
        names.push_back(entry->d_name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        const std::string path = above + to_utf8(name);
        struct stat seen;
        if (fstatat(dirfd(listing), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISLNK(seen.st_mode)) {
            reading.remark(shown_name(path), " is a symbolic link, which is not followed");
            continue;
        }
        if (!S_ISDIR(seen.st_mode) && !S_ISREG(seen.st_mode)) {
            reading.remark(shown_name(path), " is skipped: it is neither a file nor a folder");
            continue;
        }
        const bool is_folder = S_ISDIR(seen.st_mode);
        Descriptor opened(open_safely(dirfd(listing), name.c_str(), is_folder ? O_DIRECTORY : 0));
        // Check the type again, because the file may have been replaced since the first check.
        if (opened.number < 0 || fstat(opened.number, &seen) != 0 || S_ISDIR(seen.st_mode) != is_folder ||
            (!is_folder && !S_ISREG(seen.st_mode))) {
            reading.remark(shown_name(path), " cannot be read");
        } else if (is_folder && depth == deepest) {
            reading.remark(shown_name(path), " is skipped: it is inside too many folders");
        } else if (is_folder) {
            read_folder(reading, std::move(opened), path + "/", depth + 1);
        } else if (!is_read(path)) {
            const bool is_named_so = without_archive_ending(path) != path;
            reading.keep(path, {"", seen.st_mtime});
            if ((is_named_so || reading.found.files.size() == 1) && reading.archives.size() < 10)
                reading.archives.emplace_back(path, std::move(opened));
        } else {
            std::string text = read_at_most(opened.number, reading.limits.file);
            if (reading.has_room_for(text.size(), path)) reading.keep(path, {std::move(text), seen.st_mtime});
        }
    }
    closedir(listing);
}

/// Returns the path to store; empty if it leads out of the archive.
std::string safe_path(const std::string& name) {
    if (name.empty() || name[0] == '/' || (name.size() > 1 && name[1] == ':')) return "";
    std::string safe;
    for (const fs::path& part : fs::path(name)) {
        if (part == "..") return "";
        if (part == "." || part.empty()) continue;
        safe += (safe.empty() ? "" : "/") + part.string();
    }
    return safe;
}

bool has_hidden_part(const std::string& path) {
    const fs::path parts(path);
    return std::any_of(parts.begin(), parts.end(), [](const fs::path& p) { return is_hidden(p.string()); });
}

/// Reads the contents of the current member. Stores the text only up to the limit, but counts all of it.
/// Returns false if the member is damaged.
bool read_member(archive* from, Reading& reading, bool keep, std::size_t& unpacked, std::string& text) {
    const void* data = nullptr;
    std::size_t size = 0;
    for (la_int64_t place = 0;;) {
        const int status = archive_read_data_block(from, &data, &size, &place);
        if (status == ARCHIVE_EOF) return true;
        if (status != ARCHIVE_OK || place < 0) return false;
        unpacked += size;
        if (unpacked > reading.limits.unpacked) return true;
        const std::size_t end = std::min(static_cast<std::size_t>(place) + size, reading.limits.file + 1);
        if (!keep || text.size() >= end) continue;
        text.resize(std::min<std::size_t>(static_cast<std::size_t>(place), end));
        text.append(static_cast<const char*>(data), end - text.size());
    }
}

void read_members(Reading& reading, const Descriptor& file, const std::string& name) {
    const InUtf8 names_in_utf8;
    const std::unique_ptr<archive, int (*)(archive*)> from(archive_read_new(), archive_read_free);
    archive_read_support_format_zip(from.get());
    archive_read_support_format_tar(from.get());
    archive_read_support_filter_gzip(from.get());
    archive_read_support_filter_bzip2(from.get());
    archive_read_support_filter_xz(from.get());
    const bool opened = archive_read_open_fd(from.get(), file.number, 1 << 16) == ARCHIVE_OK;
    archive_entry* entry = nullptr;
    int status = opened ? archive_read_next_header(from.get(), &entry) : ARCHIVE_FATAL;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN && status != ARCHIVE_EOF) {
        struct stat seen;
        const bool empty = fstat(file.number, &seen) == 0 && seen.st_size == 0;
        return reading.remark(shown_name(name), empty ? " is an empty file"
                                                      : " cannot be opened: it is not a complete zip, tar, "
                                                        "tar.gz or tar.xz archive");
    }
    reading.found.is_archive = true;
    if (archive_filter_count(from.get()) > 2)
        return reading.remark(shown_name(name), " is not opened: it is compressed more than once");
    for (std::size_t unpacked = 0; status != ARCHIVE_EOF;
         status = archive_read_next_header(from.get(), &entry)) {
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return reading.remark(shown_name(name),
                                  " is damaged: the files after the damaged place are not graded");
        if (!reading.one_more_member()) return;
        const char* told = archive_entry_pathname_utf8(entry);
        if (!told) told = archive_entry_pathname(entry);
        std::string written = to_utf8(told ? told : "");
        std::replace(written.begin(), written.end(), '\\', '/');  // some programs on Windows use backslashes
        const std::string path = safe_path(written);
        const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
        if (archive_entry_hardlink(entry) || archive_entry_filetype(entry) == AE_IFLNK) {
            reading.remark(shown_name(written), " is a link, which is not followed");
        } else if (path.empty() && !is_folder) {
            reading.remark(shown_name(written), " is skipped: its path leads out of the archive");
        } else if (!is_folder && archive_entry_filetype(entry) != AE_IFREG) {
            reading.remark(shown_name(path), " is skipped: it is neither a file nor a folder");
        } else if (!is_folder) {
            const bool keep = is_read(path) && !has_hidden_part(path);
            std::string text;
            const bool whole = read_member(from.get(), reading, keep, unpacked, text);
            if (unpacked > reading.limits.unpacked)
                return reading.remark(shown_name(name), " is larger than ",
                                      in_megabytes(reading.limits.unpacked),
                                      " when it is unpacked: the rest is not graded");
            if (!whole && keep)
                reading.remark(shown_name(path), archive_entry_is_encrypted(entry)
                                                     ? " is not graded: it is encrypted"
                                                     : " is not graded: it is damaged");
            else if (!has_hidden_part(path) && reading.has_room_for(text.size(), path))
                reading.keep(path, {std::move(text), archive_entry_mtime(entry)});
        }
    }
}

Descriptor open_file(const fs::path& path) {
    Descriptor file(open_safely(AT_FDCWD, path.c_str(), 0));
    struct stat seen;
    if (file.number >= 0 && (fstat(file.number, &seen) != 0 || !S_ISREG(seen.st_mode))) return Descriptor(-1);
    return file;
}

const char* const endings[] = {".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".txz", ".tbz2",
                               ".zip",    ".tar",    ".gz",      ".7z",  ".rar"};

}  // namespace

std::string without_archive_ending(const std::string& name) {
    const std::string small = in_small_letters(name);
    for (const std::string ending : endings) {
        if (ends_with(small, ending) && small.size() > ending.size())
            return name.substr(0, name.size() - ending.size());
    }
    return name;
}

HandedIn read_archive(const fs::path& path, const Limits& limits) {
    Reading reading(limits);
    const Descriptor file = open_file(path);
    if (file.number < 0)
        reading.remark(shown_name(path.filename().string()), " cannot be read");
    else
        read_members(reading, file, path.filename().string());
    return reading.done();
}

HandedIn read_folder(const fs::path& folder, const Limits& limits) {
    Reading reading(limits);
    Descriptor opened(open_safely(AT_FDCWD, folder.c_str(), O_DIRECTORY));
    if (opened.number < 0) {
        reading.remark("the folder cannot be read");
        return reading.done();
    }
    read_folder(reading, std::move(opened), "", 0);
    const std::map<std::string, File> files = reading.found.files;
    std::vector<std::pair<std::string, Descriptor>> archives;
    for (auto& [path, file] :
         reading.archives) {  // a file without the extension of an archive is tried only if it is the only
                              // file
        if (files.size() == 1 || without_archive_ending(path) != path)
            archives.emplace_back(path, std::move(file));
    }
    const bool has_source =
        std::any_of(files.begin(), files.end(), [](const auto& file) { return is_source(file.first); });
    if (!has_source && archives.size() == 1) {
        reading.found.files.clear();
        read_members(reading, archives[0].second, archives[0].first);
    } else {
        for (const auto& [path, file] : archives)
            reading.remark(shown_name(path), " is an archive inside the folder and is not opened: ",
                           has_source ? "the folder has .cu files, too" : "the folder has several archives");
    }
    return reading.done();
}

}  // namespace classroom
