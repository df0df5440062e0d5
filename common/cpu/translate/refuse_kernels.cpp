// Refuses kernels that CUDA does not allow: member functions, kernels with a result or with references, and
// marks that exclude each other.
#include "names.hpp"

namespace kit::translate {
namespace {

/// Returns whether [begin, end) contains no macro, which could hide something.
bool is_plain(const Unit& unit, int begin, int end) {
    for (int i = begin; i < end; ++i)
        if (unit.program.macros.count(unit.streams[0].text(i)) || unit.streams[0][i].kind == Kind::directive)
            return false;
    return true;
}

int parameters_of_kernel(const Name& kernel) {
    const Stream& file = kernel.unit->streams[0];
    int open = kernel.token;
    while (!file.is(open, "(")) ++open;
    return open;
}

bool returns_nothing(const Stream& file, const Name& kernel) {
    bool is_void = false;
    for (int i = kernel.attribute; i < kernel.token; i = after(file, i)) {
        is_void |= file.is(i, "void") || file.is(i, "auto");
        if (file.is(i, "*") || file.is(i, "&")) return false;
    }
    return is_void;
}

void check_kernel(Unit& unit, const Name& kernel) {
    const Stream& file = unit.streams[0];
    const Token& where = file[kernel.token];
    const std::string subject = "the kernel '" + kernel.name + "' ";
    if (kernel.name == "main")
        return unit.error(where, "main cannot be a kernel, because the host starts there: rename the kernel");
    if (kernel.member)
        unit.error(where,
                   subject + "is a member of '" + kernel.path +
                       "': a kernel must be outside classes; move it, and pass the object as an argument");
    if (kernel.device || kernel.host)
        unit.error(where,
                   subject + "is marked for the " + (kernel.device ? "device" : "host") +
                       ", too: write only __global__, and move shared code into a function that both call");
    if (kernel.is_constexpr)
        unit.error(where, subject + "is constexpr, which a kernel cannot be: remove the word");
    if (is_plain(unit, kernel.attribute, kernel.token) && !returns_nothing(file, kernel))
        unit.error(
            where,
            subject +
                "returns a value: make it void, and write the results to memory that it gets as an argument");
    const int open = parameters_of_kernel(kernel);
    const int close = file[open].match;
    if (close < 0) return;
    std::vector<int> ends = top_level_commas(file, open + 1, close);
    ends.push_back(close);
    int begin = open + 1;
    for (const int end : ends) {
        bool reference = false;
        for (int i = begin; i < end && !file.is(i, "="); i = after(file, i))
            reference |= file.is(i, "&") || file.is(i, "&&");
        if (reference)
            unit.error(
                file[begin],
                subject + "takes '" + shown(file, begin, end) +
                    "' by reference, which would refer to host memory: pass a value, or a pointer to device "
                    "memory");
        if (end - begin == 1 && file.is(begin, "..."))
            unit.error(
                file[begin],
                subject + "takes any number of arguments, '...': name each argument, or write a template");
        begin = end + 1;
    }
}

void check_function(Unit& unit, const Name& function) {
    const Stream& file = unit.streams[0];
    for (int i = function.attribute; i < function.token; ++i)
        if (file.is(i, "__launch_bounds__") || file.is(i, "__maxnreg__") || file.is(i, "__cluster_dims__"))
            unit.error(file[i], std::string(file.text(i)) + " is for kernels only, and '" + function.name +
                                    "' is not a kernel: add __global__, or remove the attribute");
}

}  // namespace

void refuse_kernels(Unit& unit) {
    for (const auto& [text, name] : unit.program.names) {
        if (name->unit != &unit || name->kind != Name::Kind::function) continue;
        name->kernel ? check_kernel(unit, *name) : check_function(unit, *name);
    }
}

}  // namespace kit::translate
