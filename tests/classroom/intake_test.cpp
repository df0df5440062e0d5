// Tests of intake: the files that it finds, the complaints about each irregular file, names of texts, and
// shards.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class_folder.hpp"
#include "encoding.hpp"
#include "names.hpp"
#include "work.hpp"

namespace intake_test {

using namespace classroom_test;

TEST_CASE("folders and archives of every kind are taken in, whatever their names say") {
    const ClassFolder c;
    c.hand_in("ada/exercises/07_reduction/tree.cu", "ada");
    Archive(c.in("bob.zip"), Kind::zip).add("07_reduction/tree.cu", "bob");
    Archive(c.in("cyd.tar.gz"), Kind::tar_gz).add("cyd/07_reduction/tree.cu", "cyd");
    Archive(c.in("dan.zip"), Kind::tar_xz).add("homework/exercises/07_reduction/tree.cu", "dan");
    Archive(c.in("eve"), Kind::tar).add("./tree.cu", "eve");
    Archive(c.in("fay/week 1.tgz"), Kind::zip).add("tree.cu", "fay");
    const Class taken = c.take();
    REQUIRE(taken.students.size() == 6);
    for (const Student& one : taken.students) {
        CAPTURE(one.id);
        CHECK(text_of(one.entries.at(tree)) == one.id);
        CHECK(one.entries.at(tree).outcome == "");
        CHECK(one.entries.at(tree).file == c.options.students / one.id / "07_reduction/tree.cu");
        CHECK(one.remarks == Lines{});
    }
    CHECK(taken.remarks == Lines{});
}

TEST_CASE("of several files the longest match is graded, and the others are told") {
    const ClassFolder c;
    c.hand_in("ada/tree.cu", "alone");
    c.hand_in("ada/07_reduction/tree.cu", "with topic");
    c.hand_in("ada/exercises/07_reduction/tree.cu", "whole");
    c.hand_in("ada/old/exercises/07_reduction/tree.cu", "old");
    const Student ada = c.one();
    CHECK(text_of(ada.entries.at(tree)) == "whole");
    CHECK(ada.remarks.size() == 3);
    CHECK(has_remark(ada.remarks,
                     "two files for 07_reduction/tree: exercises/07_reduction/tree.cu is "
                     "graded, old/exercises/07_reduction/tree.cu is not"));
}

TEST_CASE("two equal matches are a remark, unless they are the same text") {
    const ClassFolder c;
    c.hand_in("ada/a/07_reduction/tree.cu", "one");
    c.hand_in("ada/b/07_reduction/tree.cu", "other");
    c.hand_in("bob/a/07_reduction/tree.cu", "one");
    c.hand_in("bob/b/07_reduction/tree.cu", "one");
    const Class taken = c.take();
    CHECK(student(taken, "ada").remarks.size() == 1);
    CHECK(text_of(student(taken, "ada").entries.at(tree)) == "one");
    CHECK(student(taken, "bob").remarks == Lines{});
}

TEST_CASE("a name alone counts where one exercise has it, and where several have it they are named") {
    const ClassFolder c;
    c.hand_in("ada/week1/vector_add.cu", "sum");
    c.hand_in("ada/single_pass.cu", "which?");
    const Student ada = c.one({"00_first_kernel/vector_add", "08_scan/single_pass"});
    CHECK(text_of(ada.entries.at("00_first_kernel/vector_add")) == "sum");
    CHECK(ada.entries.at("08_scan/single_pass").outcome == "missing");
    CHECK(has_remark(ada.remarks, "single_pass.cu could be 07_reduction/single_pass or 08_scan/single_pass"));
    CHECK(has_remark(ada.remarks, "1 of 2 exercises are missing: 08_scan/single_pass"));
}

TEST_CASE("wrong names are told with the nearest right one, and endings that are none") {
    const ClassFolder c;
    c.hand_in("ada/07_reduction/treee.cu", "x");
    c.hand_in("ada/vectoradd.cu", "x");
    c.hand_in("ada/07_reduction/tree.cpp", "x");
    c.hand_in("ada/07_reduction/tree.cu.txt", "x");
    c.hand_in("ada/notes.txt", "x");
    const Student ada = c.one();
    CHECK(ada.entries.at(tree).outcome == "missing");
    CHECK(ada.entries.at(tree).content == "");
    CHECK(has_remark(ada.remarks,
                     "07_reduction/treee.cu belongs to no exercise: no exercise treee: did you "
                     "mean 07_reduction/tree"));
    CHECK(has_remark(ada.remarks, "did you mean 00_first_kernel/vector_add?"));
    CHECK(has_remark(ada.remarks, "07_reduction/tree.cpp is not graded: its name must be tree.cu"));
    CHECK(has_remark(ada.remarks, "07_reduction/tree.cu.txt is not graded: its name must be tree.cu"));
    CHECK_FALSE(has_remark(ada.remarks, "notes.txt"));
    CHECK(has_remark(ada.remarks, "the submission contains no file of these exercises"));
}

TEST_CASE("a name in the folder of another topic is taken, and told") {
    const ClassFolder c;
    c.hand_in("ada/08_scan/tree.cu", "x");
    const Student ada = c.one();
    CHECK(text_of(ada.entries.at(tree)) == "x");
    CHECK(ada.remarks == Lines{"08_scan/tree.cu is taken for 07_reduction/tree"});
}

TEST_CASE("of a whole checkout nothing but exercises is looked at") {
    const ClassFolder c;
    for (const char* file : {"tests/07_reduction/tree_test.cu", "lectures/07_reduction/demo.cu",
                             "exercises/playground/hello.cu", "build/course/written/07_reduction/tree.cu"})
        c.hand_in(std::string("ada/cuda/") + file, "kit");
    c.hand_in("ada/cuda/exercises/07_reduction/tree.cu", "mine");
    const Student ada = c.one();
    CHECK(text_of(ada.entries.at(tree)) == "mine");
    CHECK(ada.remarks == Lines{});
    c.hand_in("ada/cuda/solutions/07_reduction/tree.cu", "not mine");
    c.hand_in("ada/cuda/solutions/08_scan/single_pass.cu", "not mine");
    CHECK(text_of(c.one().entries.at(tree)) == "mine");
    CHECK(c.one().remarks == Lines{"the folder solutions is not graded"});
    const ClassFolder alone;  // without a checkout, these names have no meaning
    alone.hand_in("bob/tests/tree.cu", "mine");
    CHECK(text_of(alone.one().entries.at(tree)) == "mine");
}

TEST_CASE("files of bug hunts are left alone, unless the hunts are graded") {
    ClassFolder c;
    c.hand_in("ada/exercises/07_reduction/tree.cu", "exercise");
    for (const char* name : {"ada", "bob", "cyd", "dan"})
        c.hand_in(name + std::string("/exercises/hunts/reduction.tree.1.cu"),
                  std::string("repaired\r\n") + name);
    c.hand_in("ada/exercises/hunts/reduction.tree.1.answer", "# Your answer\r\nline: 2\r\nkind: race\r\n");
    c.hand_in("bob/exercises/hunts/reduction.tree.1.answer", "line: 1\nkind: race\n");
    c.hand_in("cyd/exercises/hunts/reduction.tree.1.answer", "line: 2 or so\nkind: work\n");
    Archive(c.in("eve.zip"), Kind::zip)
        .add("hunts/reduction.tree.1.cu", "int a;\nsum += 1;\n")
        .add("hunts/reduction.tree.1.answer", "line: 2\nkind: work\n");
    Class taken = c.take();
    CHECK(text_of(student(taken, "ada").entries.at(tree)) == "exercise");
    CHECK(student(taken, "ada").remarks == Lines{});
    CHECK(student(taken, "bob").entries.at(tree).outcome == "missing");

    course::Hunt hunt;
    hunt.exercise = &c.course.exercises[1];
    hunt.number = 1;
    hunt.program = {"int a;", "sum += 1;  // once"};
    hunt.lines = {"sum += 1;"};
    hunt.kind = "race";
    c.options.hunts[hunt.exercise] = hunt;
    c.hand_in("eve/hunts/reduction.tree.1.cu", "int a;\nsum += 1;  // once\n");
    taken = c.take();
    CHECK(text_of(student(taken, "ada").entries.at(tree)) == "repaired\r\nada");
    const fs::path out = c.path / "out";
    for (const Student& one : taken.students) {
        Verdict verdict;
        verdict.outcome = one.id == "dan" ? "wrong" : "pass";
        verdict.sentence = "2 of 2 cases passed";
        const Entry& entry = one.entries.at(tree);
        if (!entry.content.empty())
            course::write_verdict(verdict_path(out, c.course.exercises[1], entry.content), verdict);
    }
    CHECK(collect(taken, out) == 0);
    const auto said = [&](const char* name) {
        const Entry& entry = student(taken, name).entries.at(tree);
        return entry.outcome + ": " + entry.sentence;
    };
    CHECK(said("ada") == "pass: 2 of 2 cases passed");
    CHECK(said("bob") == "wrong: the file is repaired, but the answer names a wrong line");
    CHECK(said("cyd") == "wrong: the file is repaired, but the answer names a wrong line and a wrong kind");
    CHECK(said("dan") == "wrong: 2 of 2 cases passed");
    CHECK(said("eve") == "open: the given file is unchanged");
    CHECK(said("eve_2") == "wrong: the file is repaired, but the answer names a wrong kind");
}

TEST_CASE("a starter is known with any line ends, with a byte order mark, without its last line end") {
    const std::string crlf = "// 07_reduction/tree\r\nKIT_TODO(1);\r\n";
    const std::string texts[] = {ClassFolder::starter(tree), crlf,
                                 "\xef\xbb\xbf" + ClassFolder::starter(tree),
                                 "// 07_reduction/tree\nKIT_TODO(1);"};
    std::set<std::string> names;
    for (const std::string& text : texts) {
        const ClassFolder c;
        c.hand_in("ada/07_reduction/tree.cu", text);
        const Entry entry = c.one().entries.at(tree);
        CHECK(entry.is_starter);
        CHECK(entry.outcome == "open");
        CHECK(text_of(entry) == text);  // the file is stored as it was handed in
        names.insert(entry.content);
    }
    CHECK(names.size() == 1);
    const ClassFolder c;
    c.hand_in("ada/07_reduction/tree.cu", ClassFolder::starter(tree) + "int mine;\n");
    const Entry entry = c.one().entries.at(tree);
    CHECK_FALSE(entry.is_starter);
    CHECK(entry.outcome == "");
    CHECK(names.count(entry.content) == 0);
}

TEST_CASE("an empty file is no starter, also where the starter is not known") {
    const ClassFolder c;
    fs::remove(c.path / "kit/tests/07_reduction/tree.starter");
    c.hand_in("ada/07_reduction/tree.cu", "");
    const Student ada = c.one();
    CHECK_FALSE(ada.entries.at(tree).is_starter);
    CHECK(has_remark(ada.remarks, "07_reduction/tree.cu is empty"));
}

TEST_CASE("bad input: one sentence each, and everybody else is taken in") {
    const ClassFolder c;
    c.hand_in("good/07_reduction/tree.cu", "x");
    c.hand_in("broken.zip", "this is no archive");
    c.hand_in("none.zip", "");
    fs::create_directories(c.in("empty"));
    Archive(c.in("hollow.zip"), Kind::zip);
    c.hand_in("notes.txt", "about the class");
    const Class taken = c.take();
    REQUIRE(taken.students.size() == 5);
    CHECK(text_of(student(taken, "good").entries.at(tree)) == "x");
    CHECK(student(taken, "broken").remarks[0] ==
          "broken.zip cannot be opened: it is not a complete zip, tar, tar.gz or tar.xz archive");
    CHECK(student(taken, "none").remarks[0] == "none.zip is an empty file");
    CHECK(student(taken, "empty").remarks == Lines{"the submission contains no file"});
    CHECK(student(taken, "hollow").remarks == Lines{"the submission contains no file"});
    CHECK(student(taken, "empty").entries.at(tree).outcome == "missing");
    CHECK(taken.remarks == Lines{"notes.txt is not graded: it is neither a folder nor an archive"});
}

TEST_CASE("of a damaged archive what stands before the damage is graded") {
    const ClassFolder c;
    std::string noise;
    for (unsigned i = 0, state = 1; i < 200000; ++i)
        noise += static_cast<char>((state = state * 1103515245u + 12345u) >> 16);
    Archive(c.in("ada.tar.gz"), Kind::tar_gz)
        .add("07_reduction/tree.cu", "whole")
        .add("08_scan/single_pass.cu", noise);
    fs::resize_file(c.in("ada.tar.gz"), fs::file_size(c.in("ada.tar.gz")) / 2);
    const Student ada = c.one({"07_reduction/tree", "08_scan/single_pass"});
    CHECK(text_of(ada.entries.at(tree)) == "whole");
    CHECK(ada.entries.at("08_scan/single_pass").outcome == "missing");
    CHECK(has_remark(ada.remarks, "damaged"));
}

TEST_CASE("names of strangers become safe ids that do not collide, and safe sentences") {
    CHECK(safe_id("ada") == "ada");
    CHECK(safe_id("..") == "_..");
    CHECK(safe_id("-rf") == "_-rf");
    CHECK(safe_id("a/b c\n\"d\"") == "a_b_c__d_");
    CHECK(safe_id("") == "_");
    CHECK(safe_id("M\xfcller") == "M\xc3\xbcller");
    CHECK(safe_id(std::string(99, 'a') + "\xc3\xbc" + "b") == std::string(99, 'a'));
    CHECK(shown_name("a\nb\x1b[31m") == "a?b?[31m");
    CHECK(shown_name(std::string(5000, 'a')).size() < 110);
    const ClassFolder c;
    c.hand_in("a b/tree.cu", "one");
    c.hand_in("a_b/tree.cu", "two");
    Archive(c.in("a b.zip"), Kind::zip).add("tree.cu", "three");
    const Class taken = c.take();
    REQUIRE(taken.students.size() == 3);
    std::set<std::string> texts;
    for (const Student& one : taken.students) texts.insert(text_of(one.entries.at(tree)));
    CHECK(texts == std::set<std::string>{"one", "two", "three"});
    CHECK(has_remark(taken.students[1].remarks, "is called a_b_2 here"));
}

TEST_CASE("names in Latin-1 become UTF-8, in folders and in archives") {
    const ClassFolder c;
    c.hand_in(
        "M\xfcller/\xdc"
        "bung/tree.cu",
        "folder");
    Archive(c.in("B\xf6hm.zip"), Kind::zip)
        .add(
            "\xdc"
            "bung 1/tree.cu",
            "archive")
        .add(
            "\xdc"
            "bung 1/b\xe4um.cu",
            "");
    Archive(c.in("Z\xc3\xbcrn.tar"), Kind::tar)
        .add(
            "\xdc"
            "bung/tree.cu",
            "tar");
    const Class taken = c.take();
    CHECK(text_of(student(taken, "M\xc3\xbcller").entries.at(tree)) == "folder");
    CHECK(text_of(student(taken, "B\xc3\xb6hm").entries.at(tree)) == "archive");
    CHECK(text_of(student(taken, "Z\xc3\xbcrn").entries.at(tree)) == "tar");
    CHECK(has_remark(student(taken, "B\xc3\xb6hm").remarks,
                     "\xc3\x9c"
                     "bung 1/b\xc3\xa4um.cu belongs to no exercise"));
}

TEST_CASE("a zip archive may say that its names are UTF-8") {
    const std::string name =
                          "\xc3\x9c"
                          "bung/tree.cu",
                      length(1, static_cast<char>(name.size()));
    // Bit 11 of the flags says that names are in UTF-8.
    const std::string zeros(16, '\0'), flags("\0\x08", 2);
    const std::string top =
        std::string("\x14\0", 2) + flags + zeros + zeros.substr(0, 2) + length + zeros.substr(0, 3);
    const std::string file = std::string("PK\3\4", 4) + top + name;
    const std::string list = std::string("PK\1\2\x14\3", 6) + top + zeros.substr(0, 14) + name;
    const auto number = [](std::size_t n) {
        return std::string(1, static_cast<char>(n)) + std::string(3, '\0');
    };
    const std::string end = std::string("PK\5\6\0\0\0\0\1\0\1\0", 12) + number(list.size()) +
                            number(file.size()) + zeros.substr(0, 2);
    const ClassFolder c;
    c.hand_in("ada.zip", file + list + end);
    CHECK(has_remark(c.one().remarks, name + " is empty"));
}

TEST_CASE("names of texts are SHA-256, so that nobody makes two texts of one name") {
    CHECK(name_of_content("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a3");  // FIPS 180-2, appendix B
    CHECK(name_of_content("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce459");
    CHECK(name_of_content("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4");
    CHECK(name_of_content(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48");
}

TEST_CASE("every text belongs to one shard, and shards are about equal") {
    int of_shard[4] = {};
    for (int i = 0; i < 4000; ++i) {
        int owners = 0;
        for (int shard = 1; shard <= 4; ++shard) {
            const bool belongs = belongs_to_shard(name_of_content(std::to_string(i)), {shard, 4});
            owners += belongs;
            of_shard[shard - 1] += belongs;
        }
        REQUIRE(owners == 1);
    }
    for (const int texts : of_shard) CHECK(std::abs(texts - 1000) < 150);
    CHECK(shard_of("2/8").index == 2);
    CHECK(shard_of("8/8").count == 8);
    for (const char* wrong : {"0/8", "9/8", "1", "a/b", "1/0", "-1/2", "1/2/3"})
        CHECK(contains(error_of([&] { shard_of(wrong); }), "is not a part of the work"));
}

TEST_CASE("text in Latin-1 and in UTF-16") {
    CHECK(graded_text("// f\xfcr\r\n") == "// f\xc3\xbcr\n");
    CHECK(graded_text("// f\xc3\xbcr\n") == "// f\xc3\xbcr\n");
    CHECK(to_utf8("\xe2\x82\xac") == "\xe2\x82\xac");
    CHECK(to_utf8("\xed\xa0\x80") != "\xed\xa0\x80");  // half of a surrogate pair, which is not valid in
                                                       // UTF-8
    const ClassFolder c;
    c.hand_in("ada/tree.cu", std::string("\xff\xfe/\0/\0", 6));
    CHECK(has_remark(c.one().remarks, "is written in UTF-16"));
}

TEST_CASE("the file of names, as people, Moodle and Canvas write it") {
    ClassFolder c;
    c.options.names = c.path / "in/names.csv";
    SUBCASE("by hand") {
        c.write("in/names.csv", "id,name,days late\nada,\"Lovelace, Ada\",1.5\nbob,Bob,\n");
        c.hand_in("ada/tree.cu", "x");
        c.hand_in("eve/tree.cu", "x");
        const Class taken = c.take();
        REQUIRE(taken.students.size() == 3);
        CHECK(student(taken, "ada").name == "Lovelace, Ada");
        CHECK(student(taken, "ada").days_late == doctest::Approx(1.5));
        CHECK(student(taken, "bob").remarks == Lines{"handed in nothing"});
        CHECK(student(taken, "bob").entries.at(tree).outcome == "missing");
        CHECK(student(taken, "eve").remarks == Lines{"is not in the file of names"});
        CHECK(taken.remarks == Lines{});
    }
    SUBCASE("Moodle, with semicolons, a byte order mark and CRLF") {
        c.write("in/names.csv",
                "\xef\xbb\xbf"
                "Identifier;Full name;Email address;Status\r\n"
                "Participant 4711;Ada Lovelace;ada@example.org;Submitted\r\n");
        c.hand_in("Ada Lovelace_4711_assignsubmission_file_/tree.cu", "x");
        const Student ada = c.one();
        CHECK(ada.id == "Ada_Lovelace_4711_assignsubmission_file_");
        CHECK(ada.name == "Ada Lovelace");
        CHECK(ada.columns.at("Email address") == "ada@example.org");
        CHECK(ada.remarks == Lines{});
    }
    SUBCASE("Moodle, by the beginning of the address") {
        c.write("in/names.csv", "First name,Surname,Email address\nAda,Lovelace,ada@example.org\n");
        Archive(c.in("ada.zip"), Kind::zip).add("tree.cu", "x");
        CHECK(c.one().name == "Ada Lovelace");
    }
    SUBCASE("Canvas") {
        c.write("in/names.csv",
                "Student,ID,SIS Login ID,Section\n    Points Possible,,,\n\"Lovelace, Ada\",4711,al1,A\n");
        Archive(c.in("lovelaceada_LATE_4711_8815_week1.zip"), Kind::zip).add("tree.cu", "x");
        const Student ada = c.one();
        CHECK(ada.name == "Lovelace, Ada");
        CHECK(ada.remarks == Lines{});
    }
    SUBCASE("in Latin-1") {
        c.write("in/names.csv", "id,name\nmueller,M\xfcller\n");
        c.hand_in("mueller/tree.cu", "x");
        CHECK(c.one().name == "M\xc3\xbcller");
    }
    SUBCASE("one student, twice") {
        c.write("in/names.csv", "id,name\nada,Ada\n");
        c.hand_in("ada/tree.cu", "x");
        Archive(c.in("ADA.zip"), Kind::zip).add("tree.cu", "y");
        CHECK(c.take().students.size() == 2);
        CHECK(has_remark(c.take().students[1].remarks, "handed in more than once: the other submission is "));
    }
    SUBCASE("what cannot be understood is said") {
        c.write("in/names.csv", "who,name\nada,Ada\n");
        CHECK(contains(error_of([&] { c.take(); }), "names.csv:1: no column identifies the students"));
        c.write("in/names.csv", "id,days late\nada,two\n");
        CHECK(contains(error_of([&] { c.take(); }), "the days late of ada are \"two\", not a number"));
        c.write("in/names.csv", "");
        CHECK(contains(error_of([&] { c.take(); }), "is empty"));
    }
}

TEST_CASE("quoted cells may hold separators, quotes and line ends") {
    const auto cells = cells_of("a,\"b,\"\"c\"\"\nd\"\r\n\r\n,e\r\n");
    REQUIRE(cells.size() == 2);
    CHECK(cells[0] == Lines{"a", "b,\"c\"\nd"});
    CHECK(cells[1] == Lines{"", "e"});
}

TEST_CASE("days late are those of the newest file that was worked on") {
    ClassFolder c;
    c.options.deadline = "2026-01-10T12:00";
    const std::time_t deadline = time_of_deadline(c.options.deadline);
    const auto set_time = [&](const std::string& name, double days) {
        const timespec time{deadline + static_cast<std::time_t>(days * 86400), 0}, both[2] = {time, time};
        REQUIRE(utimensat(AT_FDCWD, c.in(name).c_str(), both, 0) == 0);
    };
    c.hand_in("ada/07_reduction/tree.cu", "x");
    c.hand_in("ada/08_scan/single_pass.cu", ClassFolder::starter("08_scan/single_pass"));
    set_time("ada/07_reduction/tree.cu", 1.5);
    set_time("ada/08_scan/single_pass.cu", 9);
    CHECK(c.one({"07_reduction/tree", "08_scan/single_pass"}).days_late == doctest::Approx(1.5));
    set_time("ada/07_reduction/tree.cu", -1);
    CHECK(c.one().days_late == 0);
    CHECK(time_of_deadline("2026-01-10") == deadline + 12 * 3600 - 1);
    CHECK(contains(error_of([] { time_of_deadline("tomorrow"); }), "the deadline tomorrow is not a time"));
    CHECK(contains(error_of([] { time_of_deadline("2026-13-01"); }), "is not a time"));
}

TEST_CASE("taken in again: what is there is left alone, what is no longer handed in is gone") {
    const ClassFolder c;
    c.hand_in("ada/07_reduction/tree.cu", "x");
    c.hand_in("ada/08_scan/single_pass.cu", "y");
    c.take({"07_reduction/tree", "08_scan/single_pass"});
    const fs::path file = c.options.students / "ada/07_reduction/tree.cu";
    const auto before = fs::last_write_time(file);
    usleep(20000);
    fs::remove(c.in("ada/08_scan/single_pass.cu"));
    c.take({"07_reduction/tree", "08_scan/single_pass"});
    CHECK(fs::last_write_time(file) == before);
    CHECK(c.written() == std::set<std::string>{"students/ada/07_reduction/tree.cu"});
}

TEST_CASE("a folder of submissions that is none is an error that says so") {
    ClassFolder c;
    fs::remove(c.path / "in");
    CHECK(contains(error_of([&] { c.take(); }),
                   "Name a folder that has a folder or an archive for each student"));
}

}  // namespace intake_test
