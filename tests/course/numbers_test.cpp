// Numbers in lectures and slides: expressions, what is found in a text, the rule and the tool that writes them anew, each with
// what it must reject. Usage: course_numbers_test FOLDER (which is emptied).
#include "numbers.hpp"

#include <functional>

#include "results_test.hpp"

namespace course::test {

namespace {

double made_up(const std::string& reference) {
    if (reference == "a:v-1+2@3.x:us") return 7;
    if (reference == "roofs:copy_gb_per_s") return 4000;
    if (reference == "cpu.2d:v1:barriers") return 8;
    throw ExpressionError("no " + reference);
}

std::string said_by(const std::function<double()>& compute) {
    try {
        return "gave " + std::to_string(compute());
    } catch (const ExpressionError& error) {
        return error.what();
    }
}

void test_expressions(Tally& tally) {
    const std::pair<const char*, double> values[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"8 - 4 - 2", 2},
        {"8 / 4 / 2", 1},
        {"-2 * -(3)", 6},
        {"2.5*4", 10},
        {"a:v-1+2@3.x:us", 7},
        {"a:v-1+2@3.x:us - 1", 6},
        {"a:v-1+2@3.x:us-1", 6},
        {"roofs:copy_gb_per_s/2", 2000},
        {"roofs:copy_gb_per_s-1", 3999},
        {"100 * cpu.2d:v1:barriers / 16", 50},
        {"min(3, 1, 2) + max(1, 2)", 3},
    };
    for (const auto& [text, wanted] : values) {
        const std::string said = said_by([&, text = text] { return evaluate(text, made_up); });
        tally.report(text, said == "gave " + std::to_string(wanted), said);
    }
    const std::pair<const char*, const char*> wrong[] = {
        {"", "expected a number"},
        {"1 +", "expected a number"},
        {"(1", "expected )"},
        {"1 2", "expected an operator"},
        {"1 / 0", "divides by zero"},
        {"1 / (2 - 2)", "divides by zero"},
        {"min(1)", "two values"},
        {"abs(1)", "expected a number"},
        {"1..2", "expected a number"},
        {"b:v1:us", "no b:v1:us"},
        {"a:V 1:us", "no a:V"},
        {"1 < 2", "expected an operator"},
        {"--1 x", "expected an operator"},
    };
    for (const auto& [text, wanted] : wrong) {
        const std::string said = said_by([&, text = text] { return evaluate(text, made_up); });
        tally.report(std::string("refused: ") + text, said.find(wanted) != std::string::npos, said);
    }
    const std::pair<const char*, const char*> conditions[] = {
        {"1 < 2", "gave 1"},           {"2 < 2", "gave 0"},
        {"2 <= 2", "gave 1"},          {"3 >= 4", "gave 0"},
        {"1 + 1 == 2", "gave 1"},      {"1 < 2 and 2 < 3 and 3 < 4", "gave 1"},
        {"1 < 2 and 3 < 3", "gave 0"}, {"2 < 1 and 1 < 2", "gave 0"},
        {"1", "expected <"},           {"1 < 2 or 2 < 1", "expected an operator"},
    };
    for (const auto& [text, wanted] : conditions) {
        const std::string said = said_by([&, text = text] { return holds(text, made_up) ? 1.0 : 0.0; });
        tally.report(text, said.find(wanted) == 0, said);
    }
}

void test_format(Tally& tally) {
    const struct {
        std::string text;
        double value;
        bool shown;
        std::string written;
    } all[] = {
        {"1.87", 1.8651, true, "1.87"},
        {"1.87", 1.864, false, "1.86"},
        {"1.87", 1.8751, false, "1.88"},
        {"59", 59.4999, true, "59"},
        {"59", 59.6, false, "60"},
        {"0.12", 0.125, true, "0.13"},
        {"0.13", 0.125, true, "0.13"},
        {"2,506", 2506.2, true, "2,506"},
        {"2506", 2506.2, true, "2506"},
        {"2,506", 12506.2, false, "12,506"},
        {"2,506", 999, false, "999"},
        {"1,234.5", 1234567.25, false, "1,234,567.3"},
        {"9.9", 1000, false, "1000.0"},
        {"-3", -3.2, true, "-3"},
        {"-3", 3.2, false, "3"},
        {"3", -3.2, false, "-3"},
        {"0", -0.2, true, "0"},
        {"-1,234", -123456, false, "-123,456"},
        {"2.1e-08", 2.13e-8, true, "2.1e-08"},
        {"2.1e-08", 2.2e-8, false, "2.2e-08"},
    };
    for (const auto& [text, value, shown, written] : all) {
        const std::string name = std::to_string(value) + " as " + text;
        tally.report(name, shows(text, value) == shown, shown ? "is not seen as the same" : "is accepted");
        tally.report(name + ", written", written_like(text, value) == written, written_like(text, value));
    }
}

/// The numbers of a text that need a reference, as "1.87x 59%".
std::string bare(const std::string& text) {
    std::string all;
    for (const Number& number : read_page(text).numbers) {
        if (number.expression.empty() && !number.given && !number.exempt)
            all += (all.empty() ? "" : " ") + number.text + number.unit;
    }
    return all;
}

void test_text(Tally& tally) {
    const std::pair<const char*, const char*> all[] = {
        {"It takes 3.5 us, or 1,200 ms.", "3.5us 1,200ms"},
        {"a 1.87x gain, 59% of 4.1 TB/s and 12 GFLOP/s", "1.87x 59% 4.1TB/s 12GFLOP/s"},
        {"at the end of the line 3\nus follow", "3us"},
        {"**91** us and **92%**", "91us 92%"},
        {"10 microseconds, 3 percent, 60 s", "10microseconds 3percent 60s"},
        {"0.94, 0.89 and 0.95 ms", "0.94ms 0.89ms 0.95ms"},
        {"14.2 / 8.8 / 4.2 us", "14.2us 8.8us 4.2us"},
        {"1 to 2% more", "1% 2%"},
        {"32.5 and 47.7 of 63.7 TFLOP/s", "32.5TFLOP/s 47.7TFLOP/s 63.7TFLOP/s"},
        {"2 times as fast, 3 times slower, 2.4 times for it, a factor of 1.9",
         "2times 3times 2.4times 1.9factor"},
        {"-3% here", "-3%"},
        {"| a | 3 us |\n|---|---|\n| 4 us | 5 |", "4us"},
        {"| n | time (us) | GB/s |\n|---|---|---|\n| 1024 | 3.5 | **7** |\n| 2048 | v4 5 | - |",
         "3.5us 7GB/s"},
        {"- one 3 us\n- 4 us\n\n1. 5 us", "3us 4us 5us"},
        {"[3 us](a_4us.md \"5 us\")", "3us"},
        // What needs none.
        {"2^28 floats, v4 of H200, 16 x 16, 32x32, 10^12 us, 580.159.04, 2026-11-21, sm_90", ""},
        {"called 3 times, 12 blocks, 1024 threads, 3 used", ""},
        {"`3 us` and ``4 ` us`` ", ""},
        {"```text\n3 us\n```\n~~~\n4 us\n~~~", ""},
        {"# 3 us\n### 4 us", ""},
        {"![took 3 us](a.svg) <img alt=\"4 us\"> <!-- 5 us\n\n6 us -->", ""},
        {"<svg><text>3 us</text></svg> <style> a { 4% } </style>", ""},
        {"---\ntitle: 3 us\n---\n", ""},
        {"2 ms<!--given--> and 3<!--given--> ms, 4, 5 and 6 ms<!--given-->", ""},
        {"the 128s", ""},
        {"## Claims measured\n| claim | source | figure |\n|---|---|---|\n| 3 us | 4 us | 5 us |", "5us"},
        {"## Claims measured\n## Other\n| claim | source | figure |\n|---|---|---|\n| 3 us | 4 us | 5 us |",
         "3us 4us 5us"},
        // A unit that is not shared.
        {"2 ms<!--given--> for 5, 3 ms", "3ms"},
        {"reach 47.7, 75%", "75%"},
        {"2<!--given--> ms and 3 ms", "3ms"},
    };
    for (const auto& [text, wanted] : all)
        tally.report(std::string("found in: ") + text, bare(text) == wanted, "found " + bare(text));
    const Page page = read_page("x\n1,187<!--= a:b:c / 2 --><!--? 1 < 2 -->x");
    const bool right = page.numbers.size() == 1 && page.numbers[0].expression == "a:b:c / 2" &&
                       page.numbers[0].text == "1,187" && page.line(page.numbers[0].begin) == 2 &&
                       page.conditions.size() == 1 && page.conditions[0].text == "1 < 2" &&
                       page.problems.empty();
    tally.report("a number with its reference", right, "read wrongly");
}

const char lecture[] = R"(# A lecture

v2 takes 100.0<!--= ladder:v2:us --> us, v1 is 2.00<!--= ladder:v1:us / ladder:v2:us -->x as slow, and that is
**80<!--= 100 * ladder:v2:of_bound -->%** of 4,131<!--= roofs:copy_gb_per_s --> GB/s.
The executor counts 2056<!--= cpu.counts:v1:barriers --> barriers. <!--? ladder:v1:us > ladder:v2:us -->

<!-- output: results/h200.txt 2-3 -->
<details>

```text
two
three
```
</details>

| n | us |
|---|---|
| 16 | 12,346<!--= sizes:v2@16:us --> |
)";

