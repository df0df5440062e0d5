// Tests of the translator: it refuses what nvcc refuses, with exact messages, and leaves correct programs
// unchanged. tests/cpu/refused_by_nvcc has more programs, which both compilers compile.
#include "checks.hpp"

namespace {

const std::string file = "/course/file.cu:";

/// Checks that the translator does not refuse the program. The compiler may refuse the program.
void accepted(const std::string& input) {
    const kit::translate::Result result = kit::translate::translate(input, "/course/file.cu");
    check(result.errors.empty(), "a doubt is left", input + join(result.errors));
}

void calls() {
    const std::string helper = "float half(float x) { return x / 2; }\n";
    refused("a helper without its mark", helper + "__global__ void k(float* p) { *p = half(*p); }",
            file +
                "2: error: 'half(*p)' calls a host function from device code: write __device__ before 'float "
                "half(float x)' (line 1), or __host__ __device__ if the host calls it, too");
    refused("a kernel without its launch", "__global__ void k(int n);\nint main() { k(3); }",
            file + "2: error: 'k(3)' calls a kernel like a function: launch it with k<<<grid, block>>>(...)");
    refused("the other way round", "__device__ int twice(int n);\nint main() { twice(3); }",
            file +
                "2: error: 'twice(3)' calls a device function from host code: write __host__ before "
                "'__device__ int twice(int n)' (line 1), or call it in a kernel");
    refused("of the library", "__global__ void k(int* p) {\n    std::sort(p, p + 4);\n}",
            file +
                "2: error: 'std::sort(p, p + 4)' is for host code, but is used in device code: write the "
                "loop or the expression yourself");
    for (const char* doubt :
         {"__global__ void k(float* p) { o.half(*p); p->half(1); }", "__global__ void k(F half) { half(2); }",
          "__global__ void k(float* p) { auto half = [](float x) { return x; }; half(*p); }",
          "__global__ void k(float* p) { p[0] = sizeof(half(1)); }",
          "__host__ __device__ void g() { half(2); }",
          "#define half(x) x\n__global__ void k(float* p) { half(*p); }", "int main() { half(3); }",
          "__device__ float half(float x);\n__global__ void k(float* p) { half(*p); }"})
        accepted(helper + doubt + "\n");
}

/// Tests errors under an #if. The compiler must report such an error only if it compiles the branch.
void branches() {
    const std::string error =
        "\n#line 2\n#pragma GCC error \"the kernel 'k' takes 'int& x' by reference, which would refer to "
        "host memory: pass a value, or a pointer to device memory\"\n#line 2\n";
    const kit::translate::Result result = kit::translate::translate(
        "#ifdef MISTAKE\n__global__ void k(int& x) { x = 1; }\n#endif\n", "/course/file.cu");
    check(result.errors.empty() && body(result.text).find(error) != std::string::npos, "in a branch",
          result.text);
    const kit::translate::Result macro =
        kit::translate::translate("#if A\n#define L <<<1, 2>>>\n#endif\n", "/course/file.cu");
    check(macro.errors.empty() && body(macro.text).find("#if A\n\n#line 2\n#pragma GCC error") == 0,
          "a macro in a branch", macro.text);
    refused("the guard of a header is no branch", "#ifndef H\n#define H\n__global__ int k();\n#endif\n",
            file +
                "3: error: the kernel 'k' returns a value: make it void, and write the results to memory "
                "that it gets as an argument");
}

void absent_headers() {
    const kit::translate::Result result =
        kit::translate::translate("#include <cuda/std/span>\nint x;\n", "/course/file.cu");
    const std::string want =
        "#if __has_include(<cuda/std/span>)\n#line 1\n#include <cuda/std/span>\n#else\n#line 1\n#pragma GCC "
        "error "
        "\"<cuda/std/span> is not supported by the CPU backend: no libcu++ that has it was found. Install "
        "a CUDA toolkit that has it and configure the build again, or use the header of the C++ "
        "library\"\n#endif\n#line 2\nint x;\n";
    check(body(result.text) == want, "a header that is not there", result.text);
}

void compiler_is_asked() {
    const std::string mark =
        "__attribute__((deprecated(\"device code calls this host function: write __host__ __device__ "
        "before it\"))) ";
    const std::string on =
        " _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic error "
        "\\\"-Wdeprecated-declarations\\\"\")";
    const std::string off = " _Pragma(\"GCC diagnostic pop\") ";
    const kit::translate::Result result = kit::translate::translate(
        "struct P { int n() const { return 1; } };\n__global__ void k(P* p) { p->n(); }\n",
        "/course/file.cu");
    const std::string want =
        "#include <cuda_runtime.h>\n#include <kit_cpu/nvcc.hpp>\n#pragma GCC diagnostic ignored "
        "\"-Wdeprecated-declarations\"\n#line 1 \"/course/file.cu\"\nstruct P { " +
        mark + "int n() const { return 1; } };\n__global__ void k(P* p) {" + on + " p->n(); " + off + "}\n";
    check(result.text == want, "a member", "got:      " + result.text + "\nexpected: " + want);
    unchanged("a member for both",
              "struct P { __host__ __device__ int n() const; };\n__global__ void k(P* p) { p->n(); }");
    unchanged("a member that nobody uses there",
              "struct P { int n() const; };\n__global__ void k(P* p) { *p; }");
}

void statements() {
    refused("a semicolon forgotten behind a launch", "void f() {\n    k<<<1, 2>>>(p)\n    g();\n}",
            file + "2: error: expected ';' after the launch 'k<<<1, 2>>>(p)'");
    refused("a semicolon forgotten behind __shared__",
            "__global__ void k() {\n    __shared__ int t[4]\n    t[0] = 1;\n}",
            file + "2: error: expected ';' after '__shared__ int t[4]'");
    refused("launched, and no kernel", "void k(int n) {}\nvoid f() { k<<<1, 2>>>(3); }",
            file +
                "2: error: 'k' is launched, but is not a kernel: write __global__ before its declaration "
                "(line 1)");
    refused("a result", "__global__ int k() { return 1; }",
            file +
                "1: error: the kernel 'k' returns a value: make it void, and write the results to memory "
                "that it gets as an argument");
    refused("a host variable", "int n;\n__global__ void k(int* p) { *p = n; }",
            file +
                "2: error: 'n' in device code is a host variable (line 1), which the device cannot access: "
                "pass its value to the kernel as an argument, or declare it with __device__, __constant__ "
                "or, if it never "
                "changes, constexpr");
    refused(
        "a __constant__ variable by name", "__constant__ int n[4];\nint main() { n[1] = 2; }",
        file +
            "2: error: 'n[1]' in host code writes the __constant__ variable 'n' (line 1), but on the host "
            "that name is a different variable, which the device never sees: write with cudaMemcpyToSymbol");
    const std::string rest = "\n__global__ void k(int n) { n = 1; }\nint main() { int m = 2; m = 3; }",
                      declared =
                          " [[maybe_unused]] static const bool kit_declared_1 = "
                          "::kit::cpu::declare_variable(m);";
    becomes("names of local variables", "int n;\n__device__ int m;" + rest,
            "int n;\n__device__ int m;" + declared + rest);
}

}  // namespace

int main() {
    calls();
    compiler_is_asked();
    branches();
    absent_headers();
    statements();
    return finish();
}
