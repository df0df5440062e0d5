// Shared by the tests that use NVSHMEM: the PEs of a case, and what the case needs for them.
#pragma once

#include "18_multi_gpu/begin_pes.hpp"
#include "grader.cuh"

namespace pes {

#ifdef KIT_CPU
constexpr int most_pes = 3;
[[maybe_unused]] static const bool enough_devices = (kit::cpu::assume_devices(most_pes), true);
constexpr kit::CaseOptions limits;
#else
constexpr kit::CaseOptions limits{
    30};  ///< starting two processes and NVSHMEM takes one to two seconds, and more on a busy machine
#endif

/// Starts the PEs of a case and returns their outputs.
inline std::vector<Words> run(kit::Case& test, Job job, const std::vector<Words>& inputs) {
    const std::optional<std::vector<Words>> outputs = begin(job, inputs);
    test.check(outputs.has_value(), "a PE has ended before it had done its work");
    return outputs.value_or(std::vector<Words>(inputs.size()));
}

/// Skips the case, with the reason, unless there is a device for each PE.
inline void needs_devices(kit::Case& test, int pes) {
    int count = 0;
    test.cuda(cudaGetDeviceCount(&count));
    if (count >= pes) return;
    test.skip("this needs " + std::to_string(pes) + " GPUs; with -DKIT_BACKEND=CPU the executor has them");
}

/// Calls the student's function in a PE. If a call of the function must fail (error_handling::check_failing_calls), it is one by PE 0.
template <class Function>
void call(int pe, Function function) {
    const bool is_tried = pe == 0 && kit::detail::before_call;
    if (is_tried) kit::detail::before_call();
    function();
    if (is_tried) kit::detail::after_call();
}

/// Names memory for the executor's reports.
template <class T>
void name(const Symmetric<T>& memory, std::size_t size, const char* name) {
#ifdef KIT_CPU
    kit::cpu::name_buffer(memory.data(), size * sizeof(T), name, &kit::cpu::layout_of<T>);
#else
    (void)memory, (void)size, (void)name;
#endif
}

}  // namespace pes
