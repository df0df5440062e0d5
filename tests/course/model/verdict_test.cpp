// Tests of verdict.hpp, json_value.hpp and common/json.hpp: written data is read correctly, and a damaged
// file is not a verdict.
#include "verdict.hpp"

#include <doctest/doctest.h>

#include <facts/json.hpp>
#include <json.hpp>
#include <json_value.hpp>

#include "folder.hpp"

using namespace course;
using course_test::Folder;
using kit::JsonValue;
using kit::parse_json;

namespace {

/// Returns the contents of a text in JSON; nothing if it is not JSON.
std::optional<std::string> words_in(const std::string& json) {
    const std::optional<JsonValue> value = parse_json(json);
    if (!value || value->kind != JsonValue::text) return {};
    return value->words;
}

bool is_json(const std::string& text) {
    return parse_json(text).has_value();
}

}  // namespace

TEST_CASE("a verdict that is written is the one that is read") {
    const Folder folder;
    Verdict verdict;
    verdict.test = "exercise.07_reduction.tree";
    verdict.outcome = "wrong";
    verdict.failed = 1;
    verdict.seconds = 0.1;
    verdict.output = "RESULT \"fail\"\n\t\\ <b> \x7f \xe2\x80\x94";
    CaseVerdict one;
    one.name = "n=1";
    one.tasks = {1, 2};
    one.lines = {"a", ""};
    one.at = {"a.cu", 24, "x"};
    one.crossed = 0, one.edit = 0;
    one.difference.what = "out";
    one.difference.elements = {{3, "0", "3.25", false, 1e-5}};
    one.pattern = kit::facts::Pattern::end;
    one.count.name = "barriers", one.count.actual = 3, one.count.bound = kit::facts::Count::Bound::exactly;
    one.end.fault = kit::facts::Fault::late;
    one.also = {one};
    one.finding = kit::facts::Finding(kit::facts::Rule::race);
    one.finding->kernel = "tree";
    verdict.cases = {one, {}};
    write_verdict(folder.path / "a.json", verdict);
    const std::optional<Verdict> read = read_verdict(folder.path / "a.json");
    REQUIRE(read);
    CHECK(read->test == verdict.test);
    CHECK(read->outcome == "wrong");
    CHECK(read->failed == 1);
    CHECK(read->seconds == 0.1);
    CHECK(read->output == verdict.output);
    REQUIRE(read->cases.size() == 2);
    CHECK(read->cases[0].tasks == one.tasks);
    CHECK(read->cases[0].lines == one.lines);
    CHECK(read->cases[0].at.line == 24);
    CHECK(read->cases[0].crossed == 0);
    CHECK(!read->cases[1].crossed);
    CHECK(read->cases[0].edit == 0);
    CHECK(!read->cases[1].edit);
    CHECK(read->cases[0].difference.elements.at(0).tolerance == 1e-5);
    CHECK(read->cases[0].pattern == kit::facts::Pattern::end);
    CHECK(kit::facts::to_json(read->cases[0]) == kit::facts::to_json(one));
    REQUIRE(read->cases[0].also.size() == 1);
    CHECK(read->cases[0].also[0].end.fault == kit::facts::Fault::late);
    REQUIRE(read->cases[0].finding);
    CHECK(read->cases[0].finding->rule == kit::facts::Rule::race);
    CHECK(read->cases[0].finding->kernel == "tree");
    CHECK(!read->cases[1].finding);
    CHECK(read->cases[1].name.empty());
}

TEST_CASE("another method is data: what the exercise practises, what was done instead, and why it matters") {
    const Folder folder;
    Verdict verdict;
    verdict.outcome = other_method;
    CaseVerdict one;
    one.name = "n=1", one.status = Status::other, one.count.name = "threads", one.tasks = {1};
    one.method = {"a tree", "you wrote a loop", "Steps are few.", 1, "threads"};
    verdict.cases = {one};
    verdict.sentence = "right in all 2 cases, but not as this exercise asks";
    write_verdict(folder.path / "a.json", verdict);
    const Verdict read = read_verdict(folder.path / "a.json").value();
    CHECK(read.outcome == "other_method");
    CHECK(read.cases[0].status == Status::other);
    REQUIRE(read.cases[0].method);
    CHECK(read.cases[0].method->practises == "a tree");
    CHECK(read.cases[0].method->did == "you wrote a loop");
    CHECK(read.cases[0].method->why == "Steps are few.");
    for (const auto& [outcome, word] :
         {std::pair("pass", "pass"), std::pair(other_method, "other"), std::pair("wrong", "fail"),
          std::pair("broken", "fail"), std::pair("open", "open"), std::pair("skip", "skip")})
        CHECK(word_of(outcome) == word);
}

