// Tests that several programs can write one file at the same time, as when two terminals grade in
// one build folder.
#include "text.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.hpp"

namespace text_test {

using namespace course;
using course_test::Folder;

TEST_CASE("a file that two programs write at once is that of one of them, and neither fails") {
    const Folder folder;
    const fs::path path = folder.path / "results" / "run.begun";
    pid_t writers[2];
    for (const int who : {0, 1})
        if (!(writers[who] = fork())) {
            try {
                for (int i = 0; i < 2000; ++i)
                    write_text(path, sentence("writer ", who, ", round ", i, "\n"));
            } catch (const std::exception&) {
                _exit(1);
            }
            _exit(0);
        }
    for (const pid_t writer : writers) {
        int status = -1;
        waitpid(writer, &status, 0);
        CHECK(status == 0);
    }
    const std::string text = read_text(path);
    CHECK(text.rfind("writer ", 0) == 0);
    CHECK(text.find(", round 1999\n") != std::string::npos);
}

}  // namespace text_test
