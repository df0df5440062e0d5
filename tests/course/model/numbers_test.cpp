// Tests of the numbers that pages quote from records: each mistake is reported with its file and line, and
// text that follows from records is generated again.
#include "numbers.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"
#include "markdown.hpp"
#include "records_sample.hpp"

namespace numbers_test {

using namespace course;
using namespace course_test;

namespace {

const std::string lecture = R"(# A lecture

v2 takes 100.0<!--=v2_us--> us, v1 is 2.00<!--=gain-->x as slow, and that is
**80<!--=share-->%** of 4,131<!--=copy--> GB/s, of v2, H200 and 3 us.
The executor counts 2056<!--=barriers--> barriers, -100<!--=less--> fewer than 7<!--=seven-->, 1-2<!--=two-->.

<!-- output: results/h200.txt 2-3 -->
```text
two
three
```

<!-- table: claims -->

| claim | figure on H200 | verdict |
|---|---|---|
| v2 is fast | 100.0 us, 2.00x | holds: `{x}` |

<!-- /table -->

<!-- numbers
v2_us = ladder:v2:us
gain = ladder:v1:us
    / ladder:v2:us
share = 100 * ladder:v2:of_bound
copy = roofs:copy_gb_per_s
seven = other:a.b+c-d:count
barriers = cpu.counts:v1:barriers
less = -ladder:v2:us
two = 2
holds h200: ladder:v1:us > ladder:v2:us and
  ladder:v1:us > 0
holds cpu: counts:v1:barriers > 2000
-->
)";

const std::string templates = R"(# Tables

## claims

| claim | figure on DEVICE | verdict |
|---|---|---|
| v2 is fast | {ladder:v2:us .1} us, {ladder:v1:us / ladder:v2:us .2}x | holds {? h200: ladder:v1:us > ladder:v2:us}: `{x}` |

## bytes

| n | us |
|---|---|
| 16 | {sizes:v2@16:us ,} |
)";

const std::string deck = R"(---
title: 00 First
---
7<!--=count--> words
<!-- output: lectures/00_first/results/h200.txt 1-1 -->

<!-- table: bytes -->

| n | us |
|---|---|
| 16 | 12,346 |

<!-- /table -->

<!-- numbers
count = other:a.b+c-d:count
-->
)";

struct MeasuredCourse : Folder {
    const std::string page = "lectures/00_first/README.md", tables = "lectures/00_first/results/tables.md",
                      slides = "slides/00_first.md", record = "lectures/00_first/results/h200.json",
                      output = "lectures/00_first/results/h200.txt";
    MeasuredCourse() {
        write(page, lecture);
        write(tables, templates);
        write(slides, deck);
        write("slides/README.md", "Write 3<!--=nothing-->.");
        write(record, gpu_record);
        write("lectures/00_first/results/cpu_executor.json", cpu_record);
        write(output, "one\ntwo\nthree\nfour\n");
    }
    Complaints complaints() const { return check_numbers(path, false).complaints; }
};

}  // namespace

TEST_CASE("a page in which everything is right") {
    const MeasuredCourse course;
    const NumbersReport report = check_numbers(course.path, false);
    CHECK(joined(report.complaints, "\n") == "");
    CHECK(report.pages == 2);
    CHECK(report.numbers == 9);
    CHECK(report.tables == 2);
    CHECK(report.outputs == 2);
    CHECK(report.conditions == 2);
    CHECK(check_numbers(course.path, true).written.empty());
}

