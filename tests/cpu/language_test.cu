// Forms of CUDA's language that a C++ compiler does not know, first part: launches. Each case uses one form
// that the translator must rewrite, and checks its result. nvcc accepts the same file.
// language_shared_test.cu is the second part.
// alone: one kernel is named from the global scope
#include <type_traits>

#include "conformance.cuh"

// Kernels.

template <class T>
struct Wrap {
    using type = T;
    static constexpr int size = sizeof(T);
    int value;
};

__global__ void store(int* out, int value) {
    out[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}

template <typename T>
__global__ void fill(T* out, T value) {
    out[threadIdx.x] = value;
}

template <int N, typename T = float, typename = std::enable_if_t<(N > 1)>>
__global__ void scaled(T* out, int* size) {
    out[threadIdx.x] = static_cast<T>(N) / 2;
    *size = sizeof(T);
}

template <class... Values>
__global__ void sum(int* out, Values... values) {
    *out = (0 + ... + static_cast<int>(values));
}

template <template <class> class Outer, class T>
__global__ void unwrap(T* out, Outer<T> in) {
    *out = static_cast<T>(in.value + Outer<T>::size);
}

__global__ void overloaded(int* out) {
    *out = 1;
}
__global__ void overloaded(float* out) {
    *out = 2;
}

namespace outer {
__global__ void store(int* out, int value) {
    *out = 10 * value;
}
namespace inner {
template <class T>
__global__ void store(T* out, int value) {
    *out = static_cast<T>(100 * value);
}
void launch_nearest(int* out) {
    store<<<1, 1>>>(out, 3);
}
}  // namespace inner
void launch_nearest(int* out) {
    store<<<1, 1>>>(out, 3);
}
}  // namespace outer
namespace shorter = outer::inner;

namespace {
__global__ void hidden(int* out) {
    *out = 77;
}
}  // namespace

__global__ void declared_first(int* out);

// Launches.

CASE("a launch may spread over lines, with comments inside") {
    Buffer<int> out(3);
    store  // the kernel
        <<<
            /* grid */ 1,
            3         // block
            >>>(out,  // where
                5);
    CHECK_EQUAL(out.read(), std::vector<int>{5, 6, 7});
}

CASE("the configuration may hold template lists, shifts, comparisons and lambdas") {
    Buffer<int> out(4);
    const int n = 4;
    // clang-format off
    store<<<Wrap<Wrap<Wrap<int>>>::size >> 2, n < 5 ? (n > 3 ? 4 : 2) : 1,
            [](int a, int b) { return a * b; }(2, 8)>>>(out, 1 << 3);
    // clang-format on
    CHECK_EQUAL(out.read(), std::vector<int>{8, 9, 10, 11});
}

CASE("a dim3 with missing dimensions, and braces") {
    Buffer<int> out(2);
    store<<<dim3{}, {2, 1, 1}>>>(out, 1);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 2});
}

CASE("template arguments may be nested lists") {
    Buffer<Wrap<Wrap<int>>> out(1);
    fill<Wrap<Wrap<int>>><<<1, 1>>>(out, Wrap<Wrap<int>>{9});
    CHECK_EQUAL(out.read()[0].value, 9);
}

CASE("template arguments are deduced from the launch's arguments") {
    Buffer<double> out(2);
    fill<<<1, 2>>>(out.data(), 2.5);
    CHECK_EQUAL(out.read(), std::vector<double>{2.5, 2.5});
}

CASE("template arguments may be given in part; deduction goes before the default") {
    Buffer<double> numbers(1);
    Buffer<float> small(1);
    Buffer<int> size(1);
    scaled<3><<<1, 1>>>(numbers.data(), size.data());
    CHECK_EQUAL(numbers.read(), std::vector<double>{1.5});
    CHECK_EQUAL(size.read(), std::vector<int>{8});
    scaled<5><<<1, 1>>>(small.data(), size.data());
    CHECK_EQUAL(small.read(), std::vector<float>{2.5f});
    CHECK_EQUAL(size.read(), std::vector<int>{4});
}

