// `__device__` and `__constant__` variables. On this backend they are plain global variables; an address that
// the API hands out, or copies to, is noted as device memory.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "memory.hpp"
#include "symbols.hpp"

namespace kit::cpu {

bool note_symbol(const void* symbol, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(symbol);
    if (!program_image().holds(begin)) return false;  // a local variable or heap memory
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
