// Launches through pointers to a kernel or to a host function. <<<...>>> calls a host function once, on the
// host.
#include "conformance.cuh"

using Function = void (*)(int*);
__global__ void add_one(int* p) {
    atomicAdd(p, 1);
}
template <class T>
__global__ void add_two(T* p) {
    atomicAdd(p, T{2});
}
namespace {
__global__ void add_three(int* p) {
    atomicAdd(p, 3);
}
}  // namespace
void launches_one(int* p) {
    add_one<<<1, 1>>>(p);
}
void measure(void (*function)(int*), int* p) {
    function<<<2, 4>>>(p);
}
template <class F>
void measure_any(F function, int* p) {
    function<<<2, 4>>>(p);
}

CASE("kernels and host functions are launched by pointers") {
    struct Row {
        const char* name;
        Function function;
    };
    const Row rows[] = {
        {"kernel", add_one}, {"host", launches_one}, {"template", add_two<int>}, {"hidden", add_three}};
    const Function table[] = {launches_one, add_two};
    Buffer<int> sum(std::vector<int>{0});
    for (const Row& row : rows) row.function<<<2, 4>>>(sum);
    CHECK_EQUAL(sum.read(), std::vector<int>{8 + 1 + 16 + 24});
    table[0]<<<2, 4>>>(sum);
    table[1]<<<2, 4>>>(sum);
    measure([](int* p) { add_two<<<1, 1>>>(p); }, sum);
    measure(add_three, sum);
    measure_any(&launches_one, sum.data());
    measure_any(add_two<int>, sum.data());
    CHECK_EQUAL(sum.read(), std::vector<int>{49 + 1 + 16 + 2 + 24 + 1 + 16});
}

CONFORMANCE_MAIN("launch_pointers")
