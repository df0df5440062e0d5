// Grades 20_matrix_product/tensor_pipeline: ragged sizes, copies that overlap, stages that no warp still reads, and bank conflicts.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/tensor.hpp"
#ifdef KIT_CPU
#include <kit_cpu/async_copy.hpp>
#endif

using namespace matrix_product_test;

namespace {

constexpr int kTile =
    64;  // columns of C for which an element of A may be copied once, and rows for an element of B
constexpr int kDepth = 64;              // elements of k that a block may copy together
constexpr double kNoConflicts = 1.001;  // wavefronts for each 128 bytes

const TensorExercise<__nv_bfloat16> kPipeline = {matrix_product::tensor_pipeline, 5, 6, kDepth, 8};

/// Demands that A and B reach shared memory by asynchronous copies, and how often.
void demand_asynchronous([[maybe_unused]] kit::Case& test, [[maybe_unused]] const Shape& shape) {
#ifdef KIT_CPU
    const Sizes sizes = shape.sizes;
    const auto times = [](int extent) { return std::size_t(kit::ceil_div(extent, kTile)); };
    const std::size_t least = (elements(sizes.m, sizes.k) + elements(sizes.k, sizes.n)) * 2;
    const std::size_t most = (elements(sizes.m, kPipeline.lda(shape)) * times(sizes.n) +
                              elements(sizes.k, kPipeline.ldb(shape)) * times(sizes.m)) *
                             2;
    const std::size_t bytes = kit::cpu::counters().async_bytes;
    const std::size_t loaded =
        kit::cpu::counters().global_bytes_loaded - bytes;  // the counter includes the copies
    test.demand("asynchronous", kit::exactly(loaded, 0),
                kit::count_of(loaded, "byte", "were") +
                    " loaded to registers: copy A and B to shared memory asynchronously" + kit::task(2));
    test.demand("asynchronous", kit::between(bytes, least, most),
                kit::count_of(bytes, "byte", "were") + " copied asynchronously, but the tiles need at most " +
                    std::to_string(most) + ": copy each chunk of a tile once" + kit::task(2));
#else
    (void)kTile;
#endif
}

/// Returns how many waits for copies have ended so far after the block had loaded from shared memory in the meantime.
std::uint64_t waits_after_loads() {
#ifdef KIT_CPU
    return kit::cpu::waits_after_loads();
#else
    return 0;
#endif
}

/// Demands that copies of a block are in flight while it multiplies: either a wait ends a copy while a later one is in flight, or
/// the block has loaded fragments since the copy started. `used_waits` is the number of the latter.
void demand_overlap([[maybe_unused]] kit::Case& test, [[maybe_unused]] Sizes sizes,
                    [[maybe_unused]] std::uint64_t used_waits) {
#ifdef KIT_CPU
    const std::uint64_t needed =
        kit::cpu::counters().blocks * std::uint64_t(std::max(sizes.k - 1, 0) / kDepth);
    const std::uint64_t overlaps = std::max(std::uint64_t{kit::cpu::counters().async_overlaps}, used_waits);
    test.demand("overlap", kit::at_least(overlaps, needed),
                std::to_string(overlaps) + " of " + kit::count_of(needed, "wait") +
                    " ended a copy that was in flight while the block worked: start the copies of a later "
                    "stage, and wait for them after the products of this one" +
                    kit::task(3));
#endif
}

void judge(kit::Case& test, const Shape& shape, const Values& values) {
    const std::uint64_t before = waits_after_loads();
    judge_tensor(test, kPipeline, shape, values);
    const std::uint64_t used_waits = waits_after_loads() - before;
    require_tensor_cores(test, shape.sizes, 5);
    if (shape.sizes.m == 0 || shape.sizes.n == 0 || shape.sizes.k == 0) return;
    demand_asynchronous(test, shape);
    demand_overlap(test, shape.sizes, used_waits);
}

void wavefronts(kit::Case& test) {
    kit::Counts counts;
    judge_tensor(test, kPipeline, {{64, 128, 64}}, {}, &counts);
    for (const kit::Way way : {kit::Way::loads, kit::Way::stores})
        test.wavefronts_at_most(kNoConflicts, counts, way);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "tensor_pipeline", argc, argv);
    grader.task(1, {kit::Diagnosis::bank_conflicts});
    grader.task(6, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("c"));
    grader.task(2, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::tail});
    grader.task(5, kit::About().function("mma.sync"));
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    for (const int task : {2, 4, 5}) grader.task(task, {kit::Diagnosis::wrong_value, kit::Diagnosis::nan});
    grader.task(6, {kit::Diagnosis::not_written});
    struct Given {
        Shape shape;
        Values values;
        const char* note;
    };
    for (const Given& given :
         {Given{{{0, 8, 8}}, {}, ""}, Given{{{3, 2, 0}, 8, 6, 0}, {}, ""},
          Given{{{1, 1, 1}, 7, 7, 1}, {}, ""}, Given{{{70, 131, 45}, 3, 5, 1}, {}, ""},
          Given{{{130, 40, 136}}, {}, ""}, Given{{{20, 264, 72}}, {}, ""},
          Given{{{40, 24, 330}, 6, 0, 0}, {}, ""},
          Given{{{37, 67, 90}, 6, 13, 5}, {-9, 9, false, NAN}, " with NaN"},
          Given{{{40, 72, 104}}, {96, 127}, ", large sums"}, Given{{{130, 258, 65}, 7, 6, 0}, {}, ""}})
        grader.add(given.shape.name() + given.note,
                   [=](kit::Case& test) { judge(test, given.shape, given.values); });
    grader.add("64 x 128 x 64, counted", wavefronts);
    error_handling::check_failing_calls(grader, argc, argv, {"20 x 264 x 72"});
    return grader.run();
}
