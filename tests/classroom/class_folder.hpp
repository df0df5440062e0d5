// For tests of intake: a class that writes archives, and a small course with a folder for the submissions of
// a class.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include <algorithm>

#include "folder.hpp"
#include "intake.hpp"

namespace classroom_test {

using namespace classroom;
using course::contains;
using course_test::error_of;
using course_test::Folder;

enum class Kind { zip, tar, tar_gz, tar_xz };

/// Writes an archive, one member after another.
class Archive {
  public:
    Archive(const fs::path& path, Kind kind) : to_(archive_write_new()) {
        if (kind == Kind::zip) archive_write_set_format_zip(to_);
        if (kind != Kind::zip) archive_write_set_format_gnutar(to_);
        if (kind == Kind::tar_gz) archive_write_add_filter_gzip(to_);
        if (kind == Kind::tar_xz) archive_write_add_filter_xz(to_);
        fs::create_directories(path.parent_path());
        REQUIRE(archive_write_open_filename(to_, path.c_str()) == ARCHIVE_OK);
    }
    Archive(const Archive&) = delete;
    ~Archive() { archive_write_free(to_); }

    Archive& add(const std::string& path, const std::string& text, mode_t type = AE_IFREG,
                 const std::string& link = "", bool hard = false) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, path.c_str());
        archive_entry_set_filetype(entry, type);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
        archive_entry_set_mtime(entry, 1700000000, 0);
        if (hard) archive_entry_set_hardlink(entry, link.c_str());
        if (type == AE_IFLNK) archive_entry_set_symlink(entry, link.c_str());
        REQUIRE(archive_write_header(to_, entry) >= ARCHIVE_WARN);
        if (!text.empty()) archive_write_data(to_, text.data(), text.size());
        archive_entry_free(entry);
        return *this;
    }

  private:
    archive* to_;
};

/// A course of a few exercises, and the folder "in" for the submissions of a class.
struct ClassFolder : Folder {
    Course course;
    IntakeOptions options;

    ClassFolder() {
        course.root = path / "kit";
        course.exercises = {{"00_first_kernel", "vector_add", {}},
                            {"07_reduction", "tree", {}},
                            {"07_reduction", "single_pass", {}},
                            {"08_scan", "single_pass", {}}};
        for (const Exercise& exercise : course.exercises)
            write("kit/" + exercise.kept_starter().string(), starter(exercise.id()));
        options.students = path / "out/students";
        fs::create_directories(path / "in");
    }

    static std::string starter(const std::string& id) { return "// " + id + "\nKIT_TODO(1);\n"; }

    std::string in(const std::string& name) const { return (path / "in" / name).string(); }
    void hand_in(const std::string& name, const std::string& text) const { write("in/" + name, text); }

    Class take(std::initializer_list<const char*> ids = {"07_reduction/tree"}) const {
        std::vector<const Exercise*> exercises;
        for (const std::string id : ids) exercises.push_back(&course.exercise(id));
        return take_in(course, exercises, path / "in", options);
    }
    /// Returns the only student of the class, who must have handed in exactly these exercises.
    Student one(std::initializer_list<const char*> ids = {"07_reduction/tree"}) const {
        const Class taken = take(ids);
        REQUIRE(taken.students.size() == 1);
        return taken.students[0];
    }
    /// Returns the paths of all files that were written to out/.
    std::set<std::string> written() const {
        std::set<std::string> files;
        if (!fs::exists(path / "out")) return files;
        for (const auto& entry : fs::recursive_directory_iterator(path / "out")) {
            if (!entry.is_directory()) files.insert(entry.path().lexically_relative(path / "out"));
        }
        return files;
    }
};

inline const std::string tree = "07_reduction/tree";

inline std::string text_of(const Entry& entry) {
    return entry.file.empty() ? "" : course::read_text(entry.file);
}

inline bool has_remark(const Lines& remarks, const std::string& text) {
    return std::any_of(remarks.begin(), remarks.end(), [&](const auto& r) { return contains(r, text); });
}

inline const Student& student(const Class& taken, const std::string& id) {
    for (const Student& one : taken.students) {
        if (one.id == id) return one;
    }
    throw course::Error("no student ", id);
}

}  // namespace classroom_test
