// Tests of the translator: the text that it writes for each form of launch and shared variable, what it
// leaves unchanged, and what it refuses. language_test.cu tests whether the result behaves like CUDA.
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "checks.hpp"

namespace {

void launches() {
    becomes("plain launch", "f<<<g, b>>>(x);", "::kit::cpu::launch(\"f\", f, g, b)(x);");
    becomes("four configuration arguments", "f<<<dim3(1, 2), {3, 4}, n * sizeof(T), s>>>();",
            "::kit::cpu::launch(\"f\", f, dim3(1, 2), {3, 4}, n * sizeof(T), s)();");
    becomes("no white space needed", "f<<<1,2>>>(x)", "::kit::cpu::launch(\"f\", f, 1,2)(x)");
    becomes("blanks in the chevrons", "f << <1, 2 >> > (x);", "::kit::cpu::launch(\"f\", f ,  1, 2 )  (x);");
    becomes("blanks in the first ones only", "f << <1, A<B<int>>::n>>>(x);",
            "::kit::cpu::launch(\"f\", f ,  1, A<B<int>>::n)(x);");
    unchanged("an operator with template arguments", "friend S& operator<< <>(S&, T<U<int> > const&);");
    unchanged("nested template lists with blanks", "A<B<C<int>> > x; A<B<C<int> > > y(2);");
    unchanged("in a string", "const char* s = \"k << <1, 2 >> > (x)\";");
    becomes("template arguments", "f<256, float><<<1, 2>>>(x);",
            "::kit::cpu::launch(\"f<256, float>\", f<256, float>, 1, 2)(x);");
    becomes("name in normal form", "a :: f < 256 ,\tunsigned  int ><<<1, 2>>>(x);",
            "::kit::cpu::launch(\"a::f<256, unsigned int>\", a :: f < 256 ,\tunsigned  int >, 1, 2)(x);");
    becomes("nested template lists before the launch", "f<A<B<int>>><<<1, 2>>>(x);",
            "::kit::cpu::launch(\"f<A<B<int>>>\", f<A<B<int>>>, 1, 2)(x);");
    becomes("nested template lists inside the launch", "f<<<A<B<C<int>>>::value, 2>>>(x);",
            "::kit::cpu::launch(\"f\", f, A<B<C<int>>>::value, 2)(x);");
    becomes("nested template list right before the end", "f<<<1, A<B<int>>{}, A<B<int>>>>>(x);",
            "::kit::cpu::launch(\"f\", f, 1, A<B<int>>{}, A<B<int>>)(x);");
    becomes("comparison inside the launch", "f<<<(n > 3) ? 1 : 2, n < 4 ? 1 : 2>>>(x);",
            "::kit::cpu::launch(\"f\", f, (n > 3) ? 1 : 2, n < 4 ? 1 : 2)(x);");
    becomes("shifts inside the launch", "f<<<n >> 8, 1 << 8>>>(a << 1 >> 2);",
            "::kit::cpu::launch(\"f\", f, n >> 8, 1 << 8)(a << 1 >> 2);");
    becomes("global qualification", "return ::f<<<1, 2>>>(x);",
            "return ::kit::cpu::launch(\"::f\", ::f, 1, 2)(x);");
    becomes("dependent template", "T::template f<4><<<1, 2>>>(x);",
            "::kit::cpu::launch(\"T::template f<4>\", T::template f<4>, 1, 2)(x);");
    becomes("member of a template", "A<int>::f<<<1, 2>>>(x);",
            "::kit::cpu::launch(\"A<int>::f\", A<int>::f, 1, 2)(x);");
    becomes("table of function pointers", "o->table[i + 1].f<<<1, 2>>>(x);",
            "::kit::cpu::launch_pointer(\"o->table[i + 1].f\", o->table[i + 1].f, 1, 2)(x);");
    becomes("result of a call", "pick<int>(n)<<<1, 2>>>(x);",
            "::kit::cpu::launch_pointer(\"pick<int>(n)\", pick<int>(n), 1, 2)(x);");
    becomes("parenthesis, after if", "if (n) (f<1, 2>)<<<1, 2>>>(x); else f<<<1, 2>>>(y);",
            "if (n) ::kit::cpu::launch(\"f<1, 2>\", (f<1, 2>), 1, 2)(x); else ::kit::cpu::launch(\"f\", f, "
            "1, 2)(y);");
    becomes("several launches", "f<<<1, 2>>>(x), g<<<3, 4>>>(y);",
            "::kit::cpu::launch(\"f\", f, 1, 2)(x), ::kit::cpu::launch(\"g\", g, 3, 4)(y);");
    becomes("in a lambda", "auto go = [&] { f<<<1, 2>>>(x); };",
            "auto go = [&] { ::kit::cpu::launch(\"f\", f, 1, 2)(x); };");
    becomes("spread over lines", "f  // name\n<<</* grid */ 1,\n  2  // block\n>>>\n(x,\ny);\n",
            "::kit::cpu::launch(\"f\", f  // name\n, /* grid */ 1,\n  2  // block\n)\n(x,\ny);\n");
    becomes("argument of a macro", "CHECK((f<<<1, 2>>>(x)));",
            "CHECK((::kit::cpu::launch(\"f\", f, 1, 2)(x)));");
    becomes("windows line ends", "f<<<1,\r\n2>>>(x);\r\n", "::kit::cpu::launch(\"f\", f, 1,\r\n2)(x);\r\n");
    becomes("branches of the preprocessor",
            "void g() {\n#if A\nif (a) {\n#else\n{\n#endif\nf<<<1, 2>>>();\n}\n}\n",
            "void g() {\n#if A\nif (a) {\n#else\n{\n#endif\n::kit::cpu::launch(\"f\", f, 1, 2)();\n}\n}\n");
}

void macros() {
    becomes(
        "kernel and configuration from a macro's parameters",
        "#define RUN(kernel, ...) \\\n    kernel \\\n    <<<__VA_ARGS__>>>(x)\n",
        "#define RUN(kernel, ...) \\\n    ::kit::cpu::launch(#kernel, kernel \\\n    , __VA_ARGS__)(x)\n");
    becomes("part of the name from a parameter", "#define RUN(T, n) f_##n<T, 3><<<1, 2>>>(x)\n",
            "#define RUN(T, n) ::kit::cpu::launch(\"f_\" #n \"<\" #T \", 3>\", f_##n<T, 3>, 1, 2)(x)\n");
    becomes("macro without parameters", "#define RUN f<<<1, 2>>>(x)\n",
            "#define RUN ::kit::cpu::launch(\"f\", f, 1, 2)(x)\n");
    becomes(
        "shared variable named by a parameter", "#define TILE(T, name, n) __shared__ T name[n]\n",
        "#define TILE(T, name, n) struct kit_shared_1_##name { T name[n]; }; [[maybe_unused]] auto& name = "
        "::kit::cpu::shared<kit_shared_1_##name>(#name).name\n");
    becomes("shared variable whose name the macro makes", "#define TILE(n) __shared__ int a_##n[n]\n",
            "#define TILE(n) struct kit_shared_1_a_##n { int a_##n[n]; }; [[maybe_unused]] auto& a_##n = "
            "::kit::cpu::shared<kit_shared_1_a_##n>(\"a_\" #n).a_##n\n");
    becomes("kernel made by a macro", "#define MAKE(n) __global__ void k##n() { __shared__ int x; }\n",
            "#define MAKE(n) __global__ void k##n() { struct kit_shared_1_x { int x; }; [[maybe_unused]] "
            "auto& x = "
            "::kit::cpu::shared<kit_shared_1_x>(\"x\").x; }\n");
    unchanged("macro that renames the keyword", "#define SHARED __shared__\n");
    refused("half a launch", "\n#define CONFIG <<<1, 2>>>\n",
            "/course/file.cu:2: error: a macro that contains <<<...>>> must also name the kernel");
}

void templates() {
    const std::string lambda = "[&](auto&&... kit_argument) -> decltype(";
    const std::string fill = "template <class T> __global__ void fill(T* p, int n = 1) {}";
    const std::string fill_resolver =
        " template <class T> ::kit::cpu::KernelConstant<void (*)(T* p, int n), &fill<T>> kit_kernel_fill(T* "
        "p, int n);";
    becomes("deduced template", fill + "\nvoid f() { fill<<<1, 2>>>(p, 3); }",
            fill + fill_resolver + "\nvoid f() { ::kit::cpu::launch(\"fill\", " + lambda +
                "kit_kernel_fill(kit_argument...)) { return {}; }, 1, 2)(p, 3); }");
    becomes("template with its arguments", fill + "\nvoid f() { fill<int><<<1, 2>>>(p, 3); }",
            fill + "\nvoid f() { ::kit::cpu::launch(\"fill<int>\", fill<int>, 1, 2)(p, 3); }");
    const std::string scan = "template <int N, class T, class = void> __global__ void scan(T* p);";
    becomes("partly deduced template", scan + "\nvoid f() { scan<4><<<1, 2>>>(p); }",
            scan +
                " template <int N, class T, class = void> ::kit::cpu::KernelConstant<void (*)(T* p), "
                "&scan<N, T>> "
                "kit_kernel_scan(T* p);\nvoid f() { ::kit::cpu::launch(\"scan<4>\", " +
                lambda + "kit_kernel_scan<4>(kit_argument...)) { return {}; }, 1, 2)(p); }");
    becomes("another namespace's template",
            "namespace a { " + fill + " }\nnamespace b { __global__ void fill(int); }\n" +
                "void f() { b::fill<<<1, 2>>>(3); }",
            "namespace a { " + fill + " }\nnamespace b { __global__ void fill(int); }\n" +
                "void f() { ::kit::cpu::launch(\"b::fill\", b::fill, 1, 2)(3); }");
    becomes("the nearer namespace",
            "namespace a { " + fill + " namespace b { __global__ void fill(int);\n" +
                "void f() { fill<<<1, 2>>>(3); } } }",
            "namespace a { " + fill + " namespace b { __global__ void fill(int);\n" +
                "void f() { ::kit::cpu::launch(\"fill\", fill, 1, 2)(3); } } }");
    becomes("a kernel that launches itself", "template <class T> __global__ void k(T* p) { k<<<1, 1>>>(p); }",
            "template <class T> __global__ void k(T* p) { ::kit::cpu::launch(\"k\", [&](auto&&... "
            "kit_argument) { "
            "k(kit_argument...); }, 1, 1)(p); }");
    const std::string pragma =
        " _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored \\\"-Wunused-function\\\"\") ";
    becomes("overloaded kernel",
            "__global__ void k(int a) {}\n__global__ void k(float* a) {}\nvoid f() { k<<<1, 1>>>(2); }",
            "__global__ void k(int a) {}" + pragma +
                "::kit::cpu::KernelConstant<void (*)(int a), &k> kit_kernel_k(int a); _Pragma(\"GCC "
                "diagnostic pop\")\n"
                "__global__ void k(float* a) {}" +
                pragma +
                "::kit::cpu::KernelConstant<void (*)(float* a), &k> kit_kernel_k(float* a); _Pragma(\"GCC "
                "diagnostic "
                "pop\")\nvoid f() { ::kit::cpu::launch(\"k\", " +
                lambda + "kit_kernel_k(kit_argument...)) { return {}; }, 1, 1)(2); }");
    const std::string two =
        "template <class T> __global__ void k(T* p);\nnamespace a { __global__ void k(int* p); }\n";
    becomes(
        "a using declaration in the scope of the launch",
        two + "void f() { using a::k; k<<<1, 1>>>(p); }\nvoid g() { a::k<<<1, 1>>>(p); }",
        two +
            "void f() { using a::k; ::kit::cpu::launch(\"k\", [&](auto&&... kit_argument) { "
            "k(kit_argument...); }, 1, 1)(p); }\nvoid g() { ::kit::cpu::launch(\"a::k\", a::k, 1, 1)(p); }");
    const std::string k = "template <class T> __global__ void k(T* p) {}\n";
    becomes("other things of the same name", k + "void f() { o.k<<<1, 1>>>(p); (x ? y : k)<<<1, 1>>>(p); }",
            // A pointer can point to k, so k is recorded as a kernel.
            "template <class T> __global__ void k(T* p) { (void)&::kit::cpu::KernelMark<void (*)(T* p), "
            "&k<T>>::noted;}\n"
            "void f() { ::kit::cpu::launch_pointer(\"o.k\", o.k, 1, 1)(p); ::kit::cpu::launch_pointer(\"x ? "
            "y : k\", (x "
            "? y : k), "
            "1, 1)(p); }");
    becomes(
        "declaration and definition are no overloads",
        "__global__ void k(const int* a);\nvoid f() { k<<<1, 1>>>(2); }\n__global__ void k(const int* b) {}",
        "__global__ void k(const int* a);\nvoid f() { ::kit::cpu::launch(\"k\", k, 1, 1)(2); }\n"
        "__global__ void k(const int* b) {}");
}

void static_shared() {
    becomes("variable", in_function("__shared__ int n;"), in_function(shared("1", "int n", "n") + ";"));
    becomes("array", in_function("__shared__ float t[32][N + 1];"),
            in_function(shared("1", "float t[32][N + 1]", "t") + ";"));
    becomes("several", in_function("__shared__ float a, *b, c[2];"),
            in_function(shared("1", "float a", "a") + "; " + shared("2", "float  *b", "b") + "; " +
                        shared("3", "float  c[2]", "c") + ";"));
    becomes("keyword after the type", in_function("float __shared__ a;"),
            in_function(shared("1", "float a", "a") + ";"));
    becomes("static, volatile", in_function("static volatile __shared__ int a;"),
            in_function(shared("1", "volatile int a", "a") + ";"));
    becomes("alignment", in_function("__shared__ alignas(16) __align__(16) char a[4];"),
            in_function(shared("1", "alignas(16) __align__(16) char a[4]", "a") + ";"));
    becomes("attribute", in_function("[[maybe_unused]] __shared__ int a;"),
            in_function(shared("1", "[[maybe_unused]] int a", "a") + ";"));
    becomes("pointer to array", in_function("__shared__ int (*a)[3];"),
            in_function(shared("1", "int (*a)[3]", "a") + ";"));
    becomes("pointer to function", in_function("__shared__ void (*const *a[2])(int, float);"),
            in_function(shared("1", "void (*const *a[2])(int, float)", "a") + ";"));
    becomes("const pointer", in_function("__shared__ const float* const a;"),
            in_function(shared("1", "const float* const a", "a") + ";"));
    becomes("template type", in_function("__shared__ typename Scan<T, (N > 3)>::Storage a, b;"),
            in_function(shared("1", "typename Scan<T, (N > 3)>::Storage a", "a") + "; " +
                        shared("2", "typename Scan<T, (N > 3)>::Storage  b", "b") + ";"));
    becomes("type with struct", in_function("__shared__ struct Pair a[2];"),
            in_function(shared("1", "struct Pair a[2]", "a") + ";"));
    becomes("nameless union", in_function("__shared__ union { int i; float f; } u;"),
            in_function(shared("1", "union { int i; float f; } u", "u") + ";"));
    becomes("type defined on the way", in_function("__shared__ struct P { int a, b; } p;"),
            in_function("struct P { int a, b; }; " + shared("1", "struct P  p", "p") + ";"));
    becomes("over lines", "__global__ void f() {\n__shared__ float  // tile\n    t[2]\n    ;\n}\n",
            "__global__ void f() {\nstruct kit_shared_1 { float  // tile\n    t[2]; }; [[maybe_unused]] "
            "auto& t = "
            "::kit::cpu::shared<kit_shared_1>(\"t\").t\n    ;\n}\n");
    becomes("after a label", in_function("case 1: { __shared__ int a; }"),
            in_function("case 1: { " + shared("1", "int a", "a") + "; }"));
    becomes("member function of a class", "struct S { __device__ void f() { __shared__ int a; } };",
            "struct S { __device__ void f() { " + shared("1", "int a", "a") + "; } };");
    refused("initializer", "\n" + in_function("__shared__ int a = 3;"),
            "/course/file.cu:2: error: a __shared__ variable cannot have an initializer: 'a'");
    refused("braces", in_function("__shared__ int a[2]{};"),
            "/course/file.cu:1: error: a __shared__ variable cannot have an initializer: 'a'");
    refused("nothing declared", in_function("__shared__ ;"),
            "/course/file.cu:1: error: expected the name of a variable after __shared__");
}

void dynamic_shared() {
    becomes("array", in_function("extern __shared__ float a[];"),
            in_function(dynamic("float ", "a", "[]") + ";"));
    becomes("aligned array", in_function("extern __shared__ __align__(16) unsigned char a[];"),
            in_function(dynamic("unsigned char ", "a", "[]") + ";"));
    becomes("rows", in_function("extern __shared__ alignas(16) T a[][32];"),
            in_function(dynamic("T ", "a", "[][32]") + ";"));
    refused("no array", "extern __shared__ int a;\n",
            "/course/file.cu:1: error: expected 'extern __shared__ T a[]'");
}

void text_left_alone() {
    unchanged("comments", "// f<<<1, 2>>>(x) \\\n f<<<1, 2>>>(x)\n/* __shared__ int a;\n f<<<1 */\n");
    unchanged(
        "strings",
        "const char* s = \"f<<<1, 2>>>(x) \\\" <<<\"; char c = '\\''; auto u = u8\"<<<\" \"\\\n<<<\";\n");
    unchanged("raw strings", "auto s = R\"x(f<<<1, 2>>>(x) )\" <<< \n)x\"; auto t = LR\"(<<<)\";\n");
    unchanged("digit separators", "int n = 1'000'000; int m = 0x1p+3 + 1e-3f + .5f;\n");
    unchanged("other lines of the preprocessor",
              "#include <<<a.h>\n#pragma message(\"<<<\")\n#error don't <<<\n");
    unchanged("text under #if 0", "#if 0\nisn't f<<<1 __shared__\n#if 1\nf<<<\n#else\n<<<\n#endif\n#endif\n");
    unchanged("shifts and comparisons",
              "int a = b << 3 >> 2; bool c = a < b && b > a; A<B<C<int>>> d; a <<= 1; a >>= 2;\n");
    unchanged("operator with a template list", "a.operator<<<int>(3);\n");
    unchanged("no line end at the end", "int a;");
    unchanged("nothing", "");
    becomes("after #if 0", "#if 0\n<<<\n#else\nf<<<1, 2>>>();\n#endif\n",
            "#if 0\n<<<\n#else\n::kit::cpu::launch(\"f\", f, 1, 2)();\n#endif\n");
}

void errors() {
    refused("launch without its end", "\nvoid f() {\n  k<<<1, 2>(x);\n}\n",
            "/course/file.cu:3: error: '<<<' without its '>>>'");
    refused("launch without kernel", "void f() { <<<1, 2>>>(x); }",
            "/course/file.cu:1: error: no kernel before '<<<'");
    refused("launch without arguments", "void f() { k<<<1, 2>>>; }",
            "/course/file.cu:1: error: expected '(' and the kernel's arguments after '>>>'");
    refused("empty configuration", "void f() { k<<<>>>(); }",
            "/course/file.cu:1: error: a launch needs <<<grid, block>>>");
    becomes("one value", "void f() { k<<<dim3(1, 2)>>>(); }",
            "void f() { ::kit::cpu::launch(\"k\", k, dim3(1, 2))(); }");
    refused("five values", "void f() { k<<<A<1, 2>::n, 2, 3, 4, 5>>>(); }",
            "/course/file.cu:1: error: a launch takes two to four values, <<<grid, block, bytes, stream>>>, "
            "not 5");
    becomes("comparisons that look like a template list", "k<<<n < 4 ? 1 : 2, m > 3 ? 1 : 2>>>();",
            "::kit::cpu::launch(\"k\", k, n < 4 ? 1 : 2, m > 3 ? 1 : 2)();");
    becomes("a macro for all values", "k<<<ALL>>>();", "::kit::cpu::launch(\"k\", k, ALL)();");
    const std::vector<std::string> two = kit::translate::translate("k<<<1;\n\nk<<<1;", "a.cu").errors;
    check(two == std::vector<std::string>{"a.cu:1: error: '<<<' without its '>>>'",
                                          "a.cu:3: error: '<<<' without its '>>>'"},
          "every error is told", join(two));
    const std::string path = kit::translate::translate("", "/a \"b\"\\c.cu").text;
    check(
        path == "#include <cuda_runtime.h>\n#include <kit_cpu/nvcc.hpp>\n#line 1 \"/a \\\"b\\\"\\\\c.cu\"\n",
        "path with odd characters", path);
    refused(
        "a range of case labels in device code",
        "__device__ int g(char c) {\n  switch (c) {\n    case 'a' ... 'd': return 0;\n  }\n  return 1;\n}\n",
        "/course/file.cu:3: error: a range of values after `case` is an extension of GCC, and in device code "
        "nvcc uses only its first value: write a `case` for each value, or use `if`");
    unchanged("the same in host code", "int g(int c) { switch (c) { case 1 ... 3: return 0; } return 1; }\n");
}

/// Tests exchanges whose old value is not used, so that they only write.
void exchanges() {
    const std::string mark = "::kit::cpu::drop_old_value(), ";
    becomes("exchange as a statement", "__device__ void f(int* p) { atomicExch(p, 1); }",
            "__device__ void f(int* p) { " + mark + "atomicExch(p, 1); }");
    becomes("exchange after if and else",
            "__device__ void f(int* p) { if (p) (void)atomicExch_block(p, 2); else ::atomicExch(p, 3); }",
            "__device__ void f(int* p) { if (p) (void)" + mark + "atomicExch_block(p, 2); else " + mark +
                "::atomicExch(p, 3); }");
    becomes("exchange of a member", "__device__ void f(A* a, int i) { a->words[i].exchange(0); }",
            "__device__ void f(A* a, int i) { " + mark + "a->words[i].exchange(0); }");
    becomes("exchange of a temporary", "__device__ void f(int* p) { cuda::atomic_ref<int>(*p).exchange(2); }",
            "__device__ void f(int* p) { " + mark + "cuda::atomic_ref<int>(*p).exchange(2); }");
    for (const char* const used : {"__device__ int f(int* p) { return atomicExch(p, 1); }",
                                   "__device__ void f(int* p) { int old = atomicExch(p, 1); g(old); }",
                                   "__device__ void f(int* p) { g(atomicExch(p, 1)); }",
                                   "__device__ int f(int* p) { return ::atomicExch(p, 1); }",
                                   "void f(std::atomic<int>& a) { a.exchange(1); }"})
        becomes("exchange whose old value is used, or of the host", used, used);
}

/// Translates all parts of a file that contains all forms. Broken text must neither crash the translator nor
/// make it hang.
void broken_text() {
    const std::string text =
        "template <class T, int N = sizeof(A<(1 > 2)>)> __global__ void __launch_bounds__(N, 2) k(T* p, "
        "A<B<int>> q) {\n"
        "  __shared__ struct P { int a; } (*t)[3], *u; extern __shared__ float all[][3];\n#define M(a, ...) "
        "a##_k<a>"
        "<<<__VA_ARGS__>>>(a) /* \n */\n#if 0\n'\n#else\n  k<T, 3><<<A<B<C<int>>>::n, (3)>>>(R\"(x)\", 'c', "
        "\"s\");\n"
        "#endif\n} namespace a::b { enum class E : int { x }; auto l = [] { k<<<1, 2>>>(); }; }\n"
        "void f() { cudaLaunchKernelExC(&c, (void*)k, a); o->t[i](3).template k<1><<<1, 2>>>(); }\n";
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        for (std::size_t size : {std::size_t(7), std::size_t(40), text.size()}) {
            const std::string part = text.substr(begin, size);
            const kit::translate::Result result = kit::translate::translate(part, "a.cu");
            const auto lines = std::count(part.begin(), part.end(), '\n') + 3;
            const bool refused =  // the compiler can also refuse the program if the code is under an #if
                !result.errors.empty() || result.text.find("#pragma GCC error") != std::string::npos;
            check(refused || std::count(result.text.begin(), result.text.end(), '\n') == lines,
                  "lines of broken text", part);
        }
        kit::translate::translate(text.substr(0, begin), "a.cu");
    }
}

void speed() {
    std::string text;
    for (int i = 0; i < 100; ++i) {
        const std::string n = std::to_string(i);
        text += "template <class T>\n__global__ void k" + n +
                "(T* p) {\n    __shared__ T t[32];\n    t[0] = *p;\n}\n" + "void f" + n + "(float* p) { k" +
                n + "<<<1, 2>>>(p); }\n";
    }
    const std::clock_t begin = std::clock();  // processor time, because other programs may use the machine
    kit::translate::translate(text, "a.cu");
    const double ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("600 lines with 100 kernels: %.1f ms of processor time\n", ms);
    check(ms < 200, "speed", "far more than the 10 ms that 500 lines may take");
}

}  // namespace

int main() {
    launches();
    macros();
    templates();
    static_shared();
    dynamic_shared();
    text_left_alone();
    errors();
    exchanges();
    broken_text();
    speed();
    return finish();
}
