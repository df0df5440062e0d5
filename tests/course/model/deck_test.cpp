// Tests of decks: text that is inserted from other files, text that is removed for Marp, and each mistake
// with its line.
#include "deck.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"

namespace deck_test {

using namespace course;

namespace {

const std::string front = "---\ntitle: 07 Topic\n---\n";

/// A repository that contains one deck.
struct Repository : course_test::Folder {
    Repository() {
        write("solutions/07_topic/a.cu",
              "// top\n// [kernel]\n    // TODO(1): What to write,\n    // on two lines.\n\n"
              "    int a = 1;  // one\n\n    // [inner]\n    int b = 2;\n    // [/inner]\n"
              "      int c = 3;\n// [/kernel]\n");
        write("solutions/07_topic/exercise.cu",
              "// [kernel]\nint a;\n// TODO(1): Write.\n// BEGIN SOLUTION 1\nint b;\n// END SOLUTION 1\n"
              "int c;\n// [/kernel]\n");
        write("lectures/07_topic/results/h200.txt", "title\n\n  v1  10 us  \n  v2   5 us\n");
        write("lectures/07_topic/figures/a.svg", "<svg/>");
        write("slides/08_next.md", "");
    }

    Deck deck(const std::string& text) const {
        write("slides/07_topic.md", text);
        return read_deck(path, "slides/07_topic.md");
    }

    /// Returns the body of a generated deck, without empty lines at either end.
    std::string body(const std::string& text) const {
        const Deck made = deck(front + text + "\n");
        CHECK(joined(made.complaints, "\n") == "");
        return trimmed(std::string_view(made.text).substr(made.text.find("\n---\n") + 5));
    }

    /// Returns the body of a generated deck without any empty lines.
    std::string compact(const std::string& text) const {
        std::string kept;
        for (const std::string& line : lines_of(body(text))) kept += line.empty() ? "" : line + "\n";
        return kept;
    }

