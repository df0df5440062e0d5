// What makes no difference between two texts, and what does.
#include "tokens.hpp"

#include <doctest/doctest.h>

namespace tokens_test {

using namespace classroom;

namespace {

std::string words(const std::string& source) {
    std::string text;
    for (const Token& token : tokens_of(source)) text += (text.empty() ? "" : " ") + token.text;
    return text;
}

}  // namespace

TEST_CASE("names, comments, layout and braces make no difference") {
    const std::string first = words("for (int i = 0; i < n; ++i) { sum += a[i]; }  // add all\n");
    CHECK(first == "for ( int i = 0 ; i < i ; ++ i ) i += i [ i ] ;");
    CHECK(words("/* copied\n */ for(int k=0;k<count;++k)\n    total+=values [k];") == first);
    CHECK(words("const float x1 = 1.0f;") == words("float y1 = 1.;"));
    CHECK(words("n = 32u;") == words("m = 32;"));
    CHECK(words("std::min(a, b)") == words("min(c, d)"));
    CHECK(words("#include <algorithm>\nint a;") == "int i ;");
}

TEST_CASE("what a program does makes a difference") {
    CHECK(words("a < b") != words("a <= b"));
    CHECK(words("x = 1") != words("x = 2"));
    CHECK(words("__syncthreads()") == "__syncthreads ( )");
    CHECK(words("threadIdx.x") == "threadIdx . x");
    CHECK(words("f<<<g, b>>>(p)") == "i <<< i , i >>> ( i )");
    CHECK(words("atomicAdd(&c, 1)") == "atomicAdd ( & i , 1 )");
    CHECK(words("0x1F") != words("0x1"));
    CHECK(words("1.50f") == "1.5");
    CHECK(words("10") == "10");
    CHECK(words("x = 100.0") == "x = 100");
}

TEST_CASE("texts that no compiler would take are read to their end") {
    CHECK(words("\"never closed") == "s");
    CHECK(words("a /* never closed") == "i");
    CHECK(words("'") == "s");
    CHECK(words("\"\\") == "s");
    CHECK(words("\xff\xfe a") == "i i");
    CHECK(words("") == "");
    CHECK(words("\"// no comment\" b") == "s i");
}

TEST_CASE("lines") {
    const std::vector<Token> tokens = tokens_of("// one\na\n/* three\nfour */ b\n\n\"s\" c\n");
    REQUIRE(tokens.size() == 4);
    CHECK(tokens[0].line == 2);
    CHECK(tokens[1].line == 4);
    CHECK(tokens[2].line == 6);
    CHECK(tokens[3].line == 6);
}

}  // namespace tokens_test
