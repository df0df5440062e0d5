// Tests which function of a submission runs for which call of the test, and what cannot be chosen.
// tests/kit/choose_test.sh runs such a program.
#include "choose.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

/// The output of nm for sums::twice(int) and sums::Big::total() const, in the test and in a submission's
/// namespace.
constexpr char test_calls[] =
    "test.o:\n                 U _ZN4sums5twiceEi\n                 U _ZNK4sums3Big5totalEv\n"
    "                 U puts\n0000000000000000 T main\n";

Symbol function(const std::string& space, const std::string& meaning, char type = 'T') {
    return {type, "symbol of " + space + " " + meaning, space + "::" + meaning};
}

std::string refusal(const std::vector<Symbol>& submissions, const std::vector<Symbol>& test) {
    try {
        return choosing_source("sum.%", submissions, test);
    } catch (const Error& error) {
        return error.what();
    }
}

const std::vector<Symbol> one_call = {{'U', "_ZN4sums5twiceEi", "sums::twice(int)"}};

}  // namespace

TEST_CASE("what nm prints is read as symbols and what they mean") {
    const std::vector<Symbol> symbols = symbols_in(test_calls);
    REQUIRE(symbols.size() == 4);
    CHECK(symbols[0].type == 'U');
    CHECK(symbols[0].name == "_ZN4sums5twiceEi");
    CHECK(symbols[0].meaning == "sums::twice(int)");
    CHECK(symbols[1].meaning == "sums::Big::total() const");
    CHECK(symbols[3].type == 'T');
    CHECK(symbols[3].meaning == "main");
}

TEST_CASE("each submission has a row with its function for each call, in the order of the calls") {
    std::vector<Symbol> submissions;
    for (const std::string space : {"starter_sum", "wrong_no_guard", "right_two"}) {
        submissions.push_back(function(space, "sums::Big::total() const", 'W'));
        submissions.push_back(function(space, "sums::twice(int)"));
        submissions.push_back(function(space, "sums::more(int)"));  // the test does not call this function
    }
    CHECK(choosing_source("sum.%.KIT_DEBUG", submissions, symbols_in(test_calls)) ==
          R"made(#define KIT_SUBMISSIONS \
    SUBMISSION("sum.KIT_DEBUG") \
    SUBMISSION("sum.no_guard.KIT_DEBUG") \
    SUBMISSION("sum.two.KIT_DEBUG") \

#define KIT_CALLS \
    CALL(0, "_ZN4sums5twiceEi") \
    CALL(1, "_ZNK4sums3Big5totalEv") \

#define KIT_FUNCTIONS \
    FUNCTION("symbol of starter_sum sums::twice(int)") \
    FUNCTION("symbol of starter_sum sums::Big::total() const") \
    FUNCTION("symbol of wrong_no_guard sums::twice(int)") \
    FUNCTION("symbol of wrong_no_guard sums::Big::total() const") \
    FUNCTION("symbol of right_two sums::twice(int)") \
    FUNCTION("symbol of right_two sums::Big::total() const") \

#include "grader/choose.hpp"
)made");
}

TEST_CASE("types of the submission's namespace are those of the test, and other words are no namespace") {
    const std::vector<Symbol> submissions = {
        {'T', "mine", "wrong_tail::sums::twice(wrong_tail::sums::Big const&, wrong_tail::sums::Pair*)"},
        {'T', "other", "sums::copywrong_tail::twice(int)"},
        {'T', "another", "sums::wrong_turns(int)"}};
    const std::vector<Symbol> test = {{'U', "called", "sums::twice(sums::Big const&, sums::Pair*)"}};
    const std::string source = choosing_source("sum.%", submissions, test);
    CHECK(contains(source, "CALL(0, \"called\")"));
    CHECK(contains(source, "FUNCTION(\"mine\")"));
    CHECK(contains(source, "SUBMISSION(\"sum.tail\")"));
    CHECK(!contains(source, "other"));
}

TEST_CASE("what cannot be chosen is refused") {
    CHECK(contains(
        refusal({function("wrong_one", "sums::twice(int)"), function("right_one", "sums::twice(int)")},
                one_call),
        "sum.%: two submissions are called one"));
    CHECK(contains(
        refusal({function("wrong_one", "sums::twice(int)"), function("right_two", "sums::other(int)")},
                one_call),
        "sum.%: right_two does not define sums::twice(int)"));
    CHECK(contains(refusal({function("wrong_one", "sums::twice(int)", 't')}, one_call),
                   "sum.%: the test calls sums::twice(int), which is static in a submission"));
    CHECK(contains(
        refusal({function("wrong_one", "sums::count", 'B')}, {{'U', "_ZN4sums5countE", "sums::count"}}),
        "sum.%: the test uses sums::count, which is data"));
    CHECK(contains(refusal({function("wrong_one", "sums::twice(int)")}, {{'U', "puts", "puts"}}),
                   "sum.%: the test calls nothing that the submissions define"));
}