void make_course(const fs::path& root) {
    fs::remove_all(root);
    const fs::path results = root / "lectures/00_first/results";
    write(results / "h200.json", gpu_record);
    write(results / "cpu_executor.json", cpu_record);
    write(results / "h200.txt", "one\ntwo\nthree\nfour\n");
    write(root / "lectures/00_first/README.md", lecture);
    write(root / "slides/00_first.md",
          "---\nmarp: true\n---\n7<!--= other:a.b+c-d:count --> us\n<!-- output: "
          "lectures/00_first/results/h200.txt 1-1 -->\n");
    write(root / "slides/README.md", "Write 3 us<!--= nothing -->.");
}

void test_rule(Tally& tally, const fs::path& root) {
    const struct {
        std::string from, to, complaint;
    } all[] = {
        {"", "", ""},
        {"100.0<", "100.1<", "lectures/00_first/README.md:3: 100.1 should be 100.0 (ladder:v2:us)"},
        {"2.00<", "2.01<", "README.md:3: 2.01 should be 2.00"},
        {"**80", "**81", "README.md:4: 81 should be 80"},
        {"4,131", "4,132", "README.md:4: 4,132 should be 4,131"},
        {"4,131", "413,1", "should be"},
        {"2056<", "2057<", "README.md:5: 2057 should be 2056 (cpu.counts:v1:barriers)"},
        {"12,346", "12,345", "README.md:18: 12,345 should be 12,346"},
        {"<!--= ladder:v2:us -->", "", "README.md:3: 100.0 us: where is it from?"},
        {"v1:us > ladder", "v1:us < ladder",
         "README.md:5: does not hold any more: ladder:v1:us < ladder:v2:us"},
        {"ladder:v2:us -->", "ladder:v9:us -->", "has no row v9 in ladder"},
        {"ladder:v2:us -->", "letter:v2:us -->", "has no table letter"},
        {"ladder:v2:us -->", "ladder:v2:ms -->", "has no field ms in ladder:v2"},
        {"ladder:v2:us -->", "ladder:v2:version -->", "is not a number"},
        {"ladder:v2:us -->", "ladder:v3:us -->", "the row is not valid"},
        {"ladder:v2:us -->", "ladder:v2 -->", "a reference is table:row:field"},
        {"roofs:copy_gb_per_s", "roofs:copy", "has no copy in roofs"},
        {"ladder:v2:us -->", "ladder:v2:us * -->", "expected a number"},
        {"<!--= ladder", "<!-- = ladder", "without a space before the ="},
        {"<!--? ladder", "<!-- ? ladder", "without a space before the ?"},
        {"100.0<", "100.0 <", "no number stands directly before <!--= ladder:v2:us -->"},
        {"100.0<", "`100.0`<", "no number stands directly before"},
        {"100.0<!--= ladder:v2:us -->", "100.0<!-- given -->", "without spaces"},
        {"The executor", "<!-- output of the demo: a note -->The executor", ""},
        {"The executor", "The<!--given--> executor", "no number stands directly before <!--given-->"},
        {"<!--= ladder:v2:us -->", "<!--= ladder:v2:us\n-->", "a reference is one line"},
        {"ladder:v2:us -->", "ladder:v2:us", "README.md:3: ladder:v2:us us, v1"},
        {"sizes:v2@16:us -->", "sizes:v2@16:us", "README.md:18: does not end"},
        {"```\n</details>", "</details>", "README.md:10: does not end"},
        {"80<", "80**<", "no number stands directly before"},
        {"two\n", "too\n", "README.md:11: not what results/h200.txt holds, from \"two\" on"},
        {"three\n", "", "from \"three\" on"},
        {"three\n", "three\nfour\n", "from \"(its end)\" on"},
        {"2-3", "2-5", "has 4 lines, not 2-5"},
        {"2-3", "3-2", "has 4 lines, not 3-2"},
        {"h200.txt 2-3", "t4.txt", "the output results/t4.txt does not exist"},
        {"output: results/h200.txt 2-3", "output", "which lines are these?"},
        {"2-3", "\"thre\"", "README.md:11: not what results/h200.txt holds, from \"one\" on"},
        {"2-3", "\"five\"", "has no \"five\""},
        {"2-3", "two", "which lines are these?"},
        {"<details>", "Words.", "README.md:7: no code block directly below"},
    };
    for (const auto& [from, to, complaint] : all) {
        make_course(root);
        if (!from.empty()) write(root / "lectures/00_first/README.md", replaced(lecture, from, to));
        tally.judge("a lecture with " + to, check_numbers(root).complaints, complaint);
    }
    make_course(root);
    for (const Number& number : read_page(lecture).numbers) {
        for (std::size_t at = number.begin; at < number.end; ++at) {
            std::string text = lecture;
            if (text[at] < '0' || text[at] > '9') continue;
            text[at] = text[at] == '9' ? '1' : static_cast<char>(text[at] + 1);
            write(root / "lectures/00_first/README.md", text);
            tally.judge("a changed digit at " + std::to_string(at), check_numbers(root).complaints,
                        " should be ");
        }
    }
    const struct {
        std::string file, text, complaint;
    } files[] = {
        {"slides/00_first.md", "8<!--= other:a.b+c-d:count --> us", "slides/00_first.md:1: 8 should be 7"},
        {"slides/00_first.md", "8 us", "slides/00_first.md:1: 8 us: where is it from?"},
        {"slides/00_first.md", "<!-- output: lectures/00_first/results/h200.txt 4-5 -->",
         "has 4 lines, not 4-5"},
        {"slides/00_first.md", "<!-- output: lectures/00_first/results/h200.txt \"six\" -->",
         "has no \"six\""},
        {"slides/99_none.md", "8<!--= ladder:v1:us --> us", "results/h200.json does not exist"},
        {"lectures/00_first/results/h200.json", "{", "results/h200.json is not JSON"},
        {"lectures/00_first/results/h200.json", "{\"rows\": [1]}",
         "results/h200.json is no record of schema 1"},
    };
    for (const auto& [file, text, complaint] : files) {
        make_course(root);
        write(root / file, text);
        tally.judge(file + " with " + text, check_numbers(root).complaints, complaint);
    }
    fs::remove_all(root);
    tally.judge("a course without lectures", check_numbers(root).complaints, "no lecture");
}