TEST_CASE("what is wrong in a page is told with its line") {
    const Case cases[] = {
        {"100.0<", "100.1<", "lectures/00_first/README.md:3: 100.1 should be 100.0 (ladder:v2:us)"},
        {"2.00<", "2.01<", "README.md:3: 2.01 should be 2.00 (ladder:v1:us / ladder:v2:us)"},
        {"**80", "**81", "README.md:4: 81 should be 80"},
        {"4,131", "4,132", "README.md:4: 4,132 should be 4,131"},
        {"4,131", "41,31", "README.md:4: 41,31 should be 4,131"},
        {"2056", "2057", "README.md:5: 2057 should be 2056 (cpu.counts:v1:barriers)"},
        {"-100", "100", "README.md:5: 100 should be -100"},
        {"100.0<!--=v2_us-->", "100.0<!--=v1_us-->",
         "README.md:3: the block <!-- numbers at the end has no line v1_us = ..."},
        {"100.0<!--=v2_us-->", "100.0", "README.md:22: v2_us is not used"},
        {"100.0<", "100.0 <", "README.md:3: there is no number directly before <!--=v2_us-->"},
        {"100.0<", "`100.0`<", "there is no number directly before"},
        {"100.0<", "v100<", "there is no number directly before"},
        {"80<", "80**<", "there is no number directly before"},
        {"<!--=v2_us-->", "<!--= ladder:v2:us -->",
         "README.md:3: <!--= ladder:v2:us -->: a reference is <!--=NAME-->"},
        {"<!--=v2_us-->", "<!-- =v2_us -->", "a reference is <!--=NAME-->"},
        {"2.00<", "<!--? ladder:v2:us > 1 -->2.00<", "conditions belong in the block"},
        {"= ladder:v2:us", "= ladder:v9:us", "README.md:22: v2_us: the record of h200 has no ladder:v9"},
        {"= ladder:v2:us", "= letter:v2:us", "README.md:22: v2_us: the record of h200 has no letter"},
        {"= ladder:v2:us", "= ladder:v3:us", "the row is not valid"},
        {"= ladder:v2:us", "= t4.ladder:v2:us", "README.md:22: v2_us: results/t4.json does not exist"},
        {"= ladder:v2:us", "= ladder:v2:us *", "README.md:22: v2_us: expected a number"},
        {"v2_us = ", "v2_us: ", "README.md:22: v2_us: ladder:v2:us: a line is NAME = EXPRESSION or holds"},
        {"v2_us = ", "V2 = ", "a line is NAME = EXPRESSION or holds"},
        {"seven = ", "copy = ", "README.md:27: there are two copy"},
        {"ladder:v1:us > ladder", "ladder:v1:us < ladder",
         "README.md:31: no longer holds: h200: ladder:v1:us <"},
        {"counts:v1:barriers >", "counts:v1:barriers <", "README.md:33: no longer holds: cpu: counts"},
        {"holds cpu: ", "holds ", "README.md:33: counts:v1:barriers > 2000: a condition names its device"},
        {"holds cpu: ", "holds t4: ",
         "README.md:33: t4: counts:v1:barriers > 2000: results/t4.json does not exist"},
        {"2-3", "2-5", "README.md:7: the output results/h200.txt has 4 lines, not 2-5"},
        {"2-3", "3-2", "has 4 lines, not 3-2"},
        {"2-3", "\"five\"", "has no \"five\""},
        {"2-3", "two", "README.md:7: which lines are these?"},
        {"2-3", "\"thre\"", "README.md:9: the output should be \"one\""},
        {"h200.txt 2-3", "t4.txt", "the output results/t4.txt does not exist"},
        {"two\n", "too\n", "README.md:9: the output should be \"two\""},
        {"three\n", "", "README.md:10: the output should be \"three\""},
        {"three\n", "three\nfour\n", "README.md:11: the output should end"},
        {"-->\n```text", "-->\nWords.\n```text", "README.md:7: no code block directly below"},
        {"| 100.0 us", "| 100.1 us",
         "README.md:17: the table claims should be \"| v2 is fast | 100.0 us, 2.00x | holds: `{x}` |\""},
        {"| holds:", "| holds, nearly:", "README.md:17: the table claims should be"},
        {"|---|---|---|\n", "", "README.md:16: the table claims should be"},
        {"table: claims", "table: claim", "README.md:13: results/tables.md has no table ## claim"},
        {"<!-- /table -->", "", "README.md:13: this table does not end"},
        {"<!-- /table -->", "<!-- table: bytes -->\n<!-- /table -->",
         "README.md:13: this table does not end"},
        {"<!-- table: claims -->", "", "README.md:19: there is no <!-- table: NAME --> above"},
    };
    for (const Case& one : cases) {
        const MeasuredCourse course;
        course.write(course.page, with(lecture, one.from, one.to));
        judge(one.to, course.complaints(), one.complaint);
    }
}

TEST_CASE("each changed digit of a number is found") {
    const MeasuredCourse course;
    int changed = 0;
    for (const char* number : {"100.0<", "2.00<", "80<", "4,131<", "7<!--=seven", "2056<", "-100<",
                               "2<!--=two", "100.0 us, 2.00x"}) {
        const std::size_t begin = lecture.find(number);
        for (std::size_t at = begin; lecture[at] != '<' && lecture[at] != 'x'; ++at) {
            std::string text = lecture;
            if (text[at] < '0' || text[at] > '9') continue;
            text[at] = text[at] == '9' ? '1' : static_cast<char>(text[at] + 1);
            course.write(course.page, text);
            judge(text.substr(begin, 12), course.complaints(), " should be ");
            ++changed;
        }
    }
    CHECK(changed == 29);
}