TEST_CASE("what is missing in a verdict keeps its value, and what is unknown is ignored") {
    const Folder folder;
    folder.write("a.json", R"({"outcome": "pass", "schema": [null, true], "cases": [{}]})");
    const std::optional<Verdict> verdict = read_verdict(folder.path / "a.json");
    REQUIRE(verdict);
    CHECK(verdict->outcome == "pass");
    CHECK(verdict->status == 0);
    CHECK(verdict->cases.size() == 1);
}

TEST_CASE("a file with a value of another kind is not a verdict") {
    const Folder folder;
    const std::string wrong[] = {"",
                                 "[]",
                                 "{",
                                 R"({"outcome": 1})",
                                 R"({"status": "0"})",
                                 R"({"status": true})",
                                 R"({"status": 1e10})",
                                 R"({"notes": {}})",
                                 R"({"notes": [1]})",
                                 R"({"cases": [[]]})",
                                 R"({"cases": [{"tasks": ["1"]}]})",
                                 R"({"cases": [{"outcome": "perhaps"}]})",
                                 R"({"cases": [{"difference": {"wrong": -1}}]})",
                                 R"({"outcome": null})"};
    for (const std::string& text : wrong) {
        CAPTURE(text);
        folder.write("a.json", text);
        CHECK_FALSE(read_verdict(folder.path / "a.json"));
    }
    CHECK_FALSE(read_verdict(folder.path / "none.json"));
}

TEST_CASE("JSON is read, with blanks everywhere") {
    const std::optional<JsonValue> value =
        parse_json(" { \"a\" : [ 1 , -2.5e1,true,false , null ] ,\n\"a b\":{}, \"a\" : 3}\r\n");
    REQUIRE(value);
    REQUIRE(value->kind == JsonValue::object);
    CHECK(value->names == std::vector<std::string>{"a", "a b", "a"});
    const JsonValue& list = value->values[0];
    REQUIRE(list.values.size() == 5);
    CHECK(list.values[1].amount == -25);
    CHECK(list.values[2].kind == JsonValue::boolean);
    CHECK(list.values[2].amount == 1);
    CHECK(list.values[4].kind == JsonValue::null);
    REQUIRE(value->find("a"));
    CHECK(value->find("a")->amount == 3);
    CHECK_FALSE(value->find("b"));
}

TEST_CASE("what is not JSON is not read") {
    for (const char* text :
         {"{",  "}",  "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",  "{a:1}",    "nul", "inf", "-",
          "+1", ".5", "1 2",  "\"",    "\"\\",    "\"\\x\"",  "\"\\u12g4\"", "\"a\nb\"", "'a'"}) {
        CAPTURE(text);
        CHECK_FALSE(is_json(text));
    }
    CHECK(is_json(std::string(50, '[') + std::string(50, ']')));
    CHECK_FALSE(is_json(std::string(100000, '[') + std::string(100000, ']')));
}

TEST_CASE("escape sequences are read") {
    CHECK(words_in(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
    CHECK(words_in(R"("\u0041\u00e9\u20ac\ud83d\ude00")") == "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK(words_in(R"("\ud83d.\ude00\ud83d\u0041")") ==
          "\xef\xbf\xbd.\xef\xbf\xbd\xef\xbf\xbd"
          "A");
}

TEST_CASE("JSON that is written is valid, whatever the text is") {
    std::string all;
    for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
    const kit::Json json = kit::Json().value(all);
    CHECK(json.text().find('<') == std::string::npos);
    const std::optional<std::string> read = words_in(json.text());
    REQUIRE(read);
    CHECK(read->substr(0, 0x7f) == all.substr(0, 0x7f));
    CHECK(words_in(kit::Json().value("a\xff\xe2\x82").text()) == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(words_in(kit::Json().value("\xe2\x82\xac").text()) == "\xe2\x82\xac");
}

TEST_CASE("JSON is written from left to right") {
    kit::Json inner;
    inner.open('[').open('{').member("n", 1).close('}').open('{').close('}').close(']');
    CHECK(kit::Json()
              .open('{')
              .member("a", true)
              .member("b", std::vector<int>{1, -2})
              .member("c", 0.5)
              .key("d")
              .null()
              .key("e")
              .written(inner)
              .close('}')
              .text() == "{\"a\":true,\"b\":[1,-2],\"c\":0.5,\"d\":null,\"e\":[\n {\"n\":1},\n {}]}");
}
