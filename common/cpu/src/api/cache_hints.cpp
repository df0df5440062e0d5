// Finds the cache lines that a program leaves persisting in the L2 cache, for the grader and for a report at
// the end of the program.
#include "cache_hints.hpp"

#include <cstdlib>
#include <cstring>
#include <kit_cpu/cache_hints.hpp>
#include <mutex>

#include "api.hpp"
#include "device/cache_lines.hpp"
#include "memory/buffers.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_told = 5;

void report_left() {
    if (sticky_error() != cudaSuccess) return;  // after an execution error, a program cannot reset anything
    for (Finding& finding : left_persisting()) add_finding(std::move(finding));
}

void add_window(std::vector<Finding>& findings, const CUstream_st& stream) {
    const cudaAccessPolicyWindow window = window_of(stream);
    if (makes_lines_persist(window))
        findings.push_back(finding(facts::Rule::window_left, stream.window_set_at)
                               .on(place_of_memory(static_cast<const char*>(window.base_ptr)))
                               .with("bytes", window.num_bytes));
}

}  // namespace

cudaAccessPolicyWindow window_of(const CUstream_st& stream) {
    const auto found = stream.attributes.find(cudaLaunchAttributeAccessPolicyWindow);
    return found == stream.attributes.end() ? cudaAccessPolicyWindow{} : found->second.accessPolicyWindow;
}

std::vector<Finding> left_persisting() {
    const std::lock_guard lock(api_mutex());
    std::vector<Finding> findings;
    add_window(findings, legacy_stream());
    for (const CUstream_st* stream : all_streams()) add_window(findings, *stream);
    for (const PersistingLines::Piece& piece : persisting_pieces())
        findings.push_back(
            finding(piece.window ? facts::Rule::lines_left_by_window : facts::Rule::lines_left_by_access,
                    piece.place)
                .in(piece.kernel)
                .with("bytes", piece.end - piece.begin));
    if (findings.size() > most_told) findings.resize(most_told);
    return findings;
}

void watch_for_persisting() {
    static const bool watching = [] {
        const char* const wanted = std::getenv("KIT_LEAKS");
        return wanted && std::strcmp(wanted, "1") == 0 && std::atexit(report_left) == 0;
    }();
    (void)watching;
}

}  // namespace kit::cpu
