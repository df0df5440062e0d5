// Reads the symbol table of /proc/self/exe once; asks addr2line for lines.
#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "elements.hpp"
#include "kept_text.hpp"

namespace kit::cpu {
namespace {

/// Where the executable was loaded, relative to its link addresses.
std::uintptr_t load_offset() {
    std::uintptr_t offset = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
            return 1;  // the first entry is the executable
        },
        &offset);
    return offset;
}

/// The first entry is the executable: loaded segments, and the part of the writable one that is protected after the start.
ProgramImage find_image() {
    ProgramImage image;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            auto& found = *static_cast<ProgramImage*>(out);
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

/// All symbols of one type (STT_FUNC, STT_OBJECT), by address.
Symbols read_symbols(int type) {
    Symbols found;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    ElfW(Ehdr) header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return found;
    const auto sections = read_array<ElfW(Shdr)>(file, header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)));
    const std::uintptr_t offset = load_offset();
    for (const auto& section : sections) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
        const auto symbols = read_array<ElfW(Sym)>(file, section.sh_offset, section.sh_size);
        const auto& names = sections[section.sh_link];
        const auto text = read_array<char>(file, names.sh_offset, names.sh_size);
        for (const auto& symbol : symbols)
            if ((symbol.st_info & 0xf) == type && symbol.st_value && symbol.st_name < text.size())
                found.emplace(symbol.st_value + offset, Symbol{&text[symbol.st_name], symbol.st_size});
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