TEST_CASE("what is wrong in a template is told with its line") {
    const Case cases[] = {
        {"ladder:v2:us .1", "ladder:v9:us .1",
         "lectures/00_first/results/tables.md:7: the record of h200 has no ladder:v9"},
        {"ladder:v2:us .1", "ladder:v3:us .1", "tables.md:7: ladder:v3:us: the row is not valid"},
        {"ladder:v2:us .1", "t4.ladder:v2:us .1",
         "tables.md:7: t4.ladder:v2:us: results/t4.json does not exist"},
        {"ladder:v2:us .1", "ladder:v2:us * .1", "tables.md:7: ladder:v2:us *: expected a number"},
        {"ladder:v2:us .1", "ladder:v2:us 1f", "tables.md:7: ladder:v2:us 1f: expected an operator"},
        {"ladder:v1:us > ladder", "ladder:v1:us < ladder",
         "tables.md:7: no longer holds: h200: ladder:v1:us < ladder:v2:us"},
        {"{? h200: ladder", "{? ladder",
         "tables.md:7: ladder:v1:us > ladder:v2:us: a condition names its device"},
        {"{? h200: ", "{? t4: ",
         "tables.md:7: t4: ladder:v1:us > ladder:v2:us: results/t4.json does not exist"},
        {"us ,}", "us ,", "tables.md:13: {sizes:v2@16:us , : does not end"},
        {"| v2 is fast", "| v2 | is fast", "tables.md:7: this row has not as many cells as the first"},
        {"## bytes", "## claims", "tables.md:11: a second table of one name"},
        {"## claims", "", "tables.md:5: a table needs a name: ## NAME"},
        {"## bytes", "## more\n\n| a |\n\n## bytes",
         "tables.md:11: no page shows this table: <!-- table: more -->"},
    };
    for (const Case& one : cases) {
        const MeasuredCourse course;
        course.write(course.tables, with(templates, one.from, one.to));
        const Complaints complaints = course.complaints();
        judge(one.to, complaints, one.complaint);
        CHECK(check_numbers(course.path, true).complaints == complaints);
        CHECK(course.read(course.page) == lecture);  // text with a mistake is not written
    }
}

TEST_CASE("an appendix is a page of the lecture, with names of its own") {
    const MeasuredCourse course;
    const std::string appendix = "lectures/00_first/appendix.md",
                      end = "\n\n<!-- numbers\nv2_us = ladder:v2:us\n-->\n";
    course.write(appendix, "v2 takes 99.0<!--=v2_us--> us." + end);
    CHECK(course.complaints() == Complaints{appendix + ":1: 99.0 should be 100.0 (ladder:v2:us)"});
    check_numbers(course.path, true);
    CHECK(course.read(appendix) == "v2 takes 100.0<!--=v2_us--> us." + end);
    course.write(appendix, "v2 takes 50<!--=share--> us." + end);
    CHECK(contains(joined(course.complaints(), "\n"),
                   appendix + ":1: the block <!-- numbers at the end has no line share = ..."));
}

TEST_CASE("decks and records, too") {
    const struct {
        std::string file, text, complaint;
    } cases[] = {
        {"slides/00_first.md", with(deck, "7<", "8<"), "slides/00_first.md:4: 8 should be 7"},
        {"slides/00_first.md", with(deck, "1-1", "4-5"),
         "slides/00_first.md:5: the output lectures/00_first/results/h200.txt has 4"},
        {"slides/00_first.md", with(deck, "1-1", "\"six\""), "has no \"six\""},
        {"slides/00_first.md", with(deck, "12,346", "12,345"),
         "slides/00_first.md:11: the table bytes should be \"| 16 | 12,346 |\""},
        {"slides/99_none.md", deck, "slides/99_none.md:16: count: results/h200.json does not exist"},
        {"lectures/00_first/results/h200.json", "{", "results/h200.json:1: not JSON"},
        {"lectures/00_first/results/h200.json", "{\"rows\": [1]}",
         "results/h200.json is not a record of schema 1"},
    };
    for (const auto& [file, text, complaint] : cases) {
        const MeasuredCourse course;
        course.write(file, text);
        judge(text, course.complaints(), complaint);
    }
    const Folder nothing;
    CHECK(contains(joined(check_numbers(nothing.path, false).complaints, ""), "no lecture"));
}

