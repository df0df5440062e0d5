// `__device__` and `__constant__` variables. On this backend they are plain global variables; an address that
// the API hands out, or copies to, is noted as device memory.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "memory.hpp"

// Set by the linker: where the program's own image begins and ends.
extern "C" {
extern const char __executable_start;
extern const char _end;
}

namespace kit::cpu {

bool note_symbol(const void* symbol, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(symbol);
    if (begin < &__executable_start || begin >= &_end) return false;  // a local variable or heap memory
    if (const Allocation* known = find_allocation(symbol))
        if (known->symbol) return true;
    note_memory(const_cast<void*>(symbol), bytes, MemoryKind::device, "a variable")->symbol = true;
    return true;
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
    return api_call([&] {
        if (!pointer) return cudaErrorInvalidValue;
        if (!note_symbol(symbol, bytes)) return cudaErrorInvalidSymbol;
        *pointer = const_cast<void*>(symbol);
        return cudaSuccess;
    });
}

}  // namespace kit::cpu
