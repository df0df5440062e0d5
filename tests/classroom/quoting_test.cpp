// Tests that text by students stays text in every output format.
#include "quoting.hpp"

#include <doctest/doctest.h>

namespace quoting_test {

using namespace classroom;

TEST_CASE("bytes that are no UTF-8 are Latin-1, and control characters go") {
    CHECK(as_utf8("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80") == "Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(as_utf8("Zo\xeb") == "Zo\xc3\xab");
    CHECK(as_utf8("\xff\x80") == "\xc3\xbf\xc2\x80");
    CHECK(as_utf8("\xc0\xaf") == "\xc3\x80\xc2\xaf");  // an overlong encoding of "/"
    // An overlong encoding of "/" in three bytes.
    CHECK(as_utf8("\xe0\x80\xaf") == "\xc3\xa0\xc2\x80\xc2\xaf");
    CHECK(as_utf8("\xf0\x80\x80\xaf") == "\xc3\xb0\xc2\x80\xc2\x80\xc2\xaf");
    // A code after the last character.
    CHECK(as_utf8("\xf4\x90\x80\x80") == "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80");
    CHECK(as_utf8("\xed\xa0\x80") == "\xc3\xad\xc2\xa0\xc2\x80");  // half of a surrogate pair
    CHECK(as_utf8("cut \xe2\x82") == "cut \xc3\xa2\xc2\x82");      // the last character is incomplete
    CHECK(as_utf8("a\033[31m\tb\r\nc") == "a?[31m\tb\nc");
    CHECK(as_utf8(std::string("a\0b", 3)) == "a?b");
}

TEST_CASE("HTML") {
    CHECK(as_html("<script>alert('x & \"y\"')</script>") ==
          "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;");
}

TEST_CASE("Markdown") {
    CHECK(as_markdown("a *b* _c_ `d` [e](f) <g> | h # i") ==
          "a \\*b\\* \\_c\\_ \\`d\\` \\[e\\](f) &lt;g&gt; \\| h \\# i");
    CHECK(as_markdown("08_scan/warp_queue.cu _x a__b c_") == "08_scan/warp_queue.cu \\_x a\\_\\_b c\\_");
    CHECK(as_markdown("two\nlines") == "two lines");
    CHECK(as_markdown("- no list") == "\\- no list");
    CHECK(as_code_block("x") == "```text\nx\n```\n");
    CHECK(as_code_block("```\n<b>out</b>\n") == "````text\n```\n<b>out</b>\n````\n");
    CHECK(as_code_block("`````") == "``````text\n`````\n``````\n");
}

TEST_CASE("code in a sentence, and the address of a file") {
    CHECK(html_with_code("Edit `a<b>.cu`: see `c`.") ==
          "Edit <code>a&lt;b&gt;.cu</code>: see <code>c</code>.");
    CHECK(html_with_code("`a`") == "<code>a</code>");
    CHECK(html_with_code("") == "");
    CHECK(as_address("/a b/\"c\"/d_e-f.md") == "file:///a%20b/%22c%22/d_e-f.md");
}

TEST_CASE("CSV") {
    CHECK(as_csv("plain") == "plain");
    CHECK(as_csv("Lovelace, Ada") == "\"Lovelace, Ada\"");
    CHECK(as_csv("say \"hi\"") == "\"say \"\"hi\"\"\"");
    CHECK(as_csv("two\nlines") == "\"two\nlines\"");
    CHECK(as_csv("=cmd|' /C calc'!A0") == "'=cmd|' /C calc'!A0");
    CHECK(as_csv("+1,2") == "\"'+1,2\"");
    CHECK(as_csv("@sum") == "'@sum");
    CHECK(as_csv("-1") == "'-1");
    CHECK(as_csv("\t=1") == "'\t=1");
    CHECK(as_csv(" =1") == "' =1");
    CHECK(as_csv("\r=1") == "'=1");
    CHECK(as_csv("a=1") == "a=1");
    CHECK(as_csv("") == "");
    CHECK(csv_line({"a", "", "b"}) == "a,,b\r\n");
}

TEST_CASE("numbers") {
    CHECK(as_number(1) == "1");
    CHECK(as_number(0.5) == "0.5");
    CHECK(as_number(12.25) == "12.25");
    CHECK(as_number(2.0 / 3) == "0.67");
    CHECK(as_number(0.05) == "0.05");
    CHECK(as_number(-1.5) == "-1.5");
    CHECK(counted(1, "student") == "1 student");
    CHECK(counted(0, "student") == "0 students");
}

TEST_CASE("names of files") {
    CHECK(as_file_name("ada") == "ada");
    CHECK(as_file_name("Zo\xc3\xab (late)") == "Zo\xc3\xab (late)");
    for (const char* id : {"..", "../x", "a/b", "", "a\nb", ".hidden", "Zo\xeb"}) {
        const std::string name = as_file_name(id);
        CHECK(name.find('/') == std::string::npos);
        CHECK(name[0] != '.');
        CHECK(name.find('\n') == std::string::npos);
    }
    CHECK(as_file_name("a/b") != as_file_name("a_b"));
    CHECK(as_file_name("a/b") != as_file_name("a\\b"));
    CHECK(as_file_name(std::string(300, 'x')).size() < 250);
    CHECK(as_file_name(std::string(300, 'x')) != as_file_name(std::string(301, 'x')));
}

}  // namespace quoting_test
