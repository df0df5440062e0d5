// What warps did, as a table in the words of the source.
#include "profile_words.hpp"

#include <cstdio>
#include <cstdlib>
#include <kit_cpu/profile.hpp>

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

struct Kind {
    RequestKind kind;
    const char* name;
    const char* unit;  ///< of one
};
constexpr Kind kinds[] = {{RequestKind::load, "global load", "sector"},
                          {RequestKind::store, "global store", "sector"},
                          {RequestKind::shared_load, "shared load", "wavefront"},
                          {RequestKind::shared_store, "shared store", "wavefront"},
                          {RequestKind::atomic, "atomic", "address"}};

bool is_shared(RequestKind kind) {
    return kind == RequestKind::shared_load || kind == RequestKind::shared_store;
}

/// 4, 4.5, 12.25
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string result = text;
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
    return result;
}

std::string count(double value, const std::string& unit) {
    return number(value) + " " + unit + (number(value) == "1" ? "" : unit == "address" ? "es" : "s");
}

/// "once", "256 times"
std::string count_of(std::uint64_t times) {
    return times == 1 ? "once" : std::to_string(times) + " times";
}

std::string file_of(Place place) {
    const std::string path = place.file;
    return path.substr(path.find_last_of('/') + 1);
}

/// Where neighbours lie, as seen in the dearest request; empty if each lane goes its own way.
std::string neighbours(const RequestCounts& counts) {
    if (!counts.stride) return "";
    if (std::labs(counts.stride) == long{counts.bytes})
        return ": neighbours lie side by side, but do not begin with a sector";
    return ": neighbours are " + count_bytes(static_cast<std::size_t>(std::labs(counts.stride))) + " apart";
}

/// What the requests take more than full warps with neighbours side by side would.
double wasted(const LineCounts& line, RequestKind kind) {
    const RequestCounts& counts = line.of(kind);
    return double(counts.units) - double(counts.used) / (is_shared(kind) ? 128 : 32);
}

}  // namespace

std::string cost_in_words(const LineCounts& line, RequestKind kind) {
    const RequestCounts& counts = line.of(kind);
    const Kind& words = kinds[static_cast<std::size_t>(kind)];
    if (kind == RequestKind::atomic) {
        if (counts.requests == 0 || counts.per_request() * 1.5 > counts.ideal_per_request()) return "";
        return number(counts.lanes_per_request()) + " lanes update " +
               count(counts.per_request(), "address") + " and wait for each other";
    }
    if (counts.units <= counts.ideal) return "";
    std::string says =
        count(counts.per_request(), words.unit) + " per request, " + number(counts.ideal_per_request()) +
        (number(counts.ideal_per_request()) == "1" ? " is enough" : " are enough") + neighbours(counts);
    if (is_shared(kind) && counts.bytes <= 4 && counts.stride && counts.stride % 128 == 0)
        says += ", all in one bank";
    return says;
}

void demand_at_most(double units, RequestKind kind, const std::vector<KernelProfile>& profile) {
    RequestCounts all;
    const KernelProfile* dearest_kernel = nullptr;
    const LineCounts* dearest = nullptr;
    for (const KernelProfile& kernel : profile) {
        all.add(kernel.total(kind));
        for (const LineCounts& line : kernel.lines) {
            if (dearest && wasted(line, kind) <= wasted(*dearest, kind)) continue;
            dearest_kernel = &kernel;
            dearest = &line;
        }
    }
    if (!dearest || all.per_128_bytes() <= units) return;
    const Kind& words = kinds[static_cast<std::size_t>(kind)];
    const RequestCounts& counts = dearest->of(kind);
    std::string costs = cost_in_words(*dearest, kind);
    if (counts.units <= counts.ideal)
        costs = count(counts.per_request(), words.unit) + " per request of " +
                number(counts.lanes_per_request()) +
                " lanes: warps that are not full waste what they do not use";
    add_finding({is_shared(kind) ? "bank_conflicts" : "sectors",
                 "`" + dearest_kernel->kernel + "`: a warp's " + words.name + " at " +
                     describe(dearest->place) + " takes " + costs + ". All in all " +
                     count(all.per_128_bytes(), words.unit) + " for each 128 bytes that lanes use, at most " +
                     number(units) + " are asked for",
                 dearest->place});
}

