// Tests of the translator: the places where loops of device code report a new round.
#include "checks.hpp"

namespace {

std::string round(const std::string& function, const std::string& level) {
    return "::kit::cpu::round(" + function + ", " + level + ")";
}

/// Translates the text in a kernel, whose function number is 0, and compares the result.
void in_kernel(const char* what, const std::string& input, const std::string& want) {
    becomes(what, in_function(input), in_function(want));
}

void conditions() {
    const std::string mark = round("0", "1");
    in_kernel("for", "for (int i = 0; i < n; ++i) a[i] = 1;",
              "for (int i = 0; " + mark + ", i < n; ++i) a[i] = 1;");
    in_kernel("two in one", "for (int i = 0, k = 9; i < k, k > 1; ++i, --k) {}",
              "for (int i = 0, k = 9; " + mark + ", i < k, k > 1; ++i, --k) {}");
    in_kernel("while", "while (*p) ++p;", "while (" + mark + ", *p) ++p;");
    in_kernel("do", "do ++p; while (*p);", "do ++p; while (" + mark + ", *p);");
    in_kernel("do with a block", "do { ++p; } while (*p);", "do { ++p; } while (" + mark + ", *p);");
    in_kernel("semicolons in a lambda", "while ([&] { int k = 1; return *p == k; }()) ++p;",
              "while (" + mark + ", [&] { int k = 1; return *p == k; }()) ++p;");
    in_kernel("an assignment that is a value", "while ((x = *p++)) f(x);",
              "while (" + mark + ", (x = *p++)) f(x);");
}

void endless() {
    const std::string mark = " " + round("0", "1") + ";";
    in_kernel("for (;;)", "for (;;) { if (*p) return; }", "for (;;) {" + mark + " if (*p) return; }");
    in_kernel("while (true)", "while (true) { if (*p) break; }",
              "while (true) {" + mark + " if (*p) break; }");
    in_kernel("while (1)", "while (1) { if (*p) break; }", "while (1) {" + mark + " if (*p) break; }");
    unchanged("without braces", in_function("for (;;) if (*p) return;"));
}

void left_alone() {
    unchanged("elements of a range", in_function("for (int value : values) sum += value;"));
    unchanged("a declaration as condition", in_function("while (int x = *p++) f(x);"));
    unchanged("the host's functions", "void f() { while (*p) ++p; }\n");
    unchanged("words that contain one", in_function("meanwhile(1); fork(2); x.dodo = 3;"));
    unchanged("a macro's body",
              "#define EACH(i, n) for (int i = 0; i < n; ++i)\n" + in_function("EACH(i, 3) f(i);"));
}

void levels() {
    const std::string outer = round("0", "1"), inner = round("0", "2");
    in_kernel("in a block, and behind it", "while (a) { while (b) {} } while (c) {}",
              "while (" + outer + ", a) { while (" + inner + ", b) {} } while (" + outer + ", c) {}");
    in_kernel("without braces", "while (a) while (b) f(); while (c) f();",
              "while (" + outer + ", a) while (" + inner + ", b) f(); while (" + outer + ", c) f();");
    in_kernel("behind a directive", "while (a)\n#pragma unroll\nwhile (b) f();\nwhile (c) f();",
              "while (" + outer + ", a)\n#pragma unroll\nwhile (" + inner + ", b) f();\nwhile (" + outer +
                  ", c) f();");
    in_kernel("if and else", "while (a) if (b) f(); else while (c) f(); while (d) f();",
              "while (" + outer + ", a) if (b) f(); else while (" + inner + ", c) f(); while (" + outer +
                  ", d) f();");
    in_kernel("in a do", "do while (b) f(); while (a); while (c) f();",
              "do while (" + inner + ", b) f(); while (" + outer + ", a); while (" + outer + ", c) f();");
    in_kernel("of the lambda that is called", "while (a) [&] { while (b) f(); }();",
              "while (" + outer + ", a) [&] { while (" + inner + ", b) f(); }();");
}

void functions() {
    becomes("a number each",
            "__device__ void f() { while (a) g(); }\n__host__ __device__ int g() { while (b) h(); }\n",
            "__device__ void f() { while (" + round("1", "1") +
                ", a) g(); }\n__host__ __device__ int g() { while (" + round("2", "1") + ", b) h(); }\n");
    becomes("a lambda for the device",
            "void f() { while (a) each([=] __device__ (int i) { while (b) g(i); }); }\n",
            "void f() { while (a) each([=] __device__ (int i) { while (" + round("1", "1") +
                ", b) g(i); }); }\n");
}

void for_nobody() {
    kit::translate::Options options;
    options.loops = true;  // without checks, there is no profile
    const std::string text = "__device__ void f() { while (a) g(); }\n";
    const std::string got = body(kit::translate::translate(text, "/course/file.cu", options).text);
    check(got == text, "without checks", got);
}

}  // namespace

int main() {
    conditions();
    endless();
    left_alone();
    levels();
    functions();
    for_nobody();
    return finish();
}
