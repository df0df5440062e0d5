// Checks the limits that a test demands for the requests and divergent branches of warps.
#include <kit_cpu/profile.hpp>

#include "print.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

constexpr const char* request_names[request_kinds] = {"load", "store", "shared_load", "shared_store",
                                                      "atomic"};

const char* request_name(RequestKind kind) {
    return request_names[static_cast<std::size_t>(kind)];
}

bool is_shared(RequestKind kind) {
    return kind == RequestKind::shared_load || kind == RequestKind::shared_store;
}

/// Returns the cost of the requests, in units, beyond that of full warps with contiguous data.
double wasted(const LineCounts& line, RequestKind kind) {
    const RequestCounts& counts = line.of(kind);
    return double(counts.units) - double(counts.used) / (is_shared(kind) ? 128 : 32);
}

/// The line with the largest count, and its kernel; null if no line has a count.
struct Worst {
    const KernelProfile* kernel = nullptr;
    const LineCounts* line = nullptr;
};
template <class Count>
Worst worst_line(const std::vector<KernelProfile>& profile, Count count) {
    Worst worst;
    for (const KernelProfile& kernel : profile)
        for (const LineCounts& line : kernel.lines)
            if (!worst.line || count(line) > count(*worst.line)) worst = {&kernel, &line};
    return worst;
}

RequestCounts total(const std::vector<KernelProfile>& profile, RequestKind kind) {
    RequestCounts all;
    for (const KernelProfile& kernel : profile) all.add(kernel.total(kind));
    return all;
}

}  // namespace

void demand_at_most(double units, RequestKind kind, const std::vector<KernelProfile>& profile) {
    const RequestCounts all = total(profile, kind);
    const Worst dearest = worst_line(profile, [&](const LineCounts& line) { return wasted(line, kind); });
    if (!dearest.line || all.per_128_bytes() <= units) return;
    const facts::Requests requests = requests_of(*dearest.line, kind);
    Finding found = finding(facts::Rule::too_many_units, dearest.line->place)
                        .in(dearest.kernel->kernel)
                        .with("kind", request_name(kind))
                        .with("lanes", requests.lanes)
                        .with("units", requests.units)
                        .with("ideal", requests.ideal)
                        .with("is_ideal", requests.is_ideal)
                        .with("stride", requests.stride)
                        .with("bytes", requests.bytes)
                        .with("all", all.per_128_bytes())
                        .with("limit", units);
    if (is_shared(kind)) found.kind = "bank_conflicts";
    add_finding(std::move(found));
}

void demand_lanes_at_least(double lanes, RequestKind kind, const std::vector<KernelProfile>& profile) {
    const RequestCounts all = total(profile, kind);
    if (!all.requests || all.lanes_per_request() >= lanes) return;
    const Worst worst = worst_line(profile, [kind](const LineCounts& line) {
        return 32 * line.of(kind).requests - line.of(kind).lanes;
    });
    add_finding(finding(facts::Rule::too_few_lanes, worst.line->place)
                    .in(worst.kernel->kernel)
                    .with("kind", request_name(kind))
                    .with("lanes", worst.line->of(kind).lanes_per_request())
                    .with("all", all.lanes_per_request())
                    .with("limit", lanes));
}

void demand_divergent_at_most(std::uint64_t branches, const std::vector<KernelProfile>& profile) {
    std::uint64_t all = 0;
    for (const KernelProfile& kernel : profile) all += kernel.divergent();
    if (all <= branches) return;
    const Worst worst = worst_line(profile, [](const LineCounts& line) { return line.divergent; });
    add_finding(finding(facts::Rule::too_many_branches, worst.line->place)
                    .in(worst.kernel->kernel)
                    .with("times", worst.line->divergent)
                    .with("all", all)
                    .with("limit", branches));
}

}  // namespace kit::cpu
