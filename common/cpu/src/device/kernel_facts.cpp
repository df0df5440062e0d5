// Finds facts about kernels by their names. The mangled name of a type that is declared inside a function
// contains the function's mangled name: the type `kit_shared_1` in `void tree(float*)` is called
// "Z4treePfE12kit_shared_1", and the kernel is called "_Z4treePf".
#include "kernel_facts.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

struct Fact {
    std::string local_type;
    std::size_t bytes, align;
    KernelBounds bounds;
};

std::vector<Fact>& facts() {
    static std::vector<Fact> all;  // SharedFact, LaunchBounds and others fill this before main()
    return all;
}

}  // namespace

bool declare_shared(const char* local_type, std::size_t bytes, std::size_t align) {
    facts().push_back({local_type, bytes, align, {}});
    return true;
}

bool declare_bounds(const char* local_type, const KernelBounds& bounds) {
    facts().push_back({local_type, 0, 1, bounds});
    return true;
}

namespace {

std::unordered_map<const void*, Loop>& loops() {
    static std::unordered_map<const void*, Loop> all;
    return all;
}

std::unordered_map<const void*, BindByAddress>& binders() {
    static std::unordered_map<const void*, BindByAddress> all;
    return all;
}

}  // namespace

namespace {

struct NotedKernels {
    std::set<const void*> all;
    bool complete = true;
};

NotedKernels& noted_kernels() {
    static NotedKernels kernels;
    return kernels;
}

}  // namespace

bool note_kernel(const void* kernel) {
    noted_kernels().all.insert(kernel);
    return true;
}

bool note_unmarked() {
    noted_kernels().complete = false;
    return true;
}

bool is_host_function(const void* function) {
    return noted_kernels().complete && !in_kernel() && !noted_kernels().all.count(function);
}

bool declare_loop(const void* kernel, Loop loop) {
    return loops().emplace(kernel, loop).second;
}

Loop loop_of(const void* kernel) {
    const auto found = loops().find(kernel);
    return found == loops().end() ? nullptr : found->second;
}

bool declare_binder(const void* kernel, BindByAddress binder) {
    return binders().emplace(kernel, binder).second;
}

BindByAddress binder_of(const void* kernel) {
    const auto found = binders().find(kernel);
    return found == binders().end() ? nullptr : found->second;
}

KernelFacts kernel_facts(const void* function) {
    KernelFacts result;
    const std::string symbol = symbol_at(function);
    if (symbol.empty()) return result;
    result.name = demangle(symbol);
    const bool mangled = symbol.rfind("_Z", 0) == 0;
    const std::string prefix =
        "Z" + (mangled ? symbol.substr(2) : std::to_string(symbol.size()) + symbol) + "E";
    for (const Fact& fact : facts()) {
        if (fact.local_type.rfind(prefix, 0) != 0) continue;
        result.static_shared_bytes =
            (result.static_shared_bytes + fact.align - 1) / fact.align * fact.align + fact.bytes;
        KernelBounds& bounds = result.bounds;
        const auto take = [](unsigned& to, unsigned from) { to = from ? from : to; };
        take(bounds.threads, fact.bounds.threads);
        take(bounds.blocks, fact.bounds.blocks);
        take(bounds.cluster_blocks, fact.bounds.cluster_blocks);
        take(bounds.registers, fact.bounds.registers);
        if (fact.bounds.cluster.x) bounds.cluster = fact.bounds.cluster;
    }
    if (result.bounds.threads) result.max_threads = std::min(result.max_threads, result.bounds.threads);
    return result;
}

std::string short_name(const std::string& demangled) {
    std::size_t end = demangled.size();
    if (end && demangled.back() == ')') {
        int depth = 0;
        while (end) {
            const char c = demangled[--end];
            if (c == ')') ++depth;
            if (c == '(' && --depth == 0) break;
        }
    }
    return demangled.compare(0, 5, "void ") == 0 ? demangled.substr(5, end - 5) : demangled.substr(0, end);
}

}  // namespace kit::cpu
