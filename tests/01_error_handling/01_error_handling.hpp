// The contract of topic 01_error_handling: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 01: which errors the runtime reports, when it reports them, and what to do about them.
///
/// What is counted, besides the values (on the CPU backend):
///   - recover: threads
///
/// What the host may compute: check_macro. In all other exercises, results count only if kernels have computed them.
namespace error_handling {

// ---- check_macro ----

/// A call of the runtime, as a macro sees it: an expression that evaluates to an error code.
using Call = cudaError_t (*)();

/// The place of a check in the source.
struct Place {
    const char* file;
    int line;
};

/// Checks `call()` with MY_CHECK, after storing the place of that check in `place`.
///
/// If the call succeeds, nothing is printed and the function returns. Otherwise a message on standard error, of one line
/// or several, contains FILE:LINE (the file's name is enough), the expression, and the name and text of the error; then
/// the program ends with a status other than 0, or by abort().
void check_call(Call call, Place* place);

/// Executes `if (wanted) MY_CHECK(call()); else *otherwise = true;` without braces.
void check_branch(bool wanted, Call call, bool* otherwise);

/// Checks variables with names that a macro could well use inside: first `error`, then `err`, `status`,
/// `result`.
void check_names(cudaError_t error, cudaError_t err, cudaError_t status, cudaError_t result);

// ---- which_error ----
//
// Each function does one thing that works or fails, depending on its argument. It returns cudaSuccess or the
// code of the failure, and returns only when the outcome is certain. A later cudaGetLastError() must not return
// its error, except for a sticky error, which nothing can clear.

/// Stores `value` at `where`, a device address, with a kernel of one thread. Null is an illegal address.
cudaError_t store(int* where, int value);

/// Launches a kernel that does nothing, one block of `threads` threads.
///
/// @param threads 1 to 1024; more is an error
/// @param before  gets the error that was waiting when the function was called, and that an earlier call caused;
///                cudaSuccess if there was none. The function clears it, and never reports it as this launch's error.
cudaError_t launch_threads(int threads, cudaError_t* before);

/// Allocates `bytes` bytes of device memory and frees them again. 2^50 bytes are an error.
cudaError_t allocate(std::size_t bytes);

/// The stage of store_and_fetch() that failed.
enum class Stage { none, launch, kernel, copy };

struct Outcome {
    cudaError_t code;  ///< cudaSuccess, or the code of the first failure
    Stage stage;       ///< stage that failed; Stage::none if none did
};

/// Stores `value` at `where`, a device address, with a kernel of one block of `threads` threads, and copies it from there
/// to `result`, a host address.
///
/// Any of the three stages can fail: the launch (more than 1024 threads), the kernel (`where` is null), the copy (`result`
/// is null). After a failure, no further stage is started.
Outcome store_and_fetch(int* where, int value, int threads, int* result);

/// Launches a kernel that does nothing with `bytes` bytes of dynamic shared memory, in one block of 32 threads.
///
/// Every size that the device allows for a block works (cudaDevAttrMaxSharedMemoryPerBlockOptin), in any order of calls.
/// More is an error: the function returns the code of the call that refused first, and does not launch the kernel.
cudaError_t launch_shared(std::size_t bytes);

// ---- debug_sync ----

/// One launch of a pipeline: adds 1 to each of the n integers at `data` with blocks of `block` threads.
struct Step {
    int* data;  ///< device memory, n integers
    int n;      ///< 1 or more
    int block;  ///< threads per block; more than 1024 is a launch error
};

/// How far a pipeline got.
struct Progress {
    cudaError_t error;  ///< cudaSuccess, or the first error that a check after a launch found
    int step;           ///< the step whose check found it; the number of steps if none did
};

/// Launches the steps one after another and checks after each; the first error ends the pipeline.
///
/// Built without KIT_DEBUG_SYNC, it detects launch errors and never waits for the device. Built with it, it waits
/// exactly once for each launch that succeeded, and detects execution errors at the step that caused them.
/// It leaves no launch error behind for a later cudaGetLastError().
///
/// Every way to wait counts: synchronizing the device, a stream or an event, polling until the work is done
/// (cudaStreamQuery), and also a copy that returns only when it is done (cudaMemcpy).
Progress pipeline(const Step* steps, int count);

/// Returns whether this copy of the exercise was compiled with KIT_DEBUG_SYNC.
bool debug_build();

/// Returns how many times the exercise has waited for the device so far (counted by count_syncs.hpp).
int waits();

// ---- recover ----

/// One job of a service: doubles n integers on the device, with a scratch buffer if there is memory for it.
struct Job {
    int* data;            ///< device memory, n integers, doubled in place
    int n;                ///< 1 or more
    int block;            ///< threads per block that the customer requests; more than 1024 is a launch error
    std::size_t scratch;  ///< bytes of scratch memory that the customer requests; the job can do without
};

/// How a service ended.
enum class Ending {
    done,      ///< all jobs done as requested
    repaired,  ///< all jobs done, at least one with 256 threads per block or without scratch memory
    lost       ///< a sticky error: the context is lost, and the remaining jobs cannot be done
};

struct Report {
    Ending ending;
    int finished;  ///< jobs that are known to be complete because their kernel has run
};

/// Does the jobs in order, each exactly once, and waits for each.
///
/// If an allocation fails, the job continues without scratch memory. If a launch fails, the job is launched
/// again with 256 threads per block. In both cases, no error is left behind, and other device memory stays as
/// it is. After a sticky error, no further job is started, one line on standard error gives the name of the
/// error, and the function returns (it does not end the program).
Report serve(const Job* jobs, int count);

}  // namespace error_handling