/// The variable that begins at or nearest before the address.
std::pair<const char*, const Symbol*> nearest_variable(const void* address) {
    static const Symbols variables = [] {
        Symbols all = read_symbols(STT_OBJECT);
        for (auto symbol = all.begin();
             symbol != all.end();) {  // the executor's own are no kernel's business
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

/// The name as it stands in the source.
std::string name_of(const Symbol& symbol) {
    std::string name = demangle(symbol.name);
    const std::string nameless = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
    return name;
}

std::string in_words(const Symbol& symbol) {
    return "`" + name_of(symbol) + "` (" + std::to_string(symbol.bytes) + " bytes)";
}

std::string place_in_variable(const char* begin, const Symbol& symbol, const void* address,
                              std::size_t width) {
    const std::string name = name_of(symbol);
    return place_in({name, "`" + name + "`", symbol.bytes, layout_at(begin), false, "", in_words(symbol)},
                    static_cast<const char*>(address) - begin, width);
}

}  // namespace

std::string variable_in_words(const void* address) {
    const auto [begin, symbol] = nearest_variable(address);
    return symbol ? in_words(*symbol) : "";
}

std::string variable_before(const void* address) {
    const auto [begin, symbol] = nearest_variable(address);
    return symbol ? place_in_variable(begin, *symbol, address, 1) : "";
}

std::string variable_at(const void* address, std::size_t width) {
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

namespace {

/// The executor's own headers and those of the C++ library say nothing to a student.
bool is_library(const std::string& file) {
    for (const char* folder : {"/usr/include/", "/usr/local/include/", "/usr/lib/"})
        if (file.rfind(folder, 0) == 0) return true;
    return file.find("/common/cpu/") != std::string::npos || file.find("/include/c++/") != std::string::npos;
}

/// A line of the course's or the student's code, and the function that it is in.
struct Frame {
    std::string function;
    Place place;
};

using Lines = std::map<const void*, std::vector<Frame>>;

/// Adds the lines of these instructions: first its own, then those that called what was inlined there, innermost first. The program counter
/// of a fault is the instruction itself.
void ask_for_lines(const std::vector<const void*>& instructions, Lines& lines) {
    std::string command = "addr2line -a -f -i -e /proc/" + std::to_string(getpid()) + "/exe";
    char text[4096], line[4096];
    for (const void* instruction : instructions) {
        lines[instruction];
        const auto address = reinterpret_cast<std::uintptr_t>(instruction) - load_offset();
        std::snprintf(text, sizeof text, " 0x%zx", static_cast<std::size_t>(address));
        command += text;
    }
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe) return;
    auto of = instructions.begin();
    bool begun = false;
    while (std::fgets(text, sizeof text, pipe)) {
        if (!std::strncmp(text, "0x", 2)) {  // -a: the address that what follows belongs to
            if (begun && ++of == instructions.end()) break;
            begun = true;
            continue;
        }
        if (!begun || !std::fgets(line, sizeof line, pipe)) break;
        const std::string place = line;
        const auto colon = place.rfind(':');
        if (colon == std::string::npos || is_library(place)) continue;
        const int number = std::atoi(place.c_str() + colon + 1);
        text[std::strcspn(text, "\n")] = 0;
        if (number > 0) lines[*of].push_back({text, {{keep(place.substr(0, colon))}, number}});
    }
    pclose(pipe);
}

/// The instructions that called each other to come here, innermost first.
std::vector<const void*> calls_on_stack() {
    constexpr std::size_t deepest = 64;
    std::vector<const void*> calls;
    calls.reserve(deepest);
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& found = *static_cast<std::vector<const void*>*>(out);
            found.push_back(reinterpret_cast<const char*>(_Unwind_GetIP(frame)) - 1);
            return found.size() < deepest ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &calls);
    return calls;
}

std::mutex lines_mutex;

Lines& known_lines() {
    static auto& known = *new Lines;
    return known;
}

const std::vector<Frame>& source_lines(const void* instruction) {
    static const std::vector<Frame> none;
    if (!program_image().holds(instruction)) return none;
    const std::lock_guard lock(lines_mutex);
    Lines& known = known_lines();
    const auto found = known.find(instruction);
    if (found != known.end()) return found->second;
    ask_for_lines({instruction}, known);
    return known[instruction];
}

/// "reduce" of "void ns::reduce<256>(float const*)"
std::string base_name(std::string name) {
    const std::string nameless = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
    name = name.substr(0, name.find_first_of("<("));
    return name.substr(name.find_last_of(" :") + 1);
}

bool same_line(const Place& a, const Place& b) {
    return a.line == b.line && !std::strcmp(a.file, b.file);
}

bool is_header(const Place& place) {
    const std::string file = place.file;
    return file.size() < 3 || file.compare(file.size() - 3, 3, ".cu") != 0;
}

}  // namespace

void look_up_lines(std::vector<const void*> instructions) {
    constexpr std::size_t at_once = 1000;  // a command has room for them
    const std::lock_guard lock(lines_mutex);
    Lines& known = known_lines();
    const auto needs_none = [&](const void* instruction) {
        return known.count(instruction) || !program_image().holds(instruction);
    };
    instructions.erase(std::remove_if(instructions.begin(), instructions.end(), needs_none),
                       instructions.end());
    std::sort(instructions.begin(), instructions.end());
    instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
    for (std::size_t i = 0; i < instructions.size(); i += at_once) {
        const auto begin = instructions.begin() + static_cast<std::ptrdiff_t>(i);
        ask_for_lines(
            {begin, begin + static_cast<std::ptrdiff_t>(std::min(at_once, instructions.size() - i))}, known);
    }
}

Place source_line(const void* instruction) {
    const std::vector<Frame>& lines = source_lines(instruction);
    return lines.empty() ? Place{} : lines[0].place;
}

namespace {

/// The line that called what the first frame is in; the others are its callers, innermost first.
Place caller_among(const std::vector<Frame>& frames, const std::string& kernel) {
    if (frames.empty()) return {};
    Place nearest;
    const Place& here = frames[0].place;
    for (const Frame& frame : frames) {
        if (&frame != &frames[0] && !same_line(frame.place, here)) {
            if (!is_header(here) || !is_header(frame.place)) return frame.place;
            if (!nearest.line) nearest = frame.place;
        }
        if (base_name(demangle(frame.function)) == base_name(kernel)) break;
    }
    return nearest;
}

void append(std::vector<Frame>& frames, const std::vector<Frame>& more) {
    frames.insert(frames.end(), more.begin(), more.end());
}

/// One may be as the compiler was told, and the other a whole path.
bool same_file_name(const char* a, const char* b) {
    const auto name = [](const char* path) {
        const char* const slash = std::strrchr(path, '/');
        return slash ? slash + 1 : path;
    };
    return !std::strcmp(name(a), name(b));
}

}  // namespace

Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now) {
    std::vector<Frame> frames = source_lines(instruction);
    if (runs_now) {
        const std::vector<const void*> calls = calls_on_stack();
        const auto own = std::find(calls.begin(), calls.end(), instruction);
        for (auto call = own; call != calls.end() && ++call != calls.end();)
            append(frames, source_lines(*call));
    }
    return caller_among(frames, kernel);
}

Place caller_now(Place place, const std::string& kernel) {
    place = look_up(place);
    std::vector<Frame> frames;
    for (const void* call : calls_on_stack()) append(frames, source_lines(call));
    const auto own = std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
        return frame.place.line == place.line && same_file_name(frame.place.file, place.file);
    });
    frames.erase(frames.begin(), own);
    return caller_among(frames, kernel);
}

Place look_up(Place place) {
    if (place.line != Place::of_instruction) return place;
    Place line = source_line(place.instruction);
    if (line.line) return line;
    const std::vector<const void*> calls = calls_on_stack();
    for (auto call = std::find(calls.begin(), calls.end(), place.instruction);
         call != calls.end() && !line.line; ++call)
        line = source_line(*call);
    return line;
}

}  // namespace kit::cpu
