// Reads the symbol table of the program from /proc/self/exe, once.
#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "elements.hpp"

namespace kit::cpu {
namespace {

/// Finds the image of the program in memory, without the part of its writable segment that is write-protected
/// after the start.
ProgramImage find_image() {
    ProgramImage image;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            auto& found = *static_cast<ProgramImage*>(out);
            found.moved = info->dlpi_addr;
            char *writable = nullptr, *is_protected = nullptr;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const ElfW(Phdr)& segment = info->dlpi_phdr[i];
                char* const begin = reinterpret_cast<char*>(info->dlpi_addr + segment.p_vaddr);
                if (segment.p_type == PT_GNU_RELRO) is_protected = begin + segment.p_memsz;
                if (segment.p_type != PT_LOAD) continue;
                if (!found.begin || begin < found.begin) found.begin = begin;
                if (begin + segment.p_memsz > found.end) found.end = begin + segment.p_memsz;
                if (segment.p_flags & PF_W) writable = begin;
            }
            found.variables = is_protected ? is_protected : writable;
            return 1;
        },
        &image);
    return image;
}

template <class T>
std::vector<T> read_array(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
    std::vector<T> items(bytes / sizeof(T));
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(items.size() * sizeof(T)));
    return items;
}

struct Symbol {
    std::string name;
    std::size_t bytes;
};
using Symbols = std::map<std::uintptr_t, Symbol>;

/// Returns all symbols of one type (STT_FUNC, STT_OBJECT), by address.
Symbols read_symbols(int type) {
    Symbols found;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    ElfW(Ehdr) header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return found;
    const auto sections = read_array<ElfW(Shdr)>(file, header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)));
    const std::uintptr_t moved = program_image().moved;
    for (const auto& section : sections) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
        const auto symbols = read_array<ElfW(Sym)>(file, section.sh_offset, section.sh_size);
        const auto& names = sections[section.sh_link];
        const auto text = read_array<char>(file, names.sh_offset, names.sh_size);
        for (const auto& symbol : symbols)
            if ((symbol.st_info & 0xf) == type && symbol.st_value && symbol.st_name < text.size())
                found.emplace(symbol.st_value + moved, Symbol{&text[symbol.st_name], symbol.st_size});
    }
    return found;
}

}  // namespace

std::string symbol_at(const void* function) {
    static const Symbols functions = read_symbols(STT_FUNC);
    const auto found = functions.find(reinterpret_cast<std::uintptr_t>(function));
    return found == functions.end() ? "" : found->second.name;
}

namespace {

/// Returns the variable that begins at the address or nearest before it.
std::pair<const char*, const Symbol*> nearest_variable(const void* address) {
    static const Symbols variables = [] {
        Symbols all = read_symbols(STT_OBJECT);
        for (auto symbol = all.begin(); symbol != all.end();) {  // removes the executor's own symbols
            const std::string& name = symbol->second.name;
            const bool own = name.find("N3kit3cpu") != std::string::npos ||
                             name.find("kit_declared_") != std::string::npos;
            symbol = own ? all.erase(symbol) : std::next(symbol);
        }
        return all;
    }();
    const auto after = variables.upper_bound(reinterpret_cast<std::uintptr_t>(address));
    if (after == variables.begin()) return {};
    const auto& [begin, symbol] = *std::prev(after);
    return {reinterpret_cast<const char*>(begin), &symbol};
}

}  // namespace

const ProgramImage& program_image() {
    static const ProgramImage image = find_image();
    return image;
}

VariableRange variable_range(const void* address) {
    const auto [begin, symbol] = nearest_variable(address);
    if (!symbol || address >= begin + symbol->bytes) return {};
    return {begin, begin + symbol->bytes};
}

LayoutPlace place_in_variable(const void* address) {
    const char* const begin = variable_range(address).begin;
    if (!begin) return {};
    return {layout_at(begin), static_cast<const char*>(address) - begin};
}

std::size_t variable_bytes(const void* begin) {
    const VariableRange range = variable_range(begin);
    return range.begin == begin ? static_cast<std::size_t>(range.end - range.begin) : 0;
}

namespace {

/// Returns a symbol's name as it is in the source.
std::string name_of(const Symbol& symbol) {
    std::string name = demangle(symbol.name);
    const std::string nameless = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
    return name;
}

facts::Memory memory_of(const Symbol& symbol) {
    facts::Memory memory;
    memory.kind = facts::Memory::Kind::variable;
    memory.name = name_of(symbol);
    memory.bytes = symbol.bytes;
    return memory;
}

facts::Memory place_in_variable(const char* begin, const Symbol& symbol, const void* address,
                                std::size_t width) {
    return place_in(memory_of(symbol), {layout_at(begin), false}, static_cast<const char*>(address) - begin,
                    width);
}

}  // namespace

facts::Memory variable_of(const void* address) {
    const auto [begin, symbol] = nearest_variable(address);
    return symbol ? memory_of(*symbol) : facts::Memory{};
}

facts::Memory variable_before(const void* address) {
    const auto [begin, symbol] = nearest_variable(address);
    return symbol ? place_in_variable(begin, *symbol, address, 1) : facts::Memory{};
}

facts::Memory variable_at(const void* address, std::size_t width) {
    const auto [begin, symbol] = nearest_variable(address);
    if (!symbol || address >= begin + symbol->bytes) return {};
    return place_in_variable(begin, *symbol, address, width);
}

std::string demangle(const std::string& symbol) {
    int status = 0;
    char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 && text ? text : symbol;
    std::free(text);
    return result;
}

}  // namespace kit::cpu