void test_writing(Tally& tally, const fs::path& root) {
    make_course(root);
    tally.report("nothing to write", write_numbers(root).empty(), "something was written");
    const fs::path page = root / "lectures/00_first/README.md",
                   record = root / "lectures/00_first/results/h200.json";
    write(record, replaced(replaced(gpu_record, "4131.3", "14131.5"), "\"us\": 100.0", "\"us\": 50.04"));
    write(root / "lectures/00_first/results/h200.txt", "one\n2\n3\nfour\n");
    write_numbers(root);
    const std::string wanted = replaced(
        replaced(replaced(replaced(lecture, "100.0<", "50.0<"), "2.00<", "4.00<"), "4,131<", "14,132<"),
        "two\nthree\n", "2\n3\n");
    tally.report("numbers and outputs are written", read_text(page) == wanted, read_text(page));
    tally.judge("what was written", check_numbers(root).complaints, "");

    make_course(root);
    write(root / "lectures/00_first/results/h200.txt", "one\n\ntwo\n3\n\ntwo\n");
    write(page, replaced(lecture, "2-3", "\"3\""));
    write_numbers(root);
    tally.report("the paragraph with these words is written",
                 read_text(page) == replaced(replaced(lecture, "2-3", "\"3\""), "two\nthree\n", "two\n3\n"),
                 read_text(page));

    make_course(root);
    write(record, replaced(gpu_record, "\"us\": 200.25", "\"us\": 99.5"));
    write_numbers(root);
    tally.judge("a verdict that fell", check_numbers(root).complaints, "does not hold any more");
    make_course(root);
    write(page, replaced(lecture, "ladder:v2:us -->", "ladder:v9:us -->"));
    tally.report("what cannot be computed stays", write_numbers(root).empty(), "something was written");
}

}  // namespace

}  // namespace course::test

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: course_numbers_test FOLDER\n";
        return 2;
    }
    course::test::Tally tally;
    try {
        course::test::test_expressions(tally);
        course::test::test_format(tally);
        course::test::test_text(tally);
        course::test::test_rule(tally, argv[1]);
        course::test::test_writing(tally, argv[1]);
    } catch (const std::exception& error) {
        std::cout << "stopped: " << error.what() << "\n";
        return 1;
    }
    return tally.finish();
}
