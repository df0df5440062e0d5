// Grades 06_histogram/byte_histogram: all 256 values, with a private histogram for each warp.
#include "06_histogram/counting.hpp"

namespace {

#ifdef KIT_CPU
void count_operations(kit::Case& test) {
    const auto data =
        histogram_test::make<unsigned char>(test.random(), 40000, histogram_test::Kind::any_byte);
    auto in = test.input("data", data);
    auto bins = test.output<unsigned int>("bins", histogram::kByteBins);
    kit::cpu::reset_counters();
    test.call([&] { histogram::byte_histogram(in.data(), data.size(), bins.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    const auto copies = histogram::kCopies * histogram::kByteBins * counters.blocks;
    test.demand(
        "stores to shared memory",
        kit::unless(
            counters.global_loads == 0,
            kit::at_least(counters.shared_stores,
                          kit::ceil_div(copies, 4))),  // the checks count loads and stores, if they are on
        kit::count_of(counters.blocks, "block") + " write to shared memory " +
            kit::count_of(counters.shared_stores, "time") + ", but they must clear " +
            kit::count_of(copies, "counter") +
            " there: give each warp its own histogram in shared memory, and clear it first");
    test.demand(
        "atomics", kit::at_most(counters.atomics, data.size() + histogram::kByteBins * counters.blocks),
        kit::count_of(counters.atomics, "atomic addition") + " for " + kit::count_of(data.size(), "byte") +
            ": add up the copies first, then perform one addition per bin and block");
    test.expect(bins, histogram_test::count_values(data, 0, data.size(), histogram::kByteBins));
}

/// With a histogram for each warp, no two warps of a block use the same counter, even if all bytes are equal.
void count_contention(kit::Case& test) {
    const auto data = histogram_test::make<unsigned char>(test.random(), 12000, histogram_test::Kind::single);
    auto in = test.input("data", data);
    auto bins = test.output<unsigned int>("bins", histogram::kByteBins);
    kit::cpu::reset_counters();
    test.call([&] { histogram::byte_histogram(in.data(), data.size(), bins.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    test.demand("contention",
                kit::unless(counters.worst_contention <= counters.blocks,  // the additions to `bins`
                            kit::at_most(counters.worst_contention,
                                         data.size() / (4 * std::max<std::uint64_t>(counters.blocks, 1)))),
                std::to_string(counters.worst_contention) + " of " +
                    kit::count_of(data.size(), "equal byte") +
                    " are counted in one counter: give each warp of a block its own counters" + kit::task(2));
    test.expect(bins, histogram_test::count_values(data, 0, data.size(), histogram::kByteBins));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "byte_histogram", argc, argv);
    grader.task(1, kit::About().rule(kit::facts::Rule::race).between(1, 2));  // the copies are cleared before
    // Task 2 is first, because a race is most likely there.
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::out_of_bounds});
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::race});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::constant_output,
                    kit::Diagnosis::tail});
    histogram_test::add_byte_cases(grader, histogram::byte_histogram);
#ifdef KIT_CPU
    grader.add("copies and atomics, counted", count_operations);
    grader.add("warps that meet, counted", count_contention);
#else
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=17000003",
               [](kit::Case& test) {
                   histogram_test::judge_bytes(test, histogram::byte_histogram,
                                               histogram_test::make<unsigned char>(
                                                   test.random(), 17000003, histogram_test::Kind::any_byte));
               },
               {60, true});
#endif
    return grader.run();
}