CASE("a template's parameters may end with a pack") {
    Buffer<int> out(1);
    sum<<<1, 1>>>(out.data(), 1, 2.5f, 'a');
    CHECK_EQUAL(out.read(), std::vector<int>{1 + 2 + 'a'});
    sum<char, long><<<1, 1>>>(out.data(), 'b', 7L);
    CHECK_EQUAL(out.read(), std::vector<int>{'b' + 7});
    sum<<<1, 1>>>(out.data());
    CHECK_EQUAL(out.read(), std::vector<int>{0});
}

CASE("a template may be a template's argument") {
    Buffer<short> out(1);
    unwrap<<<1, 1>>>(out.data(), Wrap<short>{40});
    CHECK_EQUAL(out.read()[0], 42);
}

CASE("overloaded kernels are chosen by the arguments") {
    Buffer<int> whole(1);
    Buffer<float> real(1);
    overloaded<<<1, 1>>>(whole.data());
    overloaded<<<1, 1>>>(real.data());
    CHECK_EQUAL(whole.read()[0], 1);
    CHECK_EQUAL(real.read()[0], 2.0f);
}

CASE("namespaces: qualified names, the nearest name, an alias") {
    Buffer<int> out(1);
    outer::store<<<1, 1>>>(out, 3);
    CHECK_EQUAL(out.read()[0], 30);
    ::store<<<1, 1>>>(out, 3);
    CHECK_EQUAL(out.read()[0], 3);
    outer::inner::store<<<1, 1>>>(out.data(), 3);
    CHECK_EQUAL(out.read()[0], 300);
    shorter::store<<<1, 1>>>(out.data(), 4);
    CHECK_EQUAL(out.read()[0], 400);
    outer::launch_nearest(out);
    CHECK_EQUAL(out.read()[0], 30);
    outer::inner::launch_nearest(out);
    CHECK_EQUAL(out.read()[0], 300);
    hidden<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 77);
}

CASE("a using declaration brings a kernel template") {
    using outer::inner::store;
    Buffer<int> out(1);
    store<<<1, 1>>>(out.data(), 5);
    CHECK_EQUAL(out.read()[0], 500);
}

CASE("a kernel may be launched before it is defined") {
    Buffer<int> out(1);
    declared_first<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 11);
}
__global__ void declared_first(int* result) {
    *result = 11;
}

CASE("kernels from tables, parentheses, conditions and function calls") {
    struct {
        void (*kernels[2])(int*, int);
    } table = {{store, outer::store}}, *pointer = &table;
    const auto pick = [&](int i) { return table.kernels[i]; };
    Buffer<int> out(1);
    table.kernels[1]<<<1, 1>>>(out, 2);
    CHECK_EQUAL(out.read()[0], 20);
    pointer->kernels[0]<<<1, 1>>>(out, 2);
    CHECK_EQUAL(out.read()[0], 2);
    (out.data() ? outer::store : store)<<<1, 1>>>(out, 4);
    CHECK_EQUAL(out.read()[0], 40);
    pick(1)<<<1, 1>>>(out, 5);
    CHECK_EQUAL(out.read()[0], 50);
    if (out.data())
        (store)<<<1, 1>>>(out, 6);
    else
        outer::store<<<1, 1>>>(out, 6);
    CHECK_EQUAL(out.read()[0], 6);
}

template <class Kernel, class... Arguments>
void launch_with(Kernel kernel, Arguments... arguments) {
    kernel<<<1, 2>>>(arguments...);
}

CASE("a kernel may be the argument of a template that launches it") {
    Buffer<int> out(2);
    launch_with(store, out.data(), 8);
    CHECK_EQUAL(out.read(), std::vector<int>{8, 9});
    launch_with(fill<int>, out.data(), 3);
    CHECK_EQUAL(out.read(), std::vector<int>{3, 3});
}

template <void (*Kernel)(int*, int), int Value>
struct Launcher {
    template <class T>
    static void run(T* out) {
        Kernel<<<1, 1>>>(out, Value);
    }
};

CASE("a kernel may be a template's argument") {
    Buffer<int> out(1);
    Launcher<outer::store, 6>::run(out.data());
    CHECK_EQUAL(out.read()[0], 60);
}

