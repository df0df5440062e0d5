// Grades 12_l2_cache/annotated_sweep: the values, and the hints for each line of the three arrays.
#include <string>

#include "12_l2_cache/hints.hpp"
#include "kit.cuh"

namespace {

using namespace l2_cache_test;
using l2_cache::kLine;
using l2_cache::Stack;

/// Computes both sweeps in double precision. The elements of `out` between the columns and the pitch keep their values.
std::vector<float> reference(const std::vector<float>& in, const Stack& stack, float a,
                             std::vector<float> out) {
    for (int x = 0; x < stack.columns; ++x) {
        std::vector<double> up(static_cast<std::size_t>(stack.planes));
        const auto at = [&](int z) { return static_cast<std::size_t>(z) * stack.pitch + x; };
        double value = 0;
        for (int z = 0; z < stack.planes; ++z) up[z] = value = in[at(z)] + a * value;
        value = 0;
        for (int z = stack.planes; z-- > 0;) {
            value = up[z] + a * value;
            out[at(z)] = static_cast<float>(value);
        }
    }
    return out;
}

#ifdef KIT_CPU
struct Arrays {
    const float *in, *scratch, *out;
    std::size_t elements;
};

/// Checks the accesses of the thread of column 0. It reads `in` and writes `scratch` on the way up, and reads `scratch` and writes `out`
/// on the way down, once per plane. The access that it does too often determines the wrong sweep.
void expect_accesses(kit::Case& test, const std::vector<kit::cpu::TracedAccess>& trace, const Arrays& arrays,
                     std::uint64_t planes) {
    std::uint64_t in_read = 0, scratch_read = 0, scratch_written = 0, out_read = 0, out_written = 0;
    for (const kit::cpu::TracedAccess& access : trace) {
        const auto is_in = [&](const float* array) {
            const auto* const begin = reinterpret_cast<const char*>(array);
            return access.address >= begin && access.address < begin + arrays.elements * sizeof(float);
        };
        in_read += is_in(arrays.in);
        if (is_in(arrays.scratch)) ++(access.write ? scratch_written : scratch_read);
        if (is_in(arrays.out)) ++(access.write ? out_written : out_read);
    }
    const auto told = [&](const char* what, std::uint64_t times) {
        return std::string("a thread ") + what + " " + kit::count_of(times, "time") + " for " +
               kit::count_of(planes, "plane") + ": ";
    };
    test.demand("accesses", kit::at_most(in_read, planes),
                told("reads `in`", in_read) + "read each element once" + kit::task(2), kit::Diagnosis::part);
    test.demand("accesses", kit::at_most(scratch_written, planes),
                told("writes `scratch`", scratch_written) + "write each element once" + kit::task(2),
                kit::Diagnosis::part);
    test.demand(
        "accesses", kit::exactly(out_read, 0),
        told("reads `out`", out_read) + "keep the value of the plane above in a register" + kit::task(3),
        kit::Diagnosis::part);
    test.demand("accesses", kit::at_most(out_written, planes),
                told("writes `out`", out_written) + "write each element once" + kit::task(3),
                kit::Diagnosis::part);
    const bool is_traced = in_read + scratch_written + scratch_read + out_written > 0;
    test.demand(
        "accesses", !is_traced || (in_read >= planes && scratch_written >= planes),
        told("reads `in`", in_read) + "let the way up begin at plane 0 and end at the top" + kit::task(2),
        kit::Diagnosis::part);
    test.demand("accesses", !is_traced || out_written >= planes,
                told("writes `out`", out_written) + "let the way down begin at the top and end at plane 0" +
                    kit::task(3),
                kit::Diagnosis::part);
    // An extra read may belong to either sweep.
    test.demand("accesses", kit::at_most(scratch_read, planes),
                told("reads `scratch`", scratch_read) +
                    "read each element once, on the way down, and keep the value of the previous plane in a "
                    "register" +
                    kit::task(2, 3),
                kit::Diagnosis::part);
}

void expect_hints(kit::Case& test, const Stack& stack, const std::vector<kit::cpu::TracedAccess>& trace,
                  const Arrays& arrays) {
    if (!hints_are_kept()) return;
    const kit::cpu::CacheHints hints = kit::cpu::cache_hints();
    const auto planes = static_cast<std::uint64_t>(stack.planes);
    const std::uint64_t elements = planes * static_cast<std::uint64_t>(stack.columns);
    const std::uint64_t lines = planes * static_cast<std::uint64_t>(kit::ceil_div(stack.columns, kLine));
    const auto count = [](std::uint64_t n) { return std::to_string(n); };
    expect_accesses(test, trace, arrays, planes);
    test.demand("persisting accesses", kit::exactly(hints.persisting, 2 * elements),
                count(hints.persisting) + " persisting accesses, expected " + count(2 * elements) +
                    ": write and read each element of the scratch array once, through the annotated pointer" +
                    (hints.persisting == elements && hints.streaming == 2 * elements
                         ? ". One of the sweeps does not use this pointer" + kit::task(2, 3)
                         : kit::task(1)));
    test.demand("streaming accesses", kit::exactly(hints.streaming, 2 * elements),
                count(hints.streaming) + " streaming accesses, expected " + count(2 * elements) +
                    ": read each element of the input and write each element of the output once, through "
                    "annotated pointers" +
                    kit::task(1));
    kit::Said why = ": discard each line that holds columns, once" + kit::task(3);
    if (hints.kept_bytes > 0)
        why = ": " + count(hints.kept_bytes) +
              " bytes are in parts of lines, so discard whole lines of 128 bytes" + kit::task(3);
    test.demand("lines discarded",
                hints.discarded_lines == lines ? kit::exactly(hints.kept_bytes, 0)
                                               : kit::exactly(hints.discarded_lines, lines),
                count(hints.discarded_lines) + " lines are discarded, expected " + count(lines) + why);
    expect_nothing_left(test, 3);
}
#endif

void judge(kit::Case& test, const Stack& stack) {
    const FreshCache fresh(test);
    const float a = 0.75f;
    const auto values = kit::integers<float>(test.random(), stack.elements(), -100, 100);
    auto in = test.input("in", values);
    auto scratch = test.output<float>("scratch", stack.elements());
    auto out = test.inout("out", std::vector<float>(stack.elements(), -12345.0f));
#ifdef KIT_CPU
    kit::cpu::trace_thread(0, 0);
#endif
    test.call([&] { l2_cache::annotated_sweep(in.data(), scratch.data(), out.data(), stack, a); });
    if (stack.planes > 0) test.by_kernels(kit::named_task(1));
#ifdef KIT_CPU
    expect_hints(test, stack, kit::cpu::take_trace(),
                 {in.data(), scratch.data(), out.data(), stack.elements()});
#endif
    const std::vector<float> want =
        reference(values, stack, a, std::vector<float>(stack.elements(), -12345.0f));
    test.expect(out, want, kit::tolerance(2e-3, 1e-4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("12_l2_cache", "annotated_sweep", argc, argv);
    grader.task(1, {kit::Diagnosis::cuda_error});
    grader.task(2, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::not_written});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::uninitialised, kit::Diagnosis::barrier,
                    kit::Diagnosis::wrong_value});
    for (const Stack& stack :
         {Stack{32, 32, 1}, Stack{32, 32, 2}, Stack{128, 128, 7}, Stack{64, 96, 5}, Stack{1, 32, 4},
          Stack{33, 64, 6}, Stack{127, 160, 3}, Stack{129, 160, 9}, Stack{500, 512, 12}, Stack{100, 128, 0}})
        grader.add(std::to_string(stack.columns) + " wide, pitch " + std::to_string(stack.pitch) + ", " +
                       std::to_string(stack.planes) + " high",
                   [=](kit::Case& test) { judge(test, stack); });
    return grader.run();
}
