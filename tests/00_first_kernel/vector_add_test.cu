// Grades 00_first_kernel/vector_add: any n, unmodified inputs, a second call, no memory left behind.
#include <string>
#include <vector>

#include "00_first_kernel/00_first_kernel.hpp"
#include "grader.cuh"

namespace {

std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(a.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
    return c;
}

void add_once(kit::Case& test, int n) {
    auto a_values = kit::heavy_tailed<float>(test.random(), n);
    auto b_values = kit::uniform<float>(test.random(), n, -1000.0f, 1000.0f);
    auto a = test.host_input("a", a_values);
    auto b = test.host_input("b", b_values);
    auto c = test.host_output<float>("c", n);
    test.call([&] { first_kernel::vector_add(a.data(), b.data(), c.data(), n); });
    test.expect(c, sum(a_values, b_values), kit::exact());
}

std::size_t free_bytes(kit::Case& test) {
    std::size_t free = 0, total = 0;
    test.cuda(cudaMemGetInfo(&free, &total));
    return free;
}

// The runtime allocates for itself during the first calls, hence the call before the measurement.
void leak(kit::Case& test) {
    constexpr int n = 1 << 19, calls = 8;
    add_once(test, n);
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    std::size_t before = free_bytes(test);
    for (int i = 0; i < calls; ++i) first_kernel::vector_add(a.data(), b.data(), c.data(), n);
    std::size_t after = free_bytes(test);
    std::size_t lost = before > after ? before - after : 0;
    test.check(lost < n * sizeof(float), "device memory is lost: after " + std::to_string(calls) +
                                             " calls with n=" + std::to_string(n) + ", " +
                                             std::to_string(lost >> 20) +
                                             " MiB are still allocated (is every cudaMalloc freed?)");
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("00_first_kernel", "vector_add", argc, argv);
    grader.task(kit::Diagnosis::tail, "Task 3, \"enough blocks\"");
    grader.task(kit::Diagnosis::out_of_bounds, "Task 1, \"the guard\"");
    grader.task(kit::Diagnosis::not_written, "Task 4, \"bring the result home\"");
    grader.task(kit::Diagnosis::cuda_error, "Task 2, \"copy in\"");
    for (int n : kit::sizes(256)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { add_once(test, n); });
    }
    grader.add("another size on the second call", [](kit::Case& test) {
        add_once(test, 700);
        add_once(test, 1300);
        add_once(test, 5);
    });
    grader.add("device memory is freed", leak);
    return grader.run();
}
