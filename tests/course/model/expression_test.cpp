// Tests of expressions and conditions over references, and of the formats of numbers: results, and errors.
#include "expression.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"

namespace expression_test {

using namespace course;
using course_test::error_of;

namespace {

double made_up(const std::string& reference) {
    if (reference == "a:v-1+2@3.x:us") return 7;
    if (reference == "roofs:copy_gb_per_s") return 4000;
    if (reference == "t4.roofs:copy_gb_per_s") return 300;
    if (reference == "cpu.2d:v1:barriers") return 8;
    throw Error("no " + reference);
}

}  // namespace

TEST_CASE("values") {
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
        {"t4.roofs:copy_gb_per_s-1", 299},
        {"100 * cpu.2d:v1:barriers / 16", 50},
        {"min(3, 1, 2) + max(1, 2)", 3},
    };
    for (const auto& [text, wanted] : values) {
        CAPTURE(text);
        CHECK(evaluate(text, made_up) == wanted);
    }
}

TEST_CASE("what is no expression") {
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
        {"t4.a:v1:us", "no t4.a:v1:us"},
        {"a:V 1:us", "no a:V"},
        {"1 < 2", "expected an operator"},
        {"--1 x", "expected an operator"},
    };
    for (const auto& [text, wanted] : wrong) {
        CAPTURE(text);
        CHECK(contains(error_of([text = text] { evaluate(text, made_up); }), wanted));
    }
}

TEST_CASE("conditions") {
    for (const char* text : {"1 < 2", "2 <= 2", "1 + 1 == 2", "1 < 2 and 2 < 3 and 3 < 4"})
        CHECK_MESSAGE(holds(text, made_up), text);
    for (const char* text : {"2 < 2", "3 >= 4", "2 > 2", "1 < 2 and 3 < 3", "2 < 1 and 1 < 2"})
        CHECK_FALSE_MESSAGE(holds(text, made_up), text);
    CHECK(contains(error_of([] { holds("1", made_up); }), "expected <"));
    CHECK(contains(error_of([] { holds("1 < 2 or 2 < 1", made_up); }), "expected an operator"));
}

TEST_CASE("numbers as they are written") {
    const struct {
        std::string text;
        double value;
        std::string written;
    } cases[] = {
        {"1.87", 1.8651, "1.87"},
        {"1.87", 1.864, "1.86"},
        {"1.87", 1.8751, "1.88"},
        {"59", 59.4999, "59"},
        {"59", 59.6, "60"},
        {"0.12", 0.125, "0.12"},
        {"0.13", 0.125, "0.12"},
        {"2,506", 2506.2, "2,506"},
        {"2506", 2506.2, "2506"},
        {"25,06", 2506.2, "2,506"},
        {"2,506", 12506.2, "12,506"},
        {"2,506", 999, "999"},
        {"1,234.5", 1234567.3, "1,234,567.3"},
        {"9.9", 1000, "1000.0"},
        {"-3", -3.2, "-3"},
        {"-3", 3.2, "3"},
        {"3", -3.2, "-3"},
        {"0", -0.2, "0"},
        {"-1,234", -123456, "-123,456"},
    };
    for (const auto& [text, value, wanted] : cases) {
        CAPTURE(text);
        CHECK(written(value, form_of(text)) == wanted);
    }
}

TEST_CASE("the form of a number in a template") {
    const auto written_as = [](const char* word) {
        NumberForm form;
        return read_form(word, form) ? written(12345.678, form) : "refused";
    };
    CHECK(written_as(".2") == "12345.68");
    CHECK(written_as(",") == "12,346");
    CHECK(written_as(",.1") == "12,345.7");
    for (const char* word : {"", ".", "2", ".x", ".1,", ".1e", "e.1", "us"})
        CHECK(written_as(word) == "refused");
}

}  // namespace expression_test
