// Translates headers like the .cu file itself, if they are in a folder that is searched. A header is left to
// the compiler if it is not found, or if it is in a folder to keep (the folders of the kit itself).
#include "includes.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace kit::translate {
namespace {

namespace fs = std::filesystem;

/// The name in an #include directive, with its quotes, and its position.
struct Include {
    std::size_t begin = 0, end = 0;
    std::string name;
    bool quoted = false;
};

std::optional<Include> read_include(const Token& token) {
    if (token.kind != Kind::directive || directive_name(token) != "include") return std::nullopt;
    const std::size_t begin = token.text.find_first_of("\"<");
    if (begin == std::string_view::npos) return std::nullopt;
    const bool quoted = token.text[begin] == '"';
    const std::size_t end = token.text.find(quoted ? '"' : '>', begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    return Include{begin, end + 1, std::string(token.text.substr(begin + 1, end - begin - 1)), quoted};
}

bool is_inside(const fs::path& path, const fs::path& folder) {
    std::error_code failed;
    const std::string inside = fs::weakly_canonical(folder, failed).string() + "/";
    return path.string().compare(0, inside.size(), inside) == 0;
}

/// Returns the path of the header; empty if it must not be translated.
std::string find_header(const Include& include, const Unit& from, const Options& options) {
    std::vector<std::string> folders;
    if (include.quoted) folders.push_back(fs::path(from.path).parent_path().string());
    folders.insert(folders.end(), options.folders.begin(), options.folders.end());
    for (const std::string& folder : folders) {
        std::error_code failed;
        const fs::path path = fs::weakly_canonical(fs::path(folder) / include.name, failed);
        if (failed || !fs::is_regular_file(path, failed)) continue;
        const auto is_of_library = [&](const std::string& library) {
            return is_inside(path, library + "/cub");
        };
        if (options.only_libraries &&
            std::none_of(options.libraries.begin(), options.libraries.end(), is_of_library))
            return "";
        for (const std::string& kept : options.kept) {
            if (path == fs::weakly_canonical(kept, failed) || is_inside(path, kept)) return "";
        }
        return path.string();
    }
    return "";
}

bool mentions_cuda(const std::string& text) {
    static constexpr const char* words[] = {"<<<",           "__shared__", "__global__", "__constant__",
                                            "__CUDA_ARCH__", "asm",        "cudaLaunch", "tex",
                                            "surf",          "<cub/"};
    return std::any_of(std::begin(words), std::end(words),
                       [&](const char* word) { return text.find(word) != std::string::npos; });
}

/// Returns the path of a header of CUB; empty for other names.
std::string find_in_libraries(const std::string& name, const Options& options) {
    if (name.compare(0, 4, "cub/") != 0) return "";
    std::error_code failed;
    for (const std::string& folder : options.libraries)
        if (const fs::path path = fs::weakly_canonical(fs::path(folder) / name, failed);
            !failed && fs::is_regular_file(path, failed))
            return path.string();
    return "";
}

/// Replaces the include of a header of CUB by its translation, which is compiled without nvcc's macros.
void include_library(Unit& unit, const Token& token, const Include& include, const std::string& path,
                     const Options& options) {
    static constexpr const char* hidden[] = {"__CUDACC__", "__NVCC__", "__CUDA_ARCH__"};
    std::string text =
        "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n";
    for (const std::string name : hidden)
        text += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n";
    text += "#include " + in_quotes(copy_path(options, path)) + "\n";
    for (const std::string name : hidden) text += "#pragma pop_macro(\"" + name + "\")\n";
    text += "#pragma GCC diagnostic pop\n";
    unit.program.library_headers.push_back(include.name);
    unit.edits.replace(token.offset, token.text.size(), text + "#line " + std::to_string(token.line + 1));
}

/// Folders of headers that belong to a library for GPUs, and the advice for those that the compiler does not find.
struct Library {
    const char* folder;
    const char* advice;
};
constexpr Library libraries[] = {
    {"cuda/std/",
     "no libcu++ that has it was found. Install a CUDA toolkit that has it and configure the build again, or "
     "use the header of the C++ library"},
    {"cuda/",
     "no libcu++ that has it was found. Install a CUDA toolkit that has it, and configure the build again"},
    {"nv/", "no libcu++ was found. Install libcu++-dev or the CUDA toolkit, and configure the build again"},
    {"cub/device/",
     "of CUB's device-wide functions, the CPU backend has reductions, scans, radix sorts, selections and "
     "partitions"},
    {"cub/",
     "no CUB that has it was found. Install libcub-dev and libthrust-dev, or the CUDA toolkit, and configure "
     "the build again"},
    {"thrust/",
     "no Thrust that has it was found. Install libthrust-dev and libcub-dev, or the CUDA toolkit, and "
     "configure the build again"},
    {"cutlass/", "CUTLASS needs the tensor cores of a GPU"},
    {"cute/", "CuTe needs the tensor cores of a GPU"},
    {"cutensor", "cuTENSOR runs on a GPU only"},
    {"cudnn", "cuDNN runs on a GPU only"},
    {"cufft", "cuFFT runs on a GPU only"},
    {"cublas", "of cuBLAS, the CPU backend has cublas_v2.h"},
    {"cusparse", "cuSPARSE runs on a GPU only"},
    {"cusolver", "cuSOLVER runs on a GPU only"},
    {"curand", "of cuRAND, the CPU backend has curand.h and curand_kernel.h"},
    {"nvjpeg", "nvJPEG runs on a GPU only"},
    {"npp", "NPP runs on a GPU only"},
    {"crt/", "it is a part of nvcc's own headers. Include <cuda_runtime.h> instead"}};

/// Makes the compiler print an explanation instead of "No such file" if it does not find the header.
void refuse_absent(Unit& unit, const Token& token, const Include& include) {
    for (const Library& library : libraries) {
        if (include.name.compare(0, std::strlen(library.folder), library.folder) != 0) continue;
        const std::string name = (include.quoted ? '"' : '<') + include.name + (include.quoted ? '"' : '>');
        const std::string line = "\n#line " + std::to_string(token.line) + "\n";
        unit.edits.insert(token.offset, "#if __has_include(" + name + ")" + line);
        unit.edits.insert(
            token.end(),
            "\n#else" + line + "#pragma GCC error " +
                in_quotes("<" + include.name + "> is not supported by the CPU backend: " + library.advice) +
                "\n#endif\n#line " + std::to_string(token.line + 1));
        return;
    }
}

Header* find(std::vector<Header>& headers, const std::string& path) {
    for (Header& header : headers)
        if (header.unit->path == path) return &header;
    return nullptr;
}

}  // namespace

std::vector<Header> read_headers(Program& program, const Options& options) {
    std::vector<Header> headers;
    struct Edge {
        const Unit* from;
        std::string to;
    };
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < program.units.size(); ++i) {
        Unit& unit = program.units[i];
        for (const Token& token : unit.streams[0].tokens) {
            const std::optional<Include> include = read_include(token);
            const std::string path = include ? find_header(*include, unit, options) : "";
            if (path.empty() || path == program.units[0].path) continue;
            edges.push_back({&unit, path});
            if (find(headers, path)) continue;
            std::ifstream input(path, std::ios::binary);
            std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
            const bool holds_cuda = mentions_cuda(text);
            Unit& added = program.add(std::move(text), path);
            added.position = unit.place(token.offset);
            headers.push_back({&added, holds_cuda});
        }
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (const Edge& edge : edges) {
            Header* from = find(headers, edge.from->path);
            if (!from || from->holds_cuda || !find(headers, edge.to)->holds_cuda) continue;
            from->holds_cuda = grows = true;
        }
    }
    return headers;
}

