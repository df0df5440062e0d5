// Calls that kernels cannot make.
#include "api.hpp"

#include "run/worker.hpp"
#include "words/call_words.hpp"

namespace kit::cpu {

void refuse_in_kernel() {
    stop_kernel(cudaErrorNotSupported, "host_api", host_function_in_kernel().c_str(), {});
}

void refuse_to_wait(const char* what, Place place) {
    stop_kernel(cudaErrorNotSupported, "host_api",
                waits_for_children(running_thread_name(), what, place).c_str(), place);
}

}  // namespace kit::cpu
