// Access to the block of the CUDA thread that has called the executor.
#pragma once

#include <cstring>

#include "worker.hpp"

namespace kit::cpu {

/// Ends the process, because host code has called a function that exists only in kernels.
[[noreturn]] void refuse_host_code(const char* what);

/// Returns whether two threads wait in the same call of the source, so that they meet.
inline bool same_place(Place a, Place b) {
    return a.line == b.line && (a.file == b.file || !std::strcmp(a.file, b.file));
}

/// The block of the CUDA thread that called the executor. While this object exists, accesses belong to the
/// executor and not to the student's code.
class Caller {
  public:
    [[gnu::always_inline]] explicit Caller(const char* what) {
        Worker* const worker = this_worker;
        if (!worker || !worker->in_thread) refuse_host_code(what);
        worker->in_executor = true;
        worker->call = __builtin_return_address(0);
    }
    ~Caller() {
        Worker* const worker = this_worker;
        worker->in_executor = false;
        if (worker->late) stop_late_thread(*worker);
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    Block* operator->() const { return this_worker->block; }
    Block& operator*() const { return *this_worker->block; }
};

}  // namespace kit::cpu
