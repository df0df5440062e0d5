// What the executor does not do, and what kernels must not.
#include "call_words.hpp"

#include "finding.hpp"

namespace kit::cpu {

Finding not_offered(const std::string& what, Place place) {
    return {"argument", what + " is not offered by the CPU backend (" + describe(place) + ")", place};
}

std::string host_function_in_kernel() {
    return "a kernel called a function of the CUDA runtime that the CPU executor offers to host code only";
}

std::string waits_for_children(const std::string& thread, const std::string& function, Place place) {
    return thread + " calls " + function + "() at " + describe(place) +
           ", which nvcc does not compile: a kernel cannot wait for its children. What needs their results "
           "belongs into a kernel launched into cudaStreamTailLaunch";
}

}  // namespace kit::cpu
