// Turns signals into CUDA errors: invalid addresses, stack overflow, division by zero and endless loops in
// kernels.
#pragma once

#include <pthread.h>

#include <facts/finding.hpp>

namespace kit::cpu {

struct Worker;

/// The fault that stopped a CUDA thread, recorded by the signal handler.
struct Fault {
    int signal = 0;  ///< 0: no fault
    const void* address = nullptr;
    const void* instruction = nullptr;
    const void* stack = nullptr;  ///< the stack pointer at the fault
};

/// Installs the signal handlers of the process (once), and an alternate signal stack for the calling thread.
void prepare_faults();

/// Reports the finding about host code that cannot continue, and aborts.
[[noreturn]] void end_process(const facts::Finding& finding);

/// Stops the CUDA thread that this OS thread runs, if any, because its kernel has reached the time limit.
void interrupt_worker(pthread_t os_thread);

/// Ends the running thread, because the time limit passed while the executor worked for that thread.
[[noreturn]] void stop_late_thread(Worker& worker);

/// Called by the scheduler. Ends the worker's grid and reports the fault that the signal handler recorded.
void report_fault(Worker& worker);

}  // namespace kit::cpu
