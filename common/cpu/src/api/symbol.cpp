// API functions for `__device__` and `__constant__` variables, which are ordinary global variables on this
// backend. A variable is recorded as device memory when the API returns its address or copies to or from it.
#include <kit_cpu/runtime_templates.hpp>

#include "api.hpp"
#include "copy.hpp"
#include "memory/memory.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {

bool note_symbol(const void* symbol, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(symbol);
    if (!bytes || !program_image().holds(begin)) return false;  // a local variable, or heap memory
    if (const Allocation* known = find_allocation(symbol))
        if (known->symbol) return true;
    note_memory(const_cast<void*>(symbol), bytes, MemoryKind::device, "variable")->symbol = true;
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

namespace {

/// The part of a variable that a call names.
struct SymbolPart {
    const void* symbol;
    std::size_t symbol_bytes, bytes, offset;

    Rows rows() const { return {const_cast<char*>(static_cast<const char*>(symbol)) + offset, bytes}; }
};

/// Checks a copy to or from a variable. The variable is recorded as device memory during the check.
cudaError_t check_symbol(const char* what, const SymbolPart& part, Place place) {
    if (!note_symbol(part.symbol, part.symbol_bytes)) return cudaErrorInvalidSymbol;
    if (part.offset <= part.symbol_bytes && part.bytes <= part.symbol_bytes - part.offset) return cudaSuccess;
    add_finding(finding(kit::facts::Rule::beyond_variable, place)
                    .with("function", what)
                    .with("bytes", part.bytes)
                    .with("offset", part.offset)
                    .with("variable", part.symbol_bytes));
    return cudaErrorInvalidValue;
}

cudaError_t to_symbol(const SymbolPart& part, const void* from, cudaMemcpyKind kind, cudaStream_t stream,
                      bool wait, Place place) {
    return api_call([&] {
        const char* what = wait ? "cudaMemcpyToSymbol" : "cudaMemcpyToSymbolAsync";
        if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
            return cudaErrorInvalidMemcpyDirection;
        if (const cudaError_t error = check_symbol(what, part, place)) return error;
        return copy({what, kind, find_stream(stream), wait, place}, part.rows(),
                    {const_cast<void*>(from), part.bytes}, {part.bytes, 1});
    });
}

cudaError_t from_symbol(const SymbolPart& part, void* to, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                        Place place) {
    return api_call([&] {
        const char* what = wait ? "cudaMemcpyFromSymbol" : "cudaMemcpyFromSymbolAsync";
        if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
            return cudaErrorInvalidMemcpyDirection;
        if (const cudaError_t error = check_symbol(what, part, place)) return error;
        return copy({what, kind, find_stream(stream), wait, place}, {to, part.bytes}, part.rows(),
                    {part.bytes, 1});
    });
}

}  // namespace

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    return to_symbol({symbol, symbol_bytes, bytes, offset}, from, kind, stream, wait, KIT_CALLER);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    return from_symbol({symbol, symbol_bytes, bytes, offset}, to, kind, stream, wait, KIT_CALLER);
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return symbol_address(pointer, symbol, variable_bytes(symbol));
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return api_call([&] {
        if (!bytes) return cudaErrorInvalidValue;
        *bytes = variable_bytes(symbol);
        return *bytes ? cudaSuccess : cudaErrorInvalidSymbol;
    });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
    return to_symbol({symbol, variable_bytes(symbol), bytes, offset}, from, kind, nullptr, true, KIT_CALLER);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol({symbol, variable_bytes(symbol), bytes, offset}, from, kind, stream, false, KIT_CALLER);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
    return from_symbol({symbol, variable_bytes(symbol), bytes, offset}, to, kind, nullptr, true, KIT_CALLER);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol({symbol, variable_bytes(symbol), bytes, offset}, to, kind, stream, false, KIT_CALLER);
}
