// Finds the caller of a template of the C++ library on the stack. The template's code is a part of the
// program. The frame of such a function has a fixed size at each call, so the size comes from the unwinder
// once and is then looked up in a table. The symbol table of the program names the functions. The table is
// read from the mapped file, because no function here may allocate.
#include "host_callers.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

struct Program {
    const char* begin = nullptr;  ///< address of the program's code in memory
    const char* end = nullptr;
    const ElfW(Sym) * symbols = nullptr;  ///< symbol table in the mapped file
    std::size_t count = 0;
    const char* names = nullptr;
};
Program program;

/// Maps the program's file, once, before main(), when only one thread exists.
[[gnu::constructor]] void map_program() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat facts {};
    void* mapped = MAP_FAILED;
    if (fstat(file, &facts) == 0 && facts.st_size > 0)
        mapped = mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return;
    const char* const bytes = static_cast<const char*>(mapped);
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(bytes);
    const auto* const sections = reinterpret_cast<const ElfW(Shdr)*>(bytes + header.e_shoff);
    for (std::size_t i = 0; header.e_shoff && i < header.e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        program.symbols = reinterpret_cast<const ElfW(Sym)*>(bytes + sections[i].sh_offset);
        program.count = sections[i].sh_size / sizeof(ElfW(Sym));
        program.names = bytes + sections[sections[i].sh_link].sh_offset;
    }
    program.begin = program_image().begin;
    program.end = program_image().variables;
}

/// Returns whether the code belongs to a function of the C++ library in the program, such as
/// std::vector<int>::push_back.
bool is_library_code(const char* code) {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(program.begin);
    const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(program.begin);
    const std::uintptr_t address =
        reinterpret_cast<std::uintptr_t>(code) - (header->e_type == ET_DYN ? offset : 0);
    for (std::size_t i = 0; i < program.count; ++i) {
        const ElfW(Sym)& symbol = program.symbols[i];
        if ((symbol.st_info & 0xf) != STT_FUNC || address - symbol.st_value >= symbol.st_size) continue;
        const char* const name = program.names + symbol.st_name;
        for (const char* start : {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"})
            if (!std::strncmp(name, start, std::strlen(start))) return true;
        return false;
    }
    return false;
}

/// An entry of a hash table, for one return address: 48 bits of the address, and the size of the frame in
/// words of 8 bytes (0: the search ends at this frame). A return address that finds no free slot is not
/// stored.
using Fact = std::uint64_t;
constexpr unsigned table_bits = 14;
constexpr std::size_t most_steps = 16;
std::atomic<Fact> known[(std::size_t(1) << table_bits) + most_steps];
constexpr Fact address_mask = (Fact(1) << 48) - 1;

Fact address_of(const void* code) {
    return reinterpret_cast<std::uintptr_t>(code) & address_mask;
}

/// Returns the entry of the return address, or a free slot; null if there is neither.
std::atomic<Fact>* slot_of(const void* code) {
    const Fact address = address_of(code);
    std::atomic<Fact>* slot = &known[(address * 0x9e3779b97f4a7c15u) >> (64 - table_bits)];
    for (std::size_t step = 0; step < most_steps; ++step, ++slot) {
        const Fact fact = slot->load(std::memory_order_relaxed) & address_mask;
        if (fact == address || fact == 0) return slot;
    }
    return nullptr;
}

thread_local bool learning = false;

#ifdef __x86_64__

/// Returns the distance in bytes from this call's frame to its caller's frame; 0 if it is unknown.
std::size_t frame_size(const Caller& caller) {
    struct Search {
        const Caller& caller;
        bool found;
        std::size_t size;
    } search{caller, false, 0};
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& search = *static_cast<Search*>(out);
            const auto begin = reinterpret_cast<const char*>(_Unwind_GetCFA(frame));
            const auto code = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
            if (search.found) {
                const void* returns_to;
                std::memcpy(&returns_to, begin - sizeof returns_to, sizeof returns_to);
                if (returns_to == code) search.size = static_cast<std::size_t>(begin - search.caller.frame);
                return _URC_END_OF_STACK;
            }
            search.found = code == search.caller.return_address && begin == search.caller.frame;
            return _URC_NO_REASON;
        },
        &search);
    return search.size;
}

#else

/// On this processor, the position of the return address is not fixed, so callers are unknown.
std::size_t frame_size(const Caller&) {
    return 0;
}

#endif

Fact learn(const Caller& caller) {
    if (learning) return 0;
    learning = true;
    std::size_t size = 0;
    if (is_library_code(static_cast<const char*>(caller.return_address) - 1)) size = frame_size(caller);
    if (size % 8 || size / 8 > 0xffff) size = 0;
    learning = false;
    return address_of(caller.return_address) | Fact(size / 8) << 48;
}

}  // namespace

const void* who_asked(Caller caller) {
    for (int depth = 0; depth < 32; ++depth) {
        const char* const code = static_cast<const char*>(caller.return_address);
        if (code < program.begin || code >= program.end) break;
        std::atomic<Fact>* const slot = slot_of(code);
        if (!slot) break;
        Fact fact = slot->load(std::memory_order_relaxed);
        if (fact == 0) {
            fact = learn(caller);
            slot->store(fact, std::memory_order_relaxed);
        }
        const std::size_t size = (fact >> 48) * 8;
        if (size == 0 || (fact & address_mask) != address_of(code)) break;
        caller.frame += size;
        std::memcpy(&caller.return_address, caller.frame - sizeof(void*), sizeof(void*));
    }
    return caller.return_address;
}

}  // namespace kit::cpu
