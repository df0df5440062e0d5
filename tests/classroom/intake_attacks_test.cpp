// Tests of intake with hostile files: no link is followed, no path leads out of its folder, and no file is
// read without a limit or waited for.
#include <sys/stat.h>

#include "class_folder.hpp"

namespace intake_attacks_test {

using namespace classroom_test;

TEST_CASE("attack: symbolic links, in a folder, in an archive, instead of a folder") {
    const ClassFolder c;
    c.write("secret/tree.cu", "secret");
    c.write("secret/07_reduction/tree.cu", "secret");
    fs::create_directories(c.in("ada/07_reduction"));
    fs::create_symlink(c.path / "secret/tree.cu", c.in("ada/07_reduction/tree.cu"));
    fs::create_directories(c.in("bob"));
    fs::create_directory_symlink(c.path / "secret/07_reduction", c.in("bob/07_reduction"));
    fs::create_directory_symlink(c.path / "secret", c.in("cyd"));
    const std::string target = (c.path / "secret/tree.cu").string();
    Archive(c.in("dan.tar"), Kind::tar).add("07_reduction/tree.cu", "", AE_IFLNK, target);
    Archive(c.in("eve.zip"), Kind::zip).add("07_reduction/tree.cu", "", AE_IFLNK, target);
    Archive(c.in("fay.tar"), Kind::tar).add("07_reduction/tree.cu", "", AE_IFREG, target, true);
    Archive(c.in("gus.tar"), Kind::tar)  // a link to a folder, and a file whose path leads through it
        .add("07_reduction", "", AE_IFLNK, (c.path / "secret").string())
        .add("07_reduction/tree.cu", "mine");
    Archive(c.path / "secret/hal.zip", Kind::zip).add("tree.cu", "secret");
    fs::create_symlink(c.path / "secret/hal.zip", c.in("hal.zip"));
    const Class taken = c.take();
    REQUIRE(taken.students.size() == 8);
    for (const Student& one : taken.students) {
        CAPTURE(one.id);
        CHECK(has_remark(one.remarks, "link, which is not followed"));
        CHECK(text_of(one.entries.at(tree)) == (one.id == "gus" ? "mine" : ""));
    }
    CHECK(c.written() == std::set<std::string>{"students/gus/07_reduction/tree.cu"});
    CHECK(c.read("secret/07_reduction/tree.cu") == "secret");
}

TEST_CASE("attack: paths that lead out of the archive") {
    const ClassFolder c;
    const std::string outside[] = {"../07_reduction/tree.cu", "a/../../07_reduction/tree.cu",
                                   (c.path / "07_reduction/tree.cu").string(), "..\\07_reduction\\tree.cu",
                                   "C:\\07_reduction\\tree.cu"};
    for (const std::string& path : outside) {
        for (const Kind kind : {Kind::zip, Kind::tar}) {
            CAPTURE(path);
            Archive(c.in("ada.zip"), kind).add(path, "evil");
            const Student ada = c.one();
            CHECK(has_remark(ada.remarks, "is skipped: its path leads out of the archive"));
            CHECK(ada.entries.at(tree).outcome == "missing");
            CHECK(c.written().empty());
        }
    }
    Archive(c.in("ada.zip"), Kind::zip).add("exercises\\07_reduction\\tree.cu", "from Windows");
    CHECK(text_of(c.one().entries.at(tree)) == "from Windows");
    CHECK(c.one().remarks == Lines{});
}

TEST_CASE("attack: pipes and devices, in a folder and in an archive") {
    const ClassFolder c;
    fs::create_directories(c.in("ada/07_reduction"));
    // Opening this file would block forever.
    REQUIRE(mkfifo(c.in("ada/07_reduction/tree.cu").c_str(), 0644) == 0);
    Archive(c.in("bob.tar"), Kind::tar).add("07_reduction/tree.cu", "", AE_IFIFO);
    Archive(c.in("cyd.tar"), Kind::tar).add("07_reduction/tree.cu", "", AE_IFCHR);
    REQUIRE(mkfifo(c.in("dan.zip").c_str(), 0644) == 0);
    const Class taken = c.take();
    REQUIRE(taken.students.size() == 4);
    for (const Student& one : taken.students) {
        CAPTURE(one.id);
        CHECK(has_remark(one.remarks, "is neither "));
        CHECK(one.entries.at(tree).outcome == "missing");
    }
}

TEST_CASE("attack: too many members, too much when unpacked, too large a file") {
    ClassFolder c;
    c.options.limits.members = 50;
    c.options.limits.unpacked = 4 << 20;
    {
        Archive many(c.in("many.zip"), Kind::zip);
        for (int i = 0; i < 60; ++i) many.add("a/" + std::to_string(i), "");
        many.add("07_reduction/tree.cu", "late");
    }
    for (int i = 0; i < 60; ++i) c.hand_in("wide/a/" + std::to_string(i), "");
    const std::string zeros(8 << 20, '\0');
    for (const Kind kind : {Kind::zip, Kind::tar_gz, Kind::tar_xz})
        Archive(c.in("bomb" + std::to_string(static_cast<int>(kind))), kind)
            .add("07_reduction/tree.cu", "early")
            .add("bomb.bin", zeros)
            .add("00_first_kernel/vector_add.cu", "late");
    const std::string large(c.options.limits.file + 1, 'x');
    c.hand_in("large/07_reduction/tree.cu", large);
    Archive(c.in("large.zip"), Kind::zip).add("07_reduction/tree.cu", large);
    c.hand_in("fits/07_reduction/tree.cu", large.substr(1));
    const Class taken = c.take({"07_reduction/tree", "00_first_kernel/vector_add"});
    CHECK(has_remark(student(taken, "many").remarks, "more than 50 files"));
    CHECK(has_remark(student(taken, "wide").remarks, "more than 50 files"));
    CHECK(student(taken, "many").entries.at(tree).outcome == "missing");
    for (const std::string bomb : {"bomb0", "bomb2", "bomb3"}) {
        CAPTURE(bomb);
        const Student& one = student(taken, bomb);
        CHECK(has_remark(one.remarks, "is larger than 4 MB when it is unpacked"));
        CHECK(text_of(one.entries.at(tree)) == "early");
        CHECK(one.entries.at("00_first_kernel/vector_add").outcome == "missing");
    }
    for (const std::string id : {"large", "large_2"}) {
        CHECK(has_remark(student(taken, id).remarks, "is not graded: it is larger than 1 MB"));
        CHECK(student(taken, id).entries.at(tree).outcome == "missing");
    }
    CHECK(text_of(student(taken, "fits").entries.at(tree)).size() == c.options.limits.file);
}

TEST_CASE("attack: an archive compressed again and again, folders without end, remarks without end") {
    const ClassFolder c;
    {
        const Folder inner;
        Archive(inner.path / "a", Kind::tar_gz).add("07_reduction/tree.cu", "x");
        const std::string once = inner.read("a");
        archive* twice = archive_write_new();
        archive_write_set_format_raw(twice);
        archive_write_add_filter_gzip(twice);
        REQUIRE(archive_write_open_filename(twice, c.in("ada.tar.gz").c_str()) == ARCHIVE_OK);
        archive_entry* entry = archive_entry_new();
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_write_header(twice, entry);
        archive_write_data(twice, once.data(), once.size());
        archive_entry_free(entry);
        archive_write_free(twice);
    }
    std::string deep = "bob/";
    for (int i = 0; i < 60; ++i) deep += "a/";
    c.hand_in(deep + "tree.cu", "x");
    {
        Archive links(c.in("cyd.tar"), Kind::tar);
        for (int i = 0; i < 500; ++i) links.add("l" + std::to_string(i), "", AE_IFLNK, "/etc/passwd");
    }
    for (int i = 0; i < 100; ++i) c.hand_in("dan/nothing" + std::to_string(i) + ".cu", "x");
    const Class taken = c.take();
    CHECK(has_remark(student(taken, "ada").remarks, "compressed more than once"));
    CHECK(has_remark(student(taken, "bob").remarks, "inside too many folders"));
    CHECK(student(taken, "cyd").remarks.size() <= 22);
    CHECK(student(taken, "dan").remarks.size() <= 22);
}

}  // namespace intake_attacks_test
