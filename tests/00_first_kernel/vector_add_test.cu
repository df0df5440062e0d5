// Grades 00_first_kernel/vector_add: any n, unmodified inputs, a second call, no memory left behind.
#include <string>
#include <vector>

#include "00_first_kernel/00_first_kernel.hpp"
#include "00_first_kernel/allocations.hpp"
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
    first_kernel::allocations = {};
    test.call([&] { first_kernel::vector_add(a.data(), b.data(), c.data(), n); });
    const first_kernel::Allocations& seen = first_kernel::allocations;
    test.check(seen.damage.empty(), seen.damage, kit::Diagnosis::out_of_bounds);
    test.expect(c, sum(a_values, b_values), kit::exact());
    test.check(seen.live.empty(), "device memory is lost: " + std::to_string(seen.live.size()) +
                                      " of the vectors that you allocated are never freed");
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("00_first_kernel", "vector_add", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::cuda_error});
    grader.task(3, {kit::Diagnosis::tail});
    grader.task(4, {kit::Diagnosis::not_written});
    for (int n : kit::sizes(256)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { add_once(test, n); });
    }
    grader.add("another size on the second call", [](kit::Case& test) {
        add_once(test, 700);
        add_once(test, 1300);
        add_once(test, 5);
    });
    return grader.run();
}
