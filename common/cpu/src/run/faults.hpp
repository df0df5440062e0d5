// From a signal to CUDA's error: bad addresses, stack overflow, division by zero and endless loops in
// kernels.
#pragma once

#include <pthread.h>

#include <facts/finding.hpp>

namespace kit::cpu {

struct Worker;

/// What stopped a CUDA thread, noted by the signal handler.
struct Fault {
    int signal = 0;  ///< 0: none
    const void* address = nullptr;
    const void* instruction = nullptr;
    const void* stack = nullptr;  ///< where the stack ended
};

/// Installs the handlers for the process (once) and an alternate signal stack for the calling thread.
void prepare_faults();

/// Reports why host code cannot continue, and aborts.
[[noreturn]] void end_process(const facts::Finding& finding);

/// Stops the CUDA thread that this OS thread runs, if any, because the time limit is over.
void interrupt_worker(pthread_t os_thread);

/// Ends the running thread, whose time was over while the executor worked for it.
[[noreturn]] void stop_late_thread(Worker& worker);

/// Turns the worker's fault into the end of its grid, with the words for it. Called by the scheduler.
void report_fault(Worker& worker);

}  // namespace kit::cpu
