// Grades 05_convolution/conv1d_constant: the mask comes from the host, and must fit into constant memory.
#include "05_convolution/one_dimension.hpp"

namespace {

using namespace convolution_test;

/// The caller changes its array immediately after the call, and the copy must contain the whole mask.
void judge_mask_is_copied(kit::Case& test) {
    const auto values = kit::integers<float>(test.random(), 900, -100, 100);
    const auto mask = make_mask(test.random(), 11);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 900);
    test.call([&] {
        std::vector<float> copy = mask;
        convolution::conv1d_constant(in.data(), 900, copy.data(), 11, out.data());
        std::fill(copy.begin(), copy.end(), 1000.0f);
    });
    test.expect(out, reference(values, mask));
}

#ifdef KIT_CPU
/// The copy to the device is the mask, padded or not, but at most kMaxWidth elements.
void count_copies(kit::Case& test) {
    const auto values = kit::integers<float>(test.random(), 900, -100, 100);
    const auto mask = make_mask(test.random(), 11);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 900);
    kit::cpu::reset_counters();
    std::uint64_t copied = 0;  // read inside the call, because the grader copies, too
    test.call([&] {
        convolution::conv1d_constant(in.data(), 900, mask.data(), 11, out.data());
        copied = kit::cpu::counters().copied_bytes;
    });
    test.method("bytes copied", copied >= 44,
                {"a mask in constant memory, which cudaMemcpyToSymbol fills",
                 "you copied " + kit::count_of(copied, "byte") + ", but a mask of 11 floats has 44",
                 "A __constant__ array also serves masks that are too large for kernel parameters, and "
                 "several kernels can share it. conv1d_fast is the exercise for a mask in the parameters.",
                 1});
    test.demand("bytes copied", kit::at_most(copied, convolution::kMaxWidth * sizeof(float)),
                "a mask of 11 floats has 44 bytes, but you copied " + std::to_string(copied) +
                    ": copy only the mask");
    const auto kernels = kit::cpu::counters().kernels;
    test.demand("kernels", kit::exactly(kernels, 1),
                kit::count_of(kernels, "kernel", "were") +
                    " launched, expected 1: compute all outputs in one launch");
    test.expect(out, reference(values, mask));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    using convolution::conv1d_constant;
    kit::Grader grader("05_convolution", "conv1d_constant", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::second_call, kit::Diagnosis::exited,
                    kit::Diagnosis::cuda_error, kit::Diagnosis::constant_output});
    grader.task(2, {kit::Diagnosis::shifted, kit::Diagnosis::out_of_bounds, kit::Diagnosis::nan});
    task_with_whole_mask = 2;
    add_cases(grader, conv1d_constant, {1, 2, 4, 9, 31, 127});
    grader.add("the mask changes after the call", judge_mask_is_copied);
    for (int width : {0, -1, convolution::kMaxWidth + 1, 5000}) {
        grader.add("a mask that does not fit: width " + std::to_string(width),
                   [width](kit::Case& test) { judge_refusal(test, conv1d_constant, width); });
    }
    grader.add("after a refusal", [](kit::Case& test) {
        judge_refusal(test, conv1d_constant, convolution::kMaxWidth + 1);
        judge_size(test, conv1d_constant, 600, 5);
    });
#ifdef KIT_CPU
    grader.add("copies, counted", count_copies);
#endif
    return grader.run();
}
