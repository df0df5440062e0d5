// The code that is common to all functions of the host API: it takes the lock, refuses calls from kernels and
// host functions, and returns sticky errors first.
#pragma once

#include <functional>
#include <kit_cpu/thread.hpp>
#include <memory>
#include <mutex>
#include <vector>

#include "device/error.hpp"
#include "device/lock.hpp"
#include "events.hpp"
#include "run/device_runtime.hpp"
#include "run/stream.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {

struct Operation;

/// If a meeting (run/meeting.hpp) lacks a party, releases the lock and waits until another host thread may
/// have started that party's part. `work` returns the operations for which the caller is about to wait.
void let_other_threads_come(const std::function<std::vector<std::shared_ptr<Operation>>()>& work);

/// The place that called the API function in whose body this macro is used.
#define KIT_CALLER ::kit::cpu::place_of_call(__builtin_return_address(0))

/// Ends the kernel whose thread called a function that exists on the host only.
[[noreturn]] void refuse_in_kernel();

/// Ends the kernel whose thread called a function that would wait for the kernel's children.
[[noreturn]] void refuse_to_wait(const char* what, Place place);

/// Returns whether a valid call of this function must fail. See fail_host_call().
bool host_call_fails(const char* function);

/// Runs a call that needs a working device, and stores its error for cudaGetLastError.
template <class Body>
cudaError_t api_call(Body body, const char* function = __builtin_FUNCTION()) {
    if (in_kernel()) refuse_in_kernel();
    std::lock_guard lock(api_mutex());
    runtime_used = true;
    if (in_host_function()) return note_error(cudaErrorNotPermitted);
    if (sticky_error() != cudaSuccess) return note_error(sticky_error());
    if (host_call_fails(function)) return note_error(cudaErrorMemoryAllocation);
    return note_error(body());
}

/// Calls the body with the stream that belongs to the handle.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body body, const char* function = __builtin_FUNCTION()) {
    return api_call(
        [&] {
            CUstream_st* stream = find_stream(handle);
            return stream ? body(*stream) : cudaErrorInvalidResourceHandle;
        },
        function);
}

/// Runs a call that changes nothing and that device code can also make.
template <class Body>
cudaError_t question(Body body) {
    return in_kernel() ? answer_kernel(body) : api_call(body);
}

/// Runs a call that only returns facts. Such a call works even after an execution error.
template <class Body>
cudaError_t fact_call(Body body) {
    if (in_kernel()) refuse_in_kernel();
    std::lock_guard lock(api_mutex());
    return note_error(body());
}

template <class Body>
cudaError_t fact_question(Body body) {
    return in_kernel() ? answer_kernel(body) : fact_call(body);
}

}  // namespace kit::cpu
