// Grades 22_unified_memory/mapped: the sums, and that the host has neither waited nor copied.
#include <algorithm>

#include "01_error_handling/failing_calls.hpp"
#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;

std::uint64_t copied_bytes() {
#ifdef KIT_CPU
    return kit::cpu::counters().copied_bytes;
#else
    return 0;
#endif
}

void judge(kit::Case& test, int pieces, int piece) {
    const auto values = kit::integers<int>(
        test.random(), static_cast<std::size_t>(pieces) * static_cast<std::size_t>(piece), -99, 99);
    std::vector<int> want(static_cast<std::size_t>(pieces));
    for (std::size_t i = 0; i < values.size(); ++i) want[i / static_cast<std::size_t>(piece)] += values[i];
    auto in = test.input("in", values);
    std::vector<int> sums(static_cast<std::size_t>(pieces), -12345);
    kit::Calls calls;
    std::uint64_t copied = 0;
    const int largest = test.call([&] {
        const std::uint64_t before = copied_bytes();
        const int found =
            calls.in([&] { return unified_memory::piece_sums(in.data(), pieces, piece, sums); });
        copied = copied_bytes() - before;
        return found;
    });
    test.expect("sums", sums, want);
    test.equal("the number of the largest sum", largest,
               static_cast<int>(std::max_element(want.begin(), want.end()) - want.begin()));
    test.by_kernels(kit::named_task(1));
    test.demand("waits", kit::at_most(calls.waits, 0),
                "the host waits " + kit::count_of(calls.waits, "time") + " for the device: poll the counter" +
                    kit::task(4));
    test.demand("copied bytes", kit::at_most(copied, 0),
                kit::count_of(copied, "byte") + " were copied: let the kernel write into mapped memory" +
                    kit::task(2));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "mapped", argc, argv);
    for (const auto fix : {kit::facts::Fix::system_scope_of_host, kit::facts::Fix::fence_for_host})
        grader.task(1, kit::About().fix(fix));
    grader.task(4, {kit::Diagnosis::timeout});
    const std::pair<int, int> shapes[] = {{1, 1}, {3, 1000}, {40, 257}, {500, 32}};
    for (const auto& [pieces, piece] : shapes)
        grader.add(kit::count_of(pieces, "piece") + " of " + std::to_string(piece),
                   [pieces = pieces, piece = piece](kit::Case& test) { judge(test, pieces, piece); });
    error_handling::check_failing_calls(grader, argc, argv, {"3 pieces of 1000"});
    return grader.run();
}
