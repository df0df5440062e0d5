// Grades 06_histogram/privatized: the letters of a text, with blocks of any size, down to a single thread.
// sanitizer.case: n=
#include "06_histogram/counting.hpp"

namespace {

using histogram_test::Kind;

void with_256_threads(const char* text, std::size_t n, unsigned int* bins) {
    histogram::privatized(text, n, bins, 256);
}

#ifdef KIT_CPU
/// The counters do not distinguish atomics in global memory from those in shared memory, but a shared histogram needs barriers.
void count_operations(kit::Case& test) {
    const auto text = histogram_test::make<char>(test.random(), 40000, Kind::letters);
    auto in = test.input("text", text);
    auto bins = test.output<unsigned int>("bins", histogram::kLetterBins);
    kit::cpu::reset_counters();
    test.call([&] { with_256_threads(in.data(), text.size(), bins.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    test.demand(
        "barriers", kit::at_least(counters.block_barriers, 2 * counters.blocks),
        "a block waits " +
            kit::count_of(counters.block_barriers / std::max<std::size_t>(counters.blocks, 1), "time") +
            " at a barrier: put one barrier after you clear the shared histogram, and one "
            "before you add it up");
    test.demand("atomics",
                kit::at_most(counters.atomics, text.size() + histogram::kLetterBins * counters.blocks),
                kit::count_of(counters.atomics, "atomic addition") +
                    ": add once per letter in shared memory, and once per bin and block in "
                    "global memory");
    test.demand("contention",
                kit::unless(counters.blocks < 3, kit::at_most(counters.worst_contention, text.size() / 14)),
                kit::count_of(counters.worst_contention, "atomic addition") +
                    " to one counter, but a text of " + kit::count_of(text.size(), "letter") +
                    " has 7 groups: let each of the " + kit::count_of(counters.blocks, "block") +
                    " count its letters in shared memory, and add to `bins` only at the end" + kit::task(2));
    test.expect(bins, histogram_test::count_letters(text, 0, text.size()));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "privatized", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::wrong_value,
                    kit::Diagnosis::constant_output});
    histogram_test::add_letter_cases(grader, with_256_threads);
    for (int threads : {1, 3, 7, 33, 1000}) {
        grader.add("blocks of " + std::to_string(threads) + ", n=9001", [threads](kit::Case& test) {
            histogram_test::judge_letters(
                test,
                [threads](const char* text, std::size_t n, unsigned int* bins) {
                    histogram::privatized(text, n, bins, threads);
                },
                histogram_test::make<char>(test.random(), 9001, Kind::printable));
        });
    }
#ifdef KIT_CPU
    grader.add("barriers and atomics, counted", count_operations);
#else
    histogram_test::add_case_beyond_int(grader, with_256_threads);
#endif
    return grader.run();
}
