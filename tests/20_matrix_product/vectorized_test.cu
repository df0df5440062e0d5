// Grades 20_matrix_product/vectorized: any sizes, asynchronous copies in two stages, 16-byte loads and no bank conflicts.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/products.hpp"
#ifdef KIT_CPU
#include <kit_cpu/async_copy.hpp>
#endif

namespace {

using namespace matrix_product_test;

const Exercise kExercise = {matrix_product::vectorized, 1, 2, 4, 5, matrix_product::kBlockTile,
                            matrix_product::kDepth,     4};

/// Demands that the copies contain every element of A and B, and are in flight during other work of the block: `used_waits` of the waits
/// ended after the block had loaded from shared memory in the meantime.
void demand_copies([[maybe_unused]] kit::Case& test, [[maybe_unused]] const Counted& counted,
                   [[maybe_unused]] Sizes sizes, [[maybe_unused]] double used_waits) {
#ifdef KIT_CPU
    const double bytes = 4.0 * sizes.k * (sizes.m + sizes.n);
    test.demand("asynchronous", kit::at_least(counted.async_bytes, bytes),
                "only " + kit::detail::to_text(counted.async_bytes) + " of " + kit::detail::to_text(bytes) +
                    " bytes of A and B were copied asynchronously: copy both tiles with "
                    "__pipeline_memcpy_async" +
                    (counted.async_bytes > 0 ? kit::task(1) : kit::task(2)));
    test.demand("overlap", kit::at_least(counted.overlaps + used_waits, counted.blocks),
                "no copy is in flight while the block multiplies: start the copies of the next tile before "
                "the products of this one, and wait for them afterwards" +
                    kit::task(4));
#endif
}

/// Returns how many waits for copies have ended so far after the block had loaded from shared memory in the meantime.
double waits_after_loads() {
#ifdef KIT_CPU
    return static_cast<double>(kit::cpu::waits_after_loads());
#else
    return 0;
#endif
}

void count(kit::Case& test) {
    constexpr Sizes sizes = {128, 256, 32};
    const double before = waits_after_loads();
    const Counted counted = judge(test, kExercise, {sizes});
    demand_copies(test, counted, sizes, waits_after_loads() - before);
    demand_shared_loads(test, counted, sizes, 16,
                        "load four neighbours of each tile with one load of 16 bytes" + kit::task(3));
}

void profile(kit::Case& test) {
    const Counted counted = judge(test, kExercise, {{128, 128, 16}}, true);
    test.wavefronts_at_most(1, counted.requests, kit::Way::loads);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "vectorized", argc, argv);
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::bank_conflicts));
    grader.task(4, kit::About().fix(kit::facts::Fix::copys_end));
    grader.task(4, kit::About().fix(kit::facts::Fix::barrier));
    grader.task(4, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::timeout});
    for (const int task : {1, 2})
        grader.task(task,
                    {kit::Diagnosis::out_of_bounds, kit::Diagnosis::uninitialised, kit::Diagnosis::nan});
    grader.task(5, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    add_shapes(grader, kExercise);
    grader.add("128 x 256 x 32, counted", count);
    grader.add("128 x 128 x 16, profiled", profile);
    error_handling::check_failing_calls(grader, argc, argv, {"129 x 127 x 9"});
    return grader.run();
}