#define LAUNCH(kernel, grid, block, ...)          \
    do {                                          \
        kernel<<<(grid), (block)>>>(__VA_ARGS__); \
    } while (0)
#define LAUNCH_CONFIGURED(kernel, ...) kernel<<<__VA_ARGS__>>>
#define LAUNCH_NUMBERED(number, type) variant_##number<type><<<1, 1>>>
#define ONE_BLOCK 1, 2
#define FIRST(...) __VA_ARGS__

template <class T>
__global__ void variant_3(T* out) {
    *out = static_cast<T>(3.5);
}

CASE("launches in macros: kernel, configuration and name from parameters") {
    Buffer<int> out(2);
    LAUNCH(store, 1, 2, out, 4);
    CHECK_EQUAL(out.read(), std::vector<int>{4, 5});
    LAUNCH((fill<int>), 1, 2, out, 9);
    CHECK_EQUAL(out.read(), std::vector<int>{9, 9});
    LAUNCH_CONFIGURED(store, 1, 2, 0)(out, 1);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 2});
    LAUNCH_NUMBERED(3, int)(out);
    CHECK_EQUAL(out.read(), std::vector<int>{3, 2});
    store<<<ONE_BLOCK>>>(out, 6);
    CHECK_EQUAL(out.read(), std::vector<int>{6, 7});
    FIRST(store<<<1, 2>>>(out, 7); fill<<<1, 1>>>(out.data(), 0);)
    CHECK_EQUAL(out.read(), std::vector<int>{0, 8});
}

#define DEFINE_KERNEL(name, type)                        \
    __global__ void name(type* out) {                    \
        __shared__ type from_##name[2];                  \
        from_##name[threadIdx.x] = threadIdx.x + 1;      \
        __syncthreads();                                 \
        out[threadIdx.x] = from_##name[1 - threadIdx.x]; \
    }
DEFINE_KERNEL(swapped_int, int)
DEFINE_KERNEL(swapped_float, float)
#undef DEFINE_KERNEL

CASE("kernels made by a macro") {
    Buffer<int> whole(2);
    Buffer<float> real(2);
    swapped_int<<<1, 2>>>(whole);
    swapped_float<<<1, 2>>>(real);
    CHECK_EQUAL(whole.read(), std::vector<int>{2, 1});
    CHECK_EQUAL(real.read(), std::vector<float>{2, 1});
}

CASE("launches in lambdas, nested and stored") {
    Buffer<int> out(1);
    const auto outside = [&](int value) {
        const auto inside = [&, value] { outer::store<<<1, 1>>>(out, value); };
        inside();
    };
    outside(7);
    CHECK_EQUAL(out.read()[0], 70);
    for (int i = 0; i < 3; ++i) fill<<<1, 1>>>(out.data(), i);
    CHECK_EQUAL(out.read()[0], 2);
}

CASE("text that only looks like CUDA") {
    const std::string text = R"(store<<<1, 1>>>(out, 3); __shared__ int x;)";
    CHECK_EQUAL(text.size(), std::size_t{42});
    // store<<<1, 1>>>(out, 3); __shared__ int x;
    const std::string quoted = "\"<<<\"";
    CHECK_EQUAL(quoted.size() + 1'000 + (1 << 4 >> 2), std::size_t{1009});
}

CASE("cudaLaunchKernel with every cast that people write") {
    Buffer<int> out(2);
    int* data = out;
    int value = 1;
    void* arguments[] = {&data, &value};
    CHECK_CUDA(cudaLaunchKernel((void*)store, 1, 2, arguments, 0, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 2});
    value = 2;
    CHECK_CUDA(cudaLaunchKernel((const void*)&store, 1, 2, arguments, 0, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{2, 3});
    value = 3;
    CHECK_CUDA(
        cudaLaunchKernel(reinterpret_cast<const void*>(fill<int>), dim3(1), dim3(2), arguments, 0, nullptr),
        cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{3, 3});
    value = 4;
    CHECK_CUDA(cudaLaunchKernel(outer::store, 1, 1, arguments, 0, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{40, 3});
}

CONFORMANCE_MAIN("language")
