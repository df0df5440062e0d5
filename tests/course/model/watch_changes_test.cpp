// Tests which saves are detected, and which files are watched.
#include <doctest/doctest.h>
#include <errno.h>

#include "folder.hpp"
#include "watch/changes.hpp"

namespace watch_changes_test {

using namespace course;

TEST_CASE(
    "the files of an exercise: what it includes from its folder, directly or not, and where links lead") {
    const course_test::Folder folder;
    folder.write(
        "a.cu",
        "#include <kit.cuh>\n  # include \"a.hpp\"\n#include \"../outside.hpp\"\n#include \"gone.hpp\"\n");
    folder.write("a.hpp", "#include \"b.hpp\"\n#include \"a.hpp\"\n");
    folder.write("b.hpp", "// #include \"c.hpp\"\n");
    folder.write("c.hpp", "");
    CHECK(files_of(folder.path / "a.cu") ==
          std::set<fs::path>{folder.path / "a.cu", folder.path / "a.hpp", folder.path / "b.hpp"});
    folder.write("elsewhere/real.cu", "");
    fs::create_symlink(folder.path / "elsewhere/real.cu", folder.path / "link.cu");
    CHECK(files_of(folder.path / "link.cu") ==
          std::set<fs::path>{folder.path / "link.cu", folder.path / "elsewhere/real.cu"});
    CHECK(files_of(folder.path / "gone.cu") == std::set<fs::path>{folder.path / "gone.cu"});
}

TEST_CASE("a save is seen, whoever writes it; other files and other folders are not") {
    const course_test::Folder folder;
    const fs::path a = folder.path / "a/a.cu", b = folder.path / "b/b.cu";
    folder.write("a/a.cu", "1");
    folder.write("b/b.cu", "1");
    Changes changes;
    const auto saved = [&] { return changes.read().saved; };
    changes.watch({a});
    CHECK(saved().empty());
    folder.write("a/a.cu", "2");
    CHECK(saved() == std::vector{a});
    CHECK(saved().empty());
    folder.write("a/other.cu", "2");
    folder.write("b/b.cu", "2");
    read_text(a);
    CHECK(saved().empty());
    changes.watch({b});
    folder.write("a/a.cu", "3");
    CHECK(saved().empty());
    folder.write("b/b.cu", "3");
    CHECK(saved() == std::vector{b});
    changes.watch({a, b});
    folder.write("b/b.cu", "4");
    folder.write("a/a.cu", "4");
    CHECK(saved() == std::vector{b, a});
    fs::remove_all(folder.path / "b");
    CHECK(changes.read().gone == std::set{b.parent_path()});
}

TEST_CASE("what cannot be watched says why, and what to do") {
    Changes changes;
    CHECK(course_test::error_of([&] { changes.watch({"/nowhere/a.cu"}); }) ==
          "/nowhere cannot be watched: No such file or directory");
    CHECK(contains(Changes::why_not(ENOSPC, "/a"),
                   "the system's limit fs.inotify.max_user_watches is reached"));
    CHECK(contains(Changes::why_not(EMFILE, ""), "sudo sysctl fs.inotify.max_user_instances=512"));
}

}  // namespace watch_changes_test
