// What the tests that use NVSHMEM share: PEs for a case, and what a case needs for them.
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
    30};  ///< to begin two processes and NVSHMEM takes one to two seconds, and more beside others
#endif

/// What the PEs of a case send back.
inline std::vector<Words> run(kit::Case& test, Job job, const std::vector<Words>& inputs) {
    const std::optional<std::vector<Words>> outputs = begin(job, inputs);
    test.check(outputs.has_value(), "a PE has ended before it had done its work");
    return outputs.value_or(std::vector<Words>(inputs.size()));
}

/// True where there is a device for each PE; otherwise the case is skipped, with the reason.
inline void needs_devices(kit::Case& test, int pes) {
    int count = 0;
    test.cuda(cudaGetDeviceCount(&count));
    if (count >= pes) return;
    test.skip("this needs " + std::to_string(pes) + " GPUs; with -DKIT_BACKEND=CPU the executor has them");
}

/// For reports of the executor.
template <class T>
void name(const Symmetric<T>& memory, std::size_t size, const char* name) {
#ifdef KIT_CPU
    kit::cpu::name_buffer(memory.data(), size * sizeof(T), name, &kit::cpu::layout_of<T>);
#else
    (void)memory, (void)size, (void)name;
#endif
}

}  // namespace pes