void demand_lanes_at_least(double lanes, RequestKind kind, const std::vector<KernelProfile>& profile) {
    const auto missing = [kind](const LineCounts& line) {
        return 32 * line.of(kind).requests - line.of(kind).lanes;
    };
    RequestCounts all;
    const KernelProfile* worst_kernel = nullptr;
    const LineCounts* worst = nullptr;
    for (const KernelProfile& kernel : profile) {
        all.add(kernel.total(kind));
        for (const LineCounts& line : kernel.lines) {
            if (worst && missing(line) <= missing(*worst)) continue;
            worst_kernel = &kernel;
            worst = &line;
        }
    }
    if (!all.requests || all.lanes_per_request() >= lanes) return;
    const std::string what = kinds[static_cast<std::size_t>(kind)].name;
    add_finding({"divergence",
                 "`" + worst_kernel->kernel + "`: " + number(worst->of(kind).lanes_per_request()) +
                     " of 32 lanes take part, on average, in a warp's " + what + " at " +
                     describe(worst->place) + ", and the others wait. All in all " +
                     number(all.lanes_per_request()) + " lanes take part in a " + what + ", at least " +
                     number(lanes) + " are asked for",
                 worst->place});
}

void demand_divergent_at_most(std::uint64_t branches, const std::vector<KernelProfile>& profile) {
    std::uint64_t all = 0;
    const KernelProfile* worst_kernel = nullptr;
    const LineCounts* worst = nullptr;
    for (const KernelProfile& kernel : profile) {
        all += kernel.divergent();
        for (const LineCounts& line : kernel.lines) {
            if (worst && line.divergent <= worst->divergent) continue;
            worst_kernel = &kernel;
            worst = &line;
        }
    }
    if (all <= branches) return;
    add_finding({"divergence",
                 "`" + worst_kernel->kernel + "`: " + count_of(worst->divergent) +
                     " only some lanes of a warp go on with " + describe(worst->place) +
                     ", and the others wait. All in all " + std::to_string(all) +
                     " divergent branches, at most " + std::to_string(branches) + " are asked for",
                 worst->place});
}

std::string in_words(const std::vector<KernelProfile>& profile) {
    std::string table;
    char row[256];
    if (profile.empty()) table = "profile: no kernel has run\n";
    for (const KernelProfile& kernel : profile) {
        std::snprintf(row, sizeof row, "%llu launch%s, %llu blocks, %llu threads\n",
                      static_cast<unsigned long long>(kernel.launches), kernel.launches == 1 ? "" : "es",
                      static_cast<unsigned long long>(kernel.blocks),
                      static_cast<unsigned long long>(kernel.threads));
        table += std::string(table.empty() ? "" : "\n") + "profile of `" + kernel.kernel + "`: " + row;
        table += "               by warps    requests    lanes  per request      ideal\n";
        for (const LineCounts& line : kernel.lines) {
            table += "  " + file_of(line.place) + ":" + std::to_string(line.place.line) + "  " +
                     source_text(line.place).substr(0, 80) + "\n";
            for (const Kind& kind : kinds) {
                const RequestCounts& counts = line.of(kind.kind);
                if (!counts.requests) continue;
                const std::string unit =
                    std::string(kind.unit) + (kind.kind == RequestKind::atomic ? "es" : "s");
                std::snprintf(row, sizeof row, "           %-12s %11llu %8.1f %12.2f %10.2f  %s\n", kind.name,
                              static_cast<unsigned long long>(counts.requests), counts.lanes_per_request(),
                              counts.per_request(), counts.ideal_per_request(), unit.c_str());
                table += row;
                const std::string says = cost_in_words(line, kind.kind);
                if (!says.empty()) table += "           ^ " + says + "\n";
            }
            if (line.repeated) {
                std::snprintf(row, sizeof row,
                              "           ^ %llu of the loads read what the warp had just read\n",
                              static_cast<unsigned long long>(line.repeated));
                table += row;
            }
            if (line.addresses) {
                std::snprintf(row, sizeof row, "           ^ %s in the whole kernel\n",
                              count(double(line.addresses), "address").c_str());
                table += row;
            }
            if (line.divergent) {
                std::snprintf(
                    row, sizeof row,
                    "           divergent    %11llu  times only some of the lanes went on with this line\n",
                    static_cast<unsigned long long>(line.divergent));
                table += row;
            }
            if (line.barriers) {
                std::snprintf(row, sizeof row, "           barrier      %11llu\n",
                              static_cast<unsigned long long>(line.barriers));
                table += row;
            }
        }
    }
    return table;
}

std::string page_written(const std::string& path) {
    return "profile: " + path + " shows it line by line\n";
}

std::string nothing_watched() {
    return "profile: nothing was counted, because KIT_CHECKS=0 lets kernels run unwatched\n";
}

}  // namespace kit::cpu
