// Excerpts of recorded output: what can be asked for, and what is said where it is not there.
#include "excerpt.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"

using namespace course;
using course_test::error_of;

namespace {

struct Recorded : course_test::Folder {
    Recorded() { write("results/h200.txt", "title\n\nv1  10 us\nv2   5 us \n\nend\n"); }
    std::vector<std::string> lines(const std::string& asked) const { return excerpt_of(asked).lines(path); }
    std::string error(const std::string& asked) const {
        return error_of([&] { lines(asked); });
    }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE_FIXTURE(Recorded, "lines, paragraphs and whole files") {
    CHECK(lines("results/h200.txt 1-1") == Lines{"title"});
    CHECK(lines("results/h200.txt 3-5") == Lines{"v1  10 us", "v2   5 us ", ""});
    CHECK(lines("results/h200.txt \"v2   5\"") == Lines{"v1  10 us", "v2   5 us "});
    CHECK(lines("results/h200.txt \"title\"") == Lines{"title"});
    CHECK(lines("results/h200.txt \"end\"") == Lines{"end"});
    CHECK(lines("results/h200.txt").size() == 6);
}

TEST_CASE_FIXTURE(Recorded, "what is not there is named") {
    CHECK(error("results/none.txt 1-2") == "the output results/none.txt does not exist or is empty");
    CHECK(error("results/h200.txt 3-9") == "the output results/h200.txt has 6 lines, not 3-9");
    CHECK(error("results/h200.txt 3-2") == "the output results/h200.txt has 6 lines, not 3-2");
    CHECK(error("results/h200.txt 0-2") == "the output results/h200.txt has 6 lines, not 0-2");
    CHECK(error("results/h200.txt \"v3\"") == "the output results/h200.txt has no \"v3\"");
}

TEST_CASE_FIXTURE(Recorded, "what is not understood is asked for") {
    for (const char* asked : {"", "results/h200.txt v2", "results/h200.txt 3", "results/h200.txt 3-",
                              "results/h200.txt -3", "results/h200.txt 1-2-3", "results/h200.txt \"",
                              "results/h200.txt \"\"", "results/h200.txt \"v1\" x"}) {
        CAPTURE(asked);
        CHECK(contains(error(asked), "which lines are these?"));
    }
}
