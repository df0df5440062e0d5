// Runs the translator's passes over a file and its headers, and adds the #include and #line directives at the
// top.
#include "translate.hpp"

#include <algorithm>

#include "includes.hpp"
#include "names.hpp"
#include "unit.hpp"

namespace kit::translate {
namespace {

std::string without_mark(std::string_view source) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (source.substr(0, byte_order_mark.size()) == byte_order_mark)
        source.remove_prefix(byte_order_mark.size());
    return std::string(source);
}

/// Writes `using N = N<...>` and `typedef N<...> N` of CUB with the namespace, because GCC refuses a name that changes its meaning in a class.
void qualify_names(Unit& unit) {
    const Stream& stream = unit.streams[0];
    for (int i = 0; i + 4 < stream.size(); ++i) {
        int name = -1, other = -1;
        if (stream.is(i, "using") && stream.is(i + 2, "=")) {
            name = i + 3 + stream.is(i + 3, "typename");
            other = i + 1;
        } else if (stream.is(i, "typedef") && stream.is(i + 2, "<")) {
            name = i + 1;
            other = after(stream, i + 2);
        }
        if (other < 0 || !stream.is(name + 1, "<") || stream.text(name) != stream.text(other)) continue;
        unit.edits.insert(stream[name].offset, "::cub::");
    }
}

/// Removes the pragma that makes a file a system header. The translation says so in its first line, because ccache compiles preprocessed
/// text, in which the pragma is not allowed.
void remove_pragmas(Unit& unit) {
    for (const Token& token : unit.streams[0].tokens)
        if (token.kind == Kind::directive &&
            words_of(token.text) == std::vector<std::string_view>{"pragma", "GCC", "system_header"})
            unit.edits.replace(token.offset, token.text.size(), "");
}

/// Translates the headers of CUB that the program includes. They are translated as a separate program, in
/// which nothing is refused.
void translate_libraries(Program& program, const Options& options) {
    if (program.library_headers.empty()) return;
    Program library;
    std::string text;
    for (const std::string& name : program.library_headers) text += "#include <" + name + ">\n";
    library.add(text, "libraries");
    Options how = options;
    how.folders = options.libraries;
    how.kept.clear();
    how.only_libraries = true;
    std::vector<Header> headers = read_headers(library, how);
    for (Header& header : headers) header.holds_cuda = true;
    rewrite_shared(library);
    for (Unit& unit : library.units) {
        unit.library = true;
        qualify_names(unit);
        remove_pragmas(unit);
        rewrite_assembly(unit);
        rewrite_includes(unit, headers, how);
    }
    program.calls_ptx |= library.calls_ptx;
    for (const Header& header : headers)
        program.library_copies.push_back(
            {copy_path(options, header.unit->path),
             "# 1 " + in_quotes(header.unit->path) + " 3\n" + finished_text(*header.unit)});
}

}  // namespace

std::string name_of_file(const std::string& path, const Options& options) {
    const std::size_t length = options.root.size();
    return length > 0 && path.compare(0, length, options.root) == 0 && path[length] == '/'
               ? path.substr(length + 1)
               : path;
}

Result translate(std::string_view source, const std::string& path, const Options& options) {
    Program program;
    program.architecture = options.architecture;
    program.relaxed_constexpr = options.relaxed_constexpr;
    program.loops = options.loops;
    program.add(without_mark(source), path);
    Unit& before =
        program.add(options.before, "command line");  // headers on the command line are searched in the
                                                      // working directory
    std::vector<Header> headers;
    if (!options.copies.empty()) headers = read_headers(program, options);

    for (const Unit& unit : program.units)
        for (const Stream& stream : unit.streams)
            for (int i = 0; i < stream.size(); ++i) program.by_address |= stream.is(i, "kernelParams");
    for (Unit& unit : program.units) collect_kernels(unit);
    collect_names(program);
    if (program.miscounted) program.names.clear();
    for (Unit& unit : program.units) {
        if (program.miscounted) break;
        refuse_kernels(unit);
        refuse_calls(unit);
        refuse_library(unit);
        refuse_variables(unit);
        refuse_statements(unit);
    }
    refuse_overloads(program);
    if (!options.loops)
        for (Unit& unit : program.units) mark_rounds(unit);
    find_kernel_values(program);
    for (Unit& unit : program.units) rewrite_launches(unit);
    insert_resolvers(program);
    rewrite_shared(program);
    for (Unit& unit : program.units) {
        rewrite_variables(unit);
        rewrite_launch_calls(unit);
        rewrite_results(unit);
        mark_exchanges(unit);
        rewrite_arguments(unit);  // must come after rewrite_results(), whose wrapped text it changes
        refuse_case_ranges(unit);
        rewrite_assembly(unit);
        rewrite_architecture(unit);
        rewrite_includes(unit, headers, options);
    }

    if (!options.copies.empty()) translate_libraries(program, options);

    Result result;
    for (Unit& unit : program.units) {
        std::stable_sort(unit.errors.begin(), unit.errors.end(),
                         [](const Unit::Error& a, const Unit::Error& b) { return a.line < b.line; });
        for (const Unit::Error& error : unit.errors)
            result.errors.push_back(unit.path + ":" + std::to_string(error.line) +
                                    ": error: " + error.message);
    }
    if (result.errors.empty())
        for (Copy& copy : program.library_copies) result.copies.push_back(std::move(copy));
    for (const Header& header : headers) {
        result.read.push_back(header.unit->path);
        if (header.holds_cuda && result.errors.empty())
            result.copies.push_back({copy_path(options, header.unit->path),
                                     "#line 1 " + in_quotes(name_of_file(header.unit->path, options)) + "\n" +
                                         finished_text(*header.unit)});
    }
    if (result.errors.empty())
        result.text =
            "#include <cuda_runtime.h>\n#include <kit_cpu/nvcc.hpp>\n" +
            std::string(program.calls_ptx ? "#include <kit_cpu/ptx.hpp>\n" : "") +
            std::string(program.guarded ? "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n"
                                        : "") +
            finished_text(before) + "#line 1 " + in_quotes(name_of_file(path, options)) + "\n" +
            finished_text(program.units[0]);
    return result;
}

}  // namespace kit::translate
