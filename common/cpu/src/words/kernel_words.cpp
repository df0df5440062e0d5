#include "kernel_words.hpp"

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {

std::string held_by_no_block(const std::string& thread, const Spot& at) {
    return thread + " asks at " + describe(at) +
           " which block of its cluster has an address in its shared memory, and no block has it there";
}

std::string no_such_block(const std::string& thread, const Spot& at, int rank, std::size_t blocks) {
    return thread + " asks map_shared_rank() at " + describe(at) + " for block " + std::to_string(rank) +
           " of its cluster, which has " + std::to_string(blocks);
}

std::string stream_of_another_grid(const std::string& thread, const std::string& creator, const Spot& at) {
    return thread + " uses a stream that `" + creator + "` created at " + describe(at) +
           ": a device stream belongs to the grid that creates it, and no other may use it";
}

std::string private_argument(const std::string& thread, const std::string& child, const Spot& at,
                             const std::string& memory, unsigned number) {
    return thread + " launches `" + child + "` at " + describe(at) + " with a pointer to " + memory +
           " as argument " + std::to_string(number) +
           ": a child can use global memory only, as shared memory belongs to one block and local memory to "
           "one thread";
}

std::string private_copy(const std::string& thread, const std::string& function, const Spot& at,
                         const std::string& memory) {
    return thread + " calls " + function + " at " + describe(at) + " for " + memory +
           ": the copy is made by another kernel, which can use global memory only";
}

std::string no_children_here(const std::string& thread, const Spot& at, bool in_body) {
    return thread + " launches a kernel at " + describe(at) +
           (in_body ? ", in the body of a conditional node"
                    : ", in a graph that is instantiated for the device") +
           ": kernels in there cannot launch kernels";
}

std::string wrong_free(const std::string& thread, const std::string& function, const Spot& at,
                       const std::string& why) {
    return thread + " calls " + function + " at " + describe(at) + ": " + why;
}

std::string not_by_pointer(const std::string& kernel, const std::string& parameter, Place place) {
    return "the CPU executor cannot launch `" + kernel + "` by a void pointer because of its parameter " +
           parameter + "; pass the kernel itself (" + describe(place) + ")";
}

std::string no_stacks(unsigned threads) {
    return "no memory for the stacks of " + std::to_string(threads) + " waiting threads";
}

std::string too_much_shared(const std::string& variable, std::size_t bytes) {
    return "`" + variable + "` (" + std::to_string(bytes) +
           " bytes) does not fit into shared memory; no device has that much";
}

std::string wrote_past_end(const std::string& kernel, const std::string& variable, const std::string& block) {
    return "`" + kernel + "` wrote past the end of " + variable + " in " + block;
}

std::string trapped(const std::string& thread, const Spot& at) {
    return thread + " called __trap() at " + describe(at);
}

std::string assertion_failed(const std::string& expression, const Spot& at, const std::string& thread) {
    return "assertion `" + expression + "` failed at " + describe(at) + " in " + thread;
}

std::string divided_by_zero(const std::string& thread, const Spot& at) {
    return thread + " divided by zero at " + describe(at);
}

std::string illegal_instruction(const std::string& thread, const Spot& at) {
    return thread + " met an illegal instruction at " + describe(at);
}

std::string out_of_stack(const std::string& thread, const Spot& at) {
    return thread + " ran out of stack: the recursion is too deep, or a local array too large, at " +
           describe(at);
}

std::string bad_address(const std::string& thread, const void* address, const std::string& near,
                        const Spot& at) {
    constexpr std::uintptr_t near_null = 65536;
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const std::string what =
        number == 0          ? "a null pointer"
        : number < near_null ? "a null pointer (" + std::to_string(number) + " bytes after it)"
        : near.empty()       ? "the bad address " + hexadecimal(address) + ", where nothing is allocated,"
                             : "the bad address " + hexadecimal(address) + ", " + near + ",";
    return thread + " used " + what + " at " + describe(at);
}

std::string was_at(const std::string& thread, const Spot& at) {
    return at.place.line ? thread + " was at " + describe(at) : "";
}

std::string touched_by_host(Place place, const std::string& memory) {
    return "host code touched device memory at " + describe(place) + ": " + memory +
           ". Only kernels may use a device pointer; copy with cudaMemcpy first";
}

}  // namespace kit::cpu