    /// Returns the complaints about a deck with this body, which starts in line 4.
    std::string complaint(const std::string& text) const {
        return joined(deck(front + text + "\n").complaints, "\n");
    }
};

const std::string code = "<!-- code: solutions/07_topic/a.cu ",
                  output = "<!-- output: lectures/07_topic/results/";
const std::string typed =
    "slides/07_topic.md:4: code and output are never typed on slides: <!-- code: FILE REGION --> or "
    "<!-- output: ... -->";

}  // namespace

TEST_CASE_FIXTURE(Repository, "code is a region, without marks and TODO comments") {
    CHECK(body(code + "inner -->") == "```cpp\nint b = 2;\n```");
    CHECK(body(code + "kernel -->") == "```cpp\nint a = 1;  // one\n\nint b = 2;\n  int c = 3;\n```");
    CHECK(complaint(code + "none -->") ==
          "slides/07_topic.md:4: solutions/07_topic/a.cu: no region // [none] ... // [/none]; it has: "
          "kernel, inner");
    CHECK(complaint("<!-- code: solutions/07_topic/b.cu kernel -->") ==
          "slides/07_topic.md:4: there is no file solutions/07_topic/b.cu");
    CHECK(complaint("\n<!-- code: solutions/07_topic/a.cu -->") ==
          "slides/07_topic.md:5: is not \"code: FILE REGION [gap] [lines=A-B] [mark=A-B]\": "
          "solutions/07_topic/a.cu");
    for (const std::string& wrong :
         {code + "kernel 3-5 -->", std::string("<!-- code: -->"), std::string("<!-- code:a.cu x -->")})
        CHECK(contains(complaint(wrong), ":4: is not \"code: FILE REGION"));
}

TEST_CASE_FIXTURE(Repository, "what an exercise asks for has its gap until the class has predicted") {
    const std::string asked = "<!-- code: solutions/07_topic/exercise.cu kernel", between = "\n\n---\n",
                      predict = "<!-- _class: predict small -->\n";
    CHECK(body(asked + " gap -->") == "```cpp\nint a;\nKIT_TODO(1);\nint c;\n```");
    CHECK(body(asked + " gap lines=2-3 mark=1 -->") == "```cpp mark=1\nKIT_TODO(1);\nint c;\n```");
    CHECK(body(asked + " lines=1,3 -->") == "```cpp\nint a;\n// ...\nint c;\n```");
    CHECK(contains(body(predict + between + asked + " -->"), "int b;"));
    const std::string wanted =
        "show it after the first slide of class predict, and here with its gap, "
        "\"solutions/07_topic/exercise.cu kernel gap\"";
    CHECK(contains(complaint(asked + " -->"), ":4: this is what an exercise asks for: " + wanted));
    CHECK(contains(complaint(predict + asked + " -->" + between), ":5: this is"));
    CHECK(contains(complaint("<!-- _class: demo -->" + between + asked + " -->"), wanted));
}

TEST_CASE_FIXTURE(Repository, "the language of code is that of its file") {
    for (const auto& [file, language] :
         {std::pair("a.sh", "sh"), {"CMakeLists.txt", "cmake"}, {"a.xyz", "text"}, {"a.hpp", "cpp"}}) {
        write(file, "// [x]\ny\n// [/x]\n");
        CHECK(body(std::string("<!-- code: ") + file + " x -->") ==
              std::string("```") + language + "\ny\n```");
    }
}

TEST_CASE_FIXTURE(Repository, "some lines of code, and marked lines") {
    CHECK(body(code + "kernel lines=1,3-4 mark=2 -->") ==
          // An omitted empty line needs no dots.
          "```cpp mark=2\nint a = 1;  // one\nint b = 2;\n  int c = 3;\n```");
    CHECK(body(code + "kernel lines=1,4 -->") == "```cpp\nint a = 1;  // one\n  // ...\n  int c = 3;\n```");
    CHECK(body(code + "kernel lines=4 -->") == "```cpp\nint c = 3;\n```");
    CHECK(begins_with(body(code + "kernel mark=1,3-4 -->"), "```cpp mark=1,3,4\n"));
    CHECK(complaint(code + "kernel lines=3-9 -->") ==
          "slides/07_topic.md:4: lines=3-9: solutions/07_topic/a.cu kernel has 4 lines");
    CHECK(contains(complaint(code + "kernel lines=1,3 mark=3 -->"),
                   "mark=3: solutions/07_topic/a.cu kernel has 2 lines"));
    for (const char* wrong : {"", "a", "3-1", "4,2", "1-3,3", "1-", "0-2", "1,,2", "1,"}) {
        CAPTURE(wrong);
        CHECK(complaint(code + "kernel lines=" + wrong + " -->") ==
              "slides/07_topic.md:4: lines=" + std::string(wrong) +
                  ": line numbers are written 3-5 or 1,4-6, and ascend");
    }
}

TEST_CASE_FIXTURE(Repository, "nothing is typed but commands") {
    CHECK(body("```sh\nctest `tests/none`\n```") == "```sh\nctest `tests/none`\n```");
    CHECK(complaint("```cpp\nint typed;\n```") == typed);
    CHECK(complaint("```\nsum 1\n```") == typed);
    CHECK(body("```sh\n<!-- code: x y -->\n![](x)\n---\n```") ==
          "```sh\n<!-- code: x y -->\n![](x)\n---\n```");
}

TEST_CASE_FIXTURE(Repository, "output is an excerpt, without shared indentation") {
    CHECK(body(output + "h200.txt \"v2\" -->") == "```text\nv1  10 us\nv2   5 us\n```");
    CHECK(body(output + "h200.txt 1-1 -->") == "```text\ntitle\n```");
    CHECK(complaint(output + "none.txt 1-2 -->") ==
          "slides/07_topic.md:4: the output lectures/07_topic/results/none.txt does not exist or is empty");
    CHECK(contains(complaint(output + "h200.txt v2 -->"), "slides/07_topic.md:4: which lines are these?"));
}

TEST_CASE_FIXTURE(Repository, "figures get their whole path") {
    CHECK(body("text\n![a & \"b\"](../lectures/07_topic/figures/a.svg \"below\")\ntext") ==
          "text\n\n![a & \"b\"](" + (path / "lectures/07_topic/figures/a.svg").string() +
              " \"below\")\n\ntext");
    CHECK(complaint("![ ](../lectures/07_topic/figures/a.svg)") ==
          "slides/07_topic.md:4: ../lectures/07_topic/figures/a.svg has no alternative text");
    CHECK(complaint("![a](../lectures/07_topic/figures/b.svg)") ==
          "slides/07_topic.md:4: there is no figure lectures/07_topic/figures/b.svg");
    CHECK(complaint("![a](figures/a.png)") == "slides/07_topic.md:4: slides/figures/a.png: figures are SVG");
    for (const char* wrong :
         {"see ![a](../lectures/07_topic/figures/a.svg)", "![a](../lectures/07_topic/figures/a.svg) here",
          "![a]", "![a](", "![a]()", "![", "![a](x.svg \"b)"}) {
        CAPTURE(wrong);
        CHECK(contains(complaint(wrong), ":4: an image stands alone on its line"));
    }
}

TEST_CASE_FIXTURE(Repository, "columns are closed before the notes and at the end of the slide") {
    const std::string open = "<div class=\"columns\"><div class=\"column\">\n",
                      next = "</div><div class=\"column\">\n", close = "</div></div>\n";
    CHECK(compact("<!-- column -->\na\n<!-- column -->\nb\n<!--\nnote\n-->\n\n---\nc") ==
          open + "a\n" + next + "b\n" + close + "<!-- note -->\n---\nc\n");
    CHECK(compact("<!-- column -->\na\n<!-- Time: 1 min.\nSay: b -->") ==
          open + "a\n" + close + "<!-- Time: 1 min.\nSay: b -->\n");
    CHECK(compact("<!-- column -->\na\n<!-- Time: 1 min. -->") ==
          open + "a\n" + close + "<!-- Time: 1 min. -->\n");
    CHECK(compact("<!-- column -->\n<!-- _class: small -->\na\n---\nb") ==
          open + "<!-- _class: small -->\na\n" + close + "---\nb\n");
    CHECK(compact("<!-- column -->\na\n<!-- columns end -->\nb") == open + "a\n" + close + "b\n");
    CHECK(compact("<!-- column -->\na") == open + "a\n" + close);
}

TEST_CASE_FIXTURE(Repository, "comments about numbers vanish, notes stay") {
    CHECK(body("1.87<!--= a:b:c / d:e:f -->x, 3<!--given-->%<!--? a:b:c > 1 -->") == "1.87x, 3%");
    CHECK(body("1.87<!--=speedup-->x\n<!-- a note -->") == "1.87x\n<!-- a note -->");
    CHECK(compact("a\n\n<!-- numbers\nspeedup = a:b:c / d:e:f\n-->\n\n<!-- table: ladder -->\n| a "
                  "|\n|---|\n| 1 |\n<!-- /table -->\nb") == "a\n| a |\n|---|\n| 1 |\nb\n");
    CHECK(complaint("<!-- numbers\na = 1\n-->\n`tests/none.cu`") ==
          "slides/07_topic.md:7: there is no tests/none.cu");
}

TEST_CASE_FIXTURE(Repository, "a note is one line per paragraph, so that the speaker's window wraps it") {
    CHECK(body("<!-- Time: 1 min.\nSay: a\nb c.\nOften wrong: d\ne\n\nf -->") ==
          "<!-- Time: 1 min.\nSay: a b c.\nOften wrong: d e\n\nf -->");
}

TEST_CASE_FIXTURE(Repository, "what is opened is closed") {
    CHECK(complaint("text\n<!-- Time: 1 min.\n\n---\n## Next") ==
          "slides/07_topic.md:5: a comment that is not closed: -->");
    CHECK(complaint("```sh\nctest\n---\n") ==
          "slides/07_topic.md:4: a block of code that is not closed: ```");
}

TEST_CASE_FIXTURE(Repository, "links and paths") {
    CHECK(body("[next](08_next.md), [web](https://example.org), [here](#2)") ==
          "[next](08_next.html), [web](https://example.org), [here](#2)");
    CHECK(complaint("[next](09_next.md)") == "slides/07_topic.md:4: there is no deck 09_next.md");
    CHECK(complaint("text\n\n- one\n- [tasks](../exercises/07_topic/README.md)") ==
          "slides/07_topic.md:7: ../exercises/07_topic/README.md: link to another deck (08_scan.md) or to "
          "the web, or write a "
          "path as code");
    CHECK(complaint("see `solutions/07_topic/b.cu`") ==
          "slides/07_topic.md:4: there is no solutions/07_topic/b.cu");
    CHECK(complaint("<!-- Time: 1 min.\nSay: `tests/b.cu` -->") ==
          "slides/07_topic.md:5: there is no tests/b.cu");
    const std::string good =
        "see `solutions/07_topic/a.cu`, `tests/TOPIC/x.cu`, `lectures/*/results` and `common`";
    CHECK(body(good) == good);
}

TEST_CASE_FIXTURE(Repository, "the front matter is one line") {
    CHECK(deck(front + "x\n").text ==
          "---\ntitle: 07 Topic\ntheme: course\nlang: en\npaginate: true\nfooter: 07 Topic\n---\nx\n");
    for (const char* wrong :
         {"---\ntitle: Topic\n---\nx\n", "---\ntitle: 07 Topic\nfooter: mine\n---\nx\n", "---\n---\n"}) {
        CAPTURE(wrong);
        CHECK(contains(joined(deck(wrong).complaints, "\n"),
                       "slides/07_topic.md:2: the front matter is one line"));
    }
    for (const char* wrong : {"", "x\n", "---\ntitle: 07 Topic\n"}) {
        CAPTURE(wrong);
        CHECK(contains(joined(deck(wrong).complaints, "\n"),
                       "slides/07_topic.md:1: a deck begins with a front matter"));
    }
}

TEST_CASE_FIXTURE(Repository, "all mistakes are named, in the order of the lines; all files are known") {
    const Deck made =
        deck(front + code + "none -->\n\n[a](b)\n\n" + output + "h200.txt 1-1 -->\n\n```cpp\nx\n```\n");
    REQUIRE(made.complaints.size() == 3);
    CHECK(contains(made.complaints[0], ".md:4: "));
    CHECK(contains(made.complaints[1], ".md:6: "));
    CHECK(contains(made.complaints[2], ".md:10: "));
    CHECK(made.files == std::vector<fs::path>{"slides/07_topic.md", "solutions/07_topic/a.cu",
                                              "lectures/07_topic/results/h200.txt"});
}

}  // namespace deck_test