TEST_CASE("pages quote a second device by its name only") {
    const MeasuredCourse course;
    const std::string t4 = with(with(gpu_record, "NVIDIA H200", "NVIDIA T4"), "200.25", "1500"),
                      before = course.read(course.page);
    course.write("lectures/00_first/results/t4.json", t4);
    judge("as before", course.complaints(), "");
    CHECK(course.read(course.page) == before);

    course.write(course.tables, with(templates, "us .1} us, {", "us .1} us, on a T4 {t4.ladder:v1:us ,}, {"));
    check_numbers(course.path, true);
    judge("in order", course.complaints(), "");
    CHECK(contains(course.read(course.page),
                   "| claim | figure on H200 | verdict |\n|---|---|---|\n"
                   "| v2 is fast | 100.0 us, on a T4 1,500, 2.00x | holds: `{x}` |\n"));
    course.write(course.tables, with(templates, "? h200:", "? t4:"));
    course.write("lectures/00_first/results/t4.json", with(t4, "1500", "50"));
    judge("the condition", course.complaints(),
          "tables.md:7: no longer holds: t4: ladder:v1:us > ladder:v2:us");
}

TEST_CASE("a topic without the main device shows the GPU that it has") {
    const MeasuredCourse course;
    course.write("lectures/00_first/results/t4.json", with(gpu_record, "NVIDIA H200", "NVIDIA T4"));
    fs::remove(course.path / course.record);
    course.write(course.tables, with(templates, "{? h200: ladder:v1:us > ladder:v2:us}", "{? t4: 2 > 1}"));
    check_numbers(course.path, true);
    CHECK(contains(course.read(course.page), "| claim | figure on T4 | verdict |"));
}

TEST_CASE("numbers, tables and outputs are written anew") {
    const MeasuredCourse course;
    course.write(course.record,
                 with(with(gpu_record, "4131.3", "14131.6"), "\"us\": 100.0", "\"us\": 50.04"));
    course.write(course.output, "one\n2\n3\nfour\n");
    CHECK(check_numbers(course.path, true).written ==
          std::vector<std::string>{"lectures/00_first/README.md: 6 places written"});
    std::string wanted = with(with(with(lecture, "100.0<", "50.0<"), "2.00<", "4.00<"), "4,131<", "14,132<");
    wanted = with(with(with(wanted, "-100", "-50"), "two\nthree\n", "2\n3\n"), "100.0 us, 2.00x",
                  "50.0 us, 4.00x");
    CHECK(course.read(course.page) == wanted);
    judge("in order", course.complaints(), "");
}

TEST_CASE("a paragraph of output, and a table that is new") {
    const MeasuredCourse course;
    course.write(course.output, "one\n\ntwo\n3\n\ntwo\n");
    course.write(course.page, with(lecture, "2-3", "\"3\""));
    check_numbers(course.path, true);
    CHECK(course.read(course.page) == with(with(lecture, "2-3", "\"3\""), "two\nthree\n", "two\n3\n"));

    course.write(course.slides, deck.substr(0, deck.find("\n\n| n")) + "\n<!-- /table -->" +
                                    deck.substr(deck.find("\n\n<!-- numbers")));
    check_numbers(course.path, true);
    CHECK(course.read(course.slides) == deck);
}

TEST_CASE("what only an author can mend stays, and is told") {
    const MeasuredCourse course;
    course.write(course.record, with(gpu_record, "\"us\": 200.25", "\"us\": 99.5"));
    CHECK(
        contains(joined(check_numbers(course.path, true).complaints, "\n"), "README.md:31: no longer holds"));
    const std::string broken = with(lecture, "= ladder:v2:us", "= ladder:v9:us");
    course.write(course.record, gpu_record);
    course.write(course.page, broken);
    CHECK(check_numbers(course.path, true).complaints.size() == 1);
    CHECK(course.read(course.page) == broken);
}

TEST_CASE("what the page for authors shows is what is read") {
    const fs::path lectures = fs::path(KIT_ROOT) / "lectures";
    const Markdown told(read_text(lectures / "results.md"));
    std::vector<std::string> examples;
    for (const Block& block : told.blocks()) {
        if (block.kind == Block::code && block.info == "text") examples.push_back(block.plain);
    }
    REQUIRE(examples.size() == 4);
    const Folder course;
    fs::create_directories(course.path / "lectures/07_reduction");
    fs::copy(lectures / "07_reduction/results", course.path / "lectures/07_reduction/results");
    course.write("lectures/07_reduction/results/tables.md", examples[1]);
    course.write("lectures/07_reduction/README.md", examples[0] + "\n" + examples[2]);
    CHECK(joined(check_numbers(course.path, true).complaints, "\n") == "");
    const std::string page = course.read("lectures/07_reduction/README.md");
    CHECK(contains(page, "| claim | how measured | figure on H200 | verdict |\n"));
    CHECK(contains(page, "x | holds |\n"));
    CHECK(contains(page, "<!--=v2_gain-->% faster"));
}

}  // namespace numbers_test
