// Formats requests of warps as a table, and the limits that a test demands.
#include <cstdio>
#include <cstdlib>
#include <words/finding.hpp>
#include <words/names.hpp>
#include <words/profile.hpp>

namespace kit::words {

using facts::Finding;
using facts::Requests;
using facts::Rule;

namespace {

struct KindName {
    const char* name;
    const char* unit;  ///< the unit in which the kind of request is counted
};
constexpr KindName kinds[] = {{"global load", "sector"},
                              {"global store", "sector"},
                              {"shared load", "wavefront"},
                              {"shared store", "wavefront"},
                              {"atomic", "address"}};
/// The names of the kinds of requests in findings.
constexpr const char* kinds_of_findings[] = {"load", "store", "shared_load", "shared_store", "atomic"};

KindName name_of_kind(Requests::Kind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

bool is_shared(Requests::Kind kind) {
    return kind == Requests::Kind::shared_load || kind == Requests::Kind::shared_store;
}

/// Returns a number as text, such as 4, 4.5 or 12.25.
std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string result = text;
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
    return result;
}

std::string units_of(double value, const std::string& unit) {
    return decimal(value) + " " + unit + (decimal(value) == "1" ? "" : unit == "address" ? "es" : "s");
}

/// Returns the distance between the data of neighbouring lanes in the request with the most units; empty if
/// the distance varies.
std::string neighbours(const Requests& requests) {
    const long stride = std::labs(requests.stride);
    if (!stride) return "";
    if (stride == long{requests.bytes}) return ": neighbours are contiguous, but do not begin with a sector";
    return ": neighbours are " + count_of(static_cast<double>(stride), "bytes") + " apart";
}

}  // namespace

std::string cost_of(const Requests& requests) {
    const KindName words = name_of_kind(requests.kind);
    if (requests.kind == Requests::Kind::atomic) {
        if (requests.count == 0 || requests.units * 1.5 > requests.ideal) return "";
        return decimal(requests.lanes) + " lanes update " + units_of(requests.units, words.unit) +
               " and wait for each other";
    }
    if (requests.is_ideal) return "";
    std::string says = units_of(requests.units, words.unit) + " per request, " + decimal(requests.ideal) +
                       (decimal(requests.ideal) == "1" ? " is enough" : " are enough") + neighbours(requests);
    if (is_shared(requests.kind) && requests.bytes <= 4 && requests.stride && requests.stride % 128 == 0)
        says += ", all in one bank";
    return says;
}

bool add_demand(Sentence& sentence, const Finding& finding) {
    const auto number = [&](const char* name) { return number_in(finding, name); };
    Requests requests;
    for (std::size_t i = 0; i < std::size(kinds_of_findings); ++i)
        if (text_in(finding, "kind") == kinds_of_findings[i]) requests.kind = static_cast<Requests::Kind>(i);
    const KindName words = name_of_kind(requests.kind);
    requests.lanes = number("lanes"), requests.units = number("units"), requests.ideal = number("ideal");
    requests.is_ideal = number("is_ideal") != 0;
    requests.stride = static_cast<long>(number("stride"));
    requests.bytes = static_cast<unsigned>(number("bytes"));
    const Meaning named = meaning_of(finding);
    const Meaning meaning = [&](Sentence& to, const std::string& name) {
        if (name == "what")
            to.add(std::string(words.name));
        else if (name == "costs" && requests.is_ideal)
            to.add(units_of(requests.units, words.unit) + " per request of " + decimal(requests.lanes) +
                   " lanes: a warp that is not full wastes the rest of each sector");
        else if (name == "costs")
            to.add(cost_of(requests));
        else if (name == "limit" && finding.rule == Rule::too_many_units)
            to.add(units_of(number("limit"), words.unit));
        else if (name == "all" || name == "limit" || name == "lanes")
            to.add(decimal(number(name.c_str())));
        else if (name == "times")
            to.add(number("times") == 1 ? "once" : number_of(number("times")) + " times");
        else
            named(to, name);
    };
    switch (finding.rule) {
        case Rule::too_many_units:
            sentence.add(
                "`{kernel}`: a warp's {what} at {at} takes {costs}. For each 128 bytes that lanes use, the exercise allows at most {limit}, and this kernel takes {all}",
                meaning);
            sentence.add(is_shared(requests.kind) ? "~Let the lanes of a warp access different banks"
                         : requests.is_ideal      ? "~Use full warps"
                                                  : "~Let neighbouring lanes access neighbouring elements",
                         meaning);
            return true;
        case Rule::too_few_lanes:
            sentence.add(
                "`{kernel}`: on average, only {lanes} of 32 lanes are active in a warp's {what} at {at}, and the others wait. The exercise requires at least {limit} lanes on average over all such accesses, and this kernel has {all}~Give the lanes of a warp equal work",
                meaning);
            return true;
        case Rule::too_many_branches:
            sentence.add(
                "`{kernel}`: {times}, only some lanes of a warp continue at {at}, and the others wait. In total there are {all} divergent branches, and the exercise allows at most {limit}~Let the lanes of a warp take the same branch",
                meaning);
            return true;
        default:
            return false;
    }
}

std::string table_of(const std::vector<facts::ProfiledKernel>& kernels) {
    std::string table;
    char row[256];
    const auto number = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
    if (kernels.empty()) table = "profile: no kernel has run\n";
    for (const facts::ProfiledKernel& kernel : kernels) {
        std::snprintf(row, sizeof row, "%llu launch%s, %llu blocks, %llu threads\n", number(kernel.launches),
                      kernel.launches == 1 ? "" : "es", number(kernel.blocks), number(kernel.threads));
        table += std::string(table.empty() ? "" : "\n") + "profile of `" + kernel.name + "`: " + row;
        table += "               by warps    requests    lanes  per request      ideal\n";
        for (const facts::ProfiledLine& line : kernel.lines) {
            table += "  " + without_folder(line.line.file) + ":" + std::to_string(line.line.line) + "  " +
                     line.line.text.substr(0, 80) + "\n";
            for (const Requests& requests : line.requests) {
                const KindName kind = name_of_kind(requests.kind);
                const std::string unit =
                    std::string(kind.unit) + (requests.kind == Requests::Kind::atomic ? "es" : "s");
                std::snprintf(row, sizeof row, "           %-12s %11llu %8.1f %12.2f %10.2f  %s\n", kind.name,
                              number(requests.count), requests.lanes, requests.units, requests.ideal,
                              unit.c_str());
                table += row;
                const std::string says = cost_of(requests);
                if (!says.empty()) table += "           ^ " + says + "\n";
            }
            if (line.repeated) {
                std::snprintf(row, sizeof row,
                              "           ^ %llu of the loads read what the warp had just read\n",
                              number(line.repeated));
                table += row;
            }
            if (line.addresses)
                table += "           ^ " + units_of(static_cast<double>(line.addresses), "address") +
                         " in the whole kernel\n";
            if (line.divergent) {
                std::snprintf(
                    row, sizeof row,
                    "           divergent    %11llu  times only some of the lanes continued with this line\n",
                    number(line.divergent));
                table += row;
            }
            if (line.products) {
                std::snprintf(
                    row, sizeof row,
                    "           tensor       %11llu  products of matrices with %llu multiplications\n",
                    number(line.products), number(line.multiplications));
                table += row;
            }
            if (line.barriers) {
                std::snprintf(row, sizeof row, "           barrier      %11llu\n", number(line.barriers));
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
    return "profile: nothing was counted, because KIT_CHECKS=0 turns counting off\n";
}

}  // namespace kit::words
