// What is left in the cache, and what cannot be asked of it.
#include "cache_words.hpp"

#include "phrases.hpp"

namespace kit::cpu {

std::string hint_for_shared_memory(const std::string& thread, const char* function, const Spot& at) {
    return thread + " gives " + function + "() shared memory at " + describe(at) +
           ": it is for global memory, as shared memory does not lie in the L2 cache";
}

std::string hint_out_of_bounds(const std::string& thread, std::size_t bytes, const std::string& where,
                               const Spot& at) {
    return thread + " gives " + count_bytes(bytes) + " a property at " + describe(at) + ": out of bounds, " +
           where;
}

Finding window_left(std::size_t bytes, const std::string& memory, Place place) {
    return {"persisting",
            "a stream keeps its access window, " + count_bytes(bytes) + " from " + memory + ", set at " +
                describe(place) +
                ": all kernels to come in this stream make lines persist; set a window of 0 bytes after the "
                "last one that needs it",
            place};
}

Finding lines_left(std::size_t bytes, const std::string& kernel, bool window, Place place) {
    const std::string why =
        window ? "`" + kernel + "` was launched under a window" : "of an access of `" + kernel + "`";
    return {
        "persisting",
        count_bytes(bytes) + " of L2 lines stay persisting, because " + why + " at " + describe(place) +
            ": they take room from the kernels to come; call cudaCtxResetPersistingL2Cache() when the last "
            "kernel that needs them has ended",
        place};
}

}  // namespace kit::cpu
