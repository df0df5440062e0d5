// Tests of the translator, second part: default arguments, shared variables at file scope, attributes, __CUDA_ARCH__,
// constants, calls that launch.
#include "checks.hpp"

namespace {

void default_arguments() {
    const std::string kernel = "__global__ void k(int* p, int n = f(1, 2), int = 3) {}";
    const std::string binder =
        " [[maybe_unused]] static inline ::kit::cpu::KernelWithArguments<void (*)(int* p, int n, int), &k> "
        "kit_bind_k(int* p, "
        "int n = f(1, 2), int kit_parameter_2 = 3) { return {{p, n, kit_parameter_2}}; }";
    const std::string launch =
        "::kit::cpu::launch(\"k\", [&](auto&&... kit_argument) { return kit_bind_k(kit_argument...); }, 1, "
        "1)";
    becomes("left out", kernel + "\nvoid g() { k<<<1, 1>>>(p, 2); }",
            kernel + binder + "\nvoid g() { " + launch + "(p, 2); }");
    becomes("all given", kernel + "\nvoid g() { k<<<1, 1>>>(p, 2, 3); }",
            kernel + "\nvoid g() { ::kit::cpu::launch(\"k\", k, 1, 1)(p, 2, 3); }");
    const std::string definition = "\n__global__ void k(int* q, int m, int) {}\n";
    becomes("declared with, defined without", kernel + definition + "void g() { k<<<1, 1>>>(p); }",
            kernel + binder + definition + "void g() { " + launch + "(p); }");
}

std::string used(const std::string& space, const std::string& number, const std::string& name) {
    const std::string holder = "kit_shared_" + number;
    return " struct " + holder + "_user : " + space + holder + " {}; (void)&::kit::cpu::SharedFact<" +
           holder + "_user>::declared; [[maybe_unused]] auto& " + name + " = ::kit::cpu::shared<" + space +
           holder + ">(\"" + name + "\")." + name + ";";
}

void shared_at_file_scope() {
    const std::string kernel = "__global__ void k() {";
    becomes("dynamic", "extern __shared__ __align__(8) double a[][2];\n" + kernel + "a[0][1] = 2; }",
            "\n" + kernel +
                " [[maybe_unused]] double (&a)[][2] = "
                "::kit::cpu::dynamic_shared<std::remove_reference_t<decltype(a)>>(\"a\"); {a[0][1] = 2; }}");
    becomes("static, only where it is used",
            "namespace n { __shared__ int s[2], *t; }\n" + kernel +
                "*s = 3; }\nint main() { int s; s = o.t; }\n" +
                "__device__ void f(int s) { s; x.t, std::t; }\n__device__ void g() { n::t; }",
            "namespace n { namespace { struct kit_shared_1 { int s[2]; }; }namespace { struct kit_shared_2 { "
            "int * t; }; }}\n" +
                kernel + used("::n::", "1", "s") + " {*s = 3; }}\nint main() { int s; s = o.t; }\n" +
                "__device__ void f(int s) { s; x.t, std::t; }\n__device__ void g() {" +
                used("::n::", "2", "t") + " { t; }}");
    becomes("through a macro", "__shared__ int s;\n#define S (s + 1)\n" + kernel + "S; }",
            "namespace { struct kit_shared_1 { int s; }; }\n#define S (s + 1)\n" + kernel +
                used("::", "1", "s") + " {S; }}");
    refused("initializer at file scope", "\n__shared__ int a = 3;\n",
            "/course/file.cu:2: error: a __shared__ variable cannot have an initializer: 'a'");
}

void launch_bounds() {
    const auto bounds = [](const std::string& value) {
        return " struct kit_bounds {}; ::kit::cpu::LaunchBounds<kit_bounds, (" + value + ")>::declare();";
    };
    becomes("one value", "__global__ void __launch_bounds__(256) k() {}",
            "__global__ void __launch_bounds__(256) k() {" + bounds("256") + "}");
    becomes("in front, three values", "__launch_bounds__(A<1, 2>::n, 2, 1) static __global__ void k() {}",
            "__launch_bounds__(A<1, 2>::n, 2, 1) static __global__ void k() {" +
                bounds("A<1, 2>::n), (2), (1") + "}");
    becomes(
        "template parameter", "template <int B> __global__ __launch_bounds__(B * 2) void k(A a = {1}) {}",
        "template <int B> __global__ __launch_bounds__(B * 2) void k(A a = {1}) {" + bounds("B * 2") + "}");
    becomes("registers", "__global__ void __maxnreg__(N) k() {}",
            "__global__ void __maxnreg__(N) k() { struct kit_registers {}; "
            "::kit::cpu::MaxRegisters<kit_registers, (N)>::declare();}");
    becomes("blocks of a cluster", "__global__ void __cluster_dims__(2, 1, 1) k() {}",
            "__global__ void __cluster_dims__(2, 1, 1) k() { struct kit_cluster {}; "
            "::kit::cpu::ClusterDims<kit_cluster, (2), (1), (1)>::declare();}");
    unchanged("declaration", "__global__ void __launch_bounds__(256) k();");
    const std::string macro = "#define LB(a, b) __launch_bounds__(a * 2, b)\n";
    for (const char* kernel : {"__global__ void LB(8, N) k() {", "LB(8, N) __global__ void k() {",
                               "__global__ void k() LB(8, N) {"})
        becomes("in a macro", macro + kernel + "}", macro + kernel + bounds("8 * 2), (N") + "}");
    const std::string whole = "#define KERNEL __global__ void __launch_bounds__(64)\nKERNEL k(int* p) {";
    becomes("in a macro with all before the name", whole + "}", whole + bounds("64") + "}");
}

void architecture() {
    const auto on = [](int line) {
        return "\n#define __CUDA_ARCH__ 900\n#line " + std::to_string(line) + "\n";
    };
    const auto off = [](int line) { return "\n#undef __CUDA_ARCH__\n#line " + std::to_string(line) + "\n"; };
    const std::string test = "\n#if __CUDA_ARCH__ > 700\n1;\n#endif\n}";
    const std::string inside = test.substr(0, test.size() - 1);
    const auto is = [](const char* what, const std::string& input, const std::string& want) {
        const std::string got = body(kit::translate::translate(input, "/course/file.cu").text);
        check(got == want, what, "input:    " + input + "\ngot:      " + got + "\nexpected: " + want);
    };
    for (const std::string head : {"__global__ void k() {", "template <class T> __device__ int k() const {"})
        is("device code", "\n" + head + test, "\n" + head + on(2) + inside + off(6) + "}");
    unchanged("host code", "int main() {" + test);
    unchanged("nobody asks", "__global__ void k() {\n#if A\n1;\n#endif\n}");
    is("a macro that asks", "#define A (__CUDA_ARCH__ > 1)\n__device__ void f() { A; }",
       "#define A (__CUDA_ARCH__ > 1)\n__device__ void f() {" + on(2) + " A; " + off(2) + "}");
    is("the source has #line directives",
       "#line 40 \"a.cu\"\n\n#define A (__CUDA_ARCH__ > 1)\n__device__ void f() { A; }",
       "#line 40 \"a.cu\"\n\n#define A (__CUDA_ARCH__ > 1)\n__device__ void f() {" + on(42) + " A; " +
           off(42) + "}");
    const std::string both = "#define HD __host__ __device__\nHD void k() {";
    is("both", both + test + "\n",
       both + " if (::kit::cpu::in_device_code()) {" + on(2) + inside + off(6) + "} else {\n#line 2\n" +
           inside + "\n#line 6\n}}\n");
    is("device lambda", "void f() { [=] __device__ (int i) {" + test + "; }",
       "void f() { [=] __device__ (int i) {" + on(1) + inside + off(5) + "}; }");

    const std::string outside = "#if __CUDA_ARCH__ >= 800\n#define NEW\n__device__ void f() {}\n#endif\n";
    is("outside, for the device", "\n" + outside,
       "\n" + on(2).substr(1) + outside.substr(0, outside.size() - 1) + off(6).substr(0, off(6).size() - 1) +
           "\n");
    unchanged("outside, for the host",
              "#ifndef __CUDA_ARCH__\nvoid f() {}\n#define F\n#endif\nint main() { F; }");
    unchanged("outside, the same for both",
              "#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ / 10 >= 75 && !0)\n#define F "
              "f()\n#endif\n__device__ void f() { F; }"
              "\nint main() { F; }");
    refused("outside, different for both",
            "\n#ifdef __CUDA_ARCH__\n__host__ __device__ void f() {}\n#endif\n",
            "/course/file.cu:2: error: outside functions, __CUDA_ARCH__ can select code only for the host or "
            "only for the device, but both use this code: test __CUDA_ARCH__ inside the functions");
}

std::string constant(const std::string& number, const std::string& name) {
    return " [[maybe_unused]] static const bool kit_declared_" + number + " = ::kit::cpu::declare_constant(" +
           name + ");";
}

std::string members(const std::string& list) {
    return "public: static std::vector<::kit::cpu::StructMember> kit_members() { return {" + list + "}; } ";
}

std::string member(const std::string& type, const std::string& name) {
    return "::kit::cpu::member(\"" + name + "\", &" + type + "::" + name + ")";
}

void constants() {
    becomes("an array", "__constant__ float mask[32];",
            "__constant__ float mask[32];" + constant("1", "mask"));
    becomes("two, one with a value", "static __constant__ const A<1, 2> a{}, b = 3;",
            "static __constant__ const A<1, 2> a{}, b = 3;" + constant("1", "a") + constant("2", "b"));
    becomes("a type of its own", "namespace n { __constant__ struct S { int q; } d[2] = {}; }",
            "namespace n { __constant__ struct S { int q; " + members(member("S", "q")) + "} d[2] = {};" +
                constant("1", "d") + " }");
    unchanged("extern", "extern __constant__ int a[];");
    unchanged("of a template", "template <class T> __constant__ T a;");
    unchanged("of a class", "struct S { static __constant__ int a; };");
}

std::string variable(const std::string& number, const std::string& name) {
    return " [[maybe_unused]] static const bool kit_declared_" + number + " = ::kit::cpu::declare_variable(" +
           name + ");";
}

void variables() {
    becomes("an array", "__device__ int table[8];", "__device__ int table[8];" + variable("1", "table"));
    becomes("in a namespace, with a value", "namespace n { static __device__ A<1, 2> a{1, 2}; }",
            "namespace n { static __device__ A<1, 2> a{1, 2};" + variable("1", "a") + " }");
    becomes("managed", "__managed__ float total = 0;",
            "__managed__ float total = 0;" + variable("1", "total"));
    unchanged("extern", "extern __device__ int a[];");
    unchanged("a function", "__device__ int f(int a);\n__device__ int g() { int b; return b; }");
    unchanged("of a template", "template <class T> __device__ T a;");
    unchanged("of the host", "int a[8];");
}

void structs() {
    becomes("members", "struct S { int a; float b[2], *c; };",
            "struct S { int a; float b[2], *c; " +
                members(member("S", "a") + ", " + member("S", "b") + ", " + member("S", "c")) + "};");
    becomes("a class template", "template <class T> class alignas(8) S final : B { T a{}; };",
            "template <class T> class alignas(8) S final : B { T a{}; " + members(member("S", "a")) + "};");
    becomes("one in another", "struct S { struct I { int a; } i; int b; };",
            "struct S { struct I { int a; " + members(member("I", "a")) + "} i; int b; " +
                members(member("S", "b")) + "};");
    unchanged("what has no address",
              "struct S { unsigned a : 3; static int b; int& c; void d(); T (*e)(int); };");
    unchanged("no name", "struct { int a; } s;");
    unchanged("a union", "union U { int a; float b; };");
    unchanged("in a function", "void f() { struct S { int a; }; }");
    unchanged("declared only", "struct S; class C;");
}

void calls() {
    becomes("C cast", "cudaLaunchKernel((void*)k, g, b, a);", "cudaLaunchKernel(k, g, b, a);");
    becomes("const, address", "cudaLaunchCooperativeKernel((const void *)&k<int, 3>, g, b, a);",
            "cudaLaunchCooperativeKernel(&k<int, 3>, g, b, a);");
    becomes("named cast", "cudaLaunchKernel(reinterpret_cast<const void*>(&k), g, b, a);",
            "cudaLaunchKernel((&k), g, b, a);");
    becomes("two casts", "cudaLaunchKernel(const_cast<void*>((const void*)k), g, b, a);",
            "cudaLaunchKernel((k), g, b, a);");
    becomes("second argument", "cudaLaunchKernelExC(&c, (void*)k, a);", "cudaLaunchKernelExC(&c, k, a);");
    unchanged("a cast to something else", "cudaLaunchKernel((Pointer)k, (void*)g, b, a);");
}

void assembly() {
    const std::string f = "__device__ void f() { ";
    const auto ptx = [&](const char* what, const std::string& statement, const std::string& want) {
        becomes(what, f + statement + "; }", f + want + "; }");
    };
    ptx("a special register", "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))",
        "(void)((x) = static_cast<unsigned>(static_cast<unsigned>(::kit::cpu::lane_id())))");
    ptx("a store", "asm(\"st.global.cs.f32 [%0], %1;\" :: \"l\"(p), \"f\"(v))",
        "(void)(*(float*)((p)) = static_cast<float>((v)))");
    ptx("nothing but a fence of the compiler", "asm volatile(\"\" ::: \"memory\")", "(void)(0)");
    for (const std::string instruction : {"add.cc.u32 %0, %0",
                                          "ld.acquire.gpu.v2.u32 {%0, %0}, [%0]",
                                          "ld.global.v4.u32 %0, [%0]",
                                          "ld.global.v4.u32 {%0, %0}, [%0]",
                                          "ld.shared::cluster.u32 %0, [%0]",
                                          "bar.arrive 1",
                                          "bar.red.popc.u32 %0, 1, %0",
                                          "add %0, %0, %0",
                                          "mov.u32 %0, %%pm0",
                                          "mov.u32 %0, %7",
                                          "bra done",
                                          "atom.add.noftz.f16x2 %0, [%0], %0",
                                          "red.async.add.u32 [%0], 1",
                                          "cvt.sat.u8.s32 %0, %0",
                                          "exit",
                                          "mov.u32 %0",
                                          "cp.async.bulk.commit_group",
                                          "cp.async.mbarrier.arrive.b64 [%0]",
                                          "setp.lt.u32 p, %0, 1",
                                          "@p mov.u32 %0, 1",
                                          "done: mov.u32 %0, 1"})
        ptx("refused", "asm(\"" + instruction + ";\" : \"=r\"(x))",
            "static_assert(false, \"the CPU executor does not know the PTX instruction '" + instruction +
                "': write it in CUDA C++, or run this on a GPU\")");
    unchanged("host code", "int main() { asm(\"nop\"); }");
    becomes("in a macro", "#define A(x) asm(\"mov.b32 %0, %1;\" : \"=r\"(x) : \"r\"(2))",
            "#define A(x) (void)((x) = static_cast<unsigned>(static_cast<unsigned>((2))))");
}

}  // namespace

int main() {
    assembly();
    default_arguments();
    shared_at_file_scope();
    launch_bounds();
    architecture();
    constants();
    variables();
    structs();
    calls();
    return finish();
}
