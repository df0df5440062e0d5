// Calls that kernels cannot make.
#include "api.hpp"

#include <string>

#include "run/worker.hpp"
#include "words/finding.hpp"

namespace kit::cpu {

void refuse_in_kernel() {
    stop_kernel(
        cudaErrorNotSupported, "host_api",
        "a kernel called a function of the CUDA runtime that the CPU executor offers to host code only", {});
}

void refuse_to_wait(const char* what, Place place) {
    stop_kernel(cudaErrorNotSupported, "host_api",
                (running_thread_name() + " calls " + what + "() at " + describe(place) +
                 ", which nvcc does not compile: a kernel cannot wait for its children. What needs their "
                 "results belongs "
                 "into a kernel launched into cudaStreamTailLaunch")
                    .c_str(),
                place);
}

}  // namespace kit::cpu
