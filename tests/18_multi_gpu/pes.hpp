// Shared by the tests that use NVSHMEM: the PEs of a case, and what the case needs for them.
#pragma once

#include "18_multi_gpu/begin_pes.hpp"
#include "18_multi_gpu/devices.hpp"

namespace pes {

#ifdef KIT_CPU
constexpr kit::CaseOptions limits;
#else
constexpr kit::CaseOptions limits{
    30};  ///< starting the processes and NVSHMEM takes one to two seconds, and more on a busy machine
#endif

using multi_gpu_test::device_counts;
using multi_gpu_test::devices_of;

/// Describes the PEs of a case, one for each device.
inline std::string in_words(int count) {
    const std::string devices = multi_gpu_test::devices_in_words(count);
    return count > 0 ? std::to_string(count) + " PEs" : "a PE on each of " + devices;
}

/// Starts the PEs of a case and returns their outputs.
inline std::vector<Words> run(kit::Case& test, Job job, const std::vector<Words>& inputs) {
    const std::optional<std::vector<Words>> outputs = begin(job, inputs);
    test.check(outputs.has_value(), "a PE has ended before it had done its work");
    return outputs.value_or(std::vector<Words>(inputs.size()));
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