std::string copy_path(const Options& options, const std::string& header) {
    return options.copies + "/" + fs::path(name_of_file(header, options)).relative_path().string();
}

void rewrite_includes(Unit& unit, const std::vector<Header>& headers, const Options& options) {
    for (const Token& token : unit.streams[0].tokens) {
        const std::optional<Include> include = read_include(token);
        const std::string path = include ? find_header(*include, unit, options) : "";
        std::string target;
        for (const Header& header : headers)
            if (header.unit->path == path) target = header.holds_cuda ? copy_path(options, path) : path;
        const bool is_header = &unit != &unit.program.units[0];
        if (target.empty() && include && include->quoted && is_header) {
            // A header of the kit that is next to the original is not translated.
            std::error_code failed;
            const fs::path beside = fs::path(unit.path).parent_path() / include->name;
            if (fs::is_regular_file(beside, failed)) target = beside.string();
        }
        if (const std::string library = target.empty() && include && path.empty() && !options.only_libraries
                                            ? find_in_libraries(include->name, options)
                                            : "";
            !library.empty()) {
            include_library(unit, token, *include, library, options);
            continue;
        }
        if (target.empty() && include && !options.only_libraries) refuse_absent(unit, token, *include);
        if (target.empty() || (target == path && !is_header)) continue;
        unit.edits.replace(token.offset + include->begin, include->end - include->begin,
                           kit::translate::in_quotes(name_of_file(target, options)));
    }
}

}  // namespace kit::translate
