// Ends kernels that call functions of the runtime which exist only for the host.
#include "api.hpp"

#include "run/worker.hpp"

namespace kit::cpu {

void refuse_in_kernel() {
    stop_kernel(cudaErrorNotSupported, Finding(facts::Rule::host_function_in_kernel));
}

void refuse_to_wait(const char* what, Place place) {
    stop_kernel(cudaErrorNotSupported,
                finding(facts::Rule::waits_for_children, place).by(running_thread()).with("function", what));
}

}  // namespace kit::cpu
