// Which PE, which pointer, which signal.
#include "pe_words.hpp"

#include <iterator>

#include "device_words.hpp"
#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

std::string name_pe(int pe) {
    return "PE " + std::to_string(pe);
}

std::string calls(const PeCall& call) {
    const std::string who = call.who.empty() ? name_pe(call.pe) : call.who + ", on " + name_pe(call.pe) + ",";
    return who + " calls " + call.what + "() at " + describe(call.place);
}

std::string comparison_in_words(int comparison) {
    constexpr const char* words[] = {"equal to", "other than", "greater than",
                                     "at most",  "less than",  "at least"};
    const auto index = static_cast<std::size_t>(comparison);
    return index < std::size(words) ? words[index] : "compared with";
}

}  // namespace

std::string no_pes(const std::string& who, const char* what, Place place) {
    return who + " calls " + what + "() at " + describe(place) +
           ", and its device belongs to no PE: the host calls nvshmemx_init_attr() first, and then "
           "cudaSetDevice()";
}

std::string not_symmetric(const PeCall& call, const SymmetricPlace& found, int pe, int pes,
                          const std::string& memory, std::size_t bytes) {
    const std::string begin = calls(call) + ": ";
    switch (found.fault) {
        case SymmetricFault::no_such_pe:
            return begin + "there is no " + name_pe(pe) + ", there are PEs 0 to " + std::to_string(pes - 1);
        case SymmetricFault::of_another_pe:
            return begin + memory + " is what " + name_pe(found.owner) +
                   " calls so: a symmetric object is named by the caller's own pointer, and the number of "
                   "the PE says "
                   "whose is meant";
        case SymmetricFault::too_short:
            return begin + count_bytes(bytes) + " are moved, and of the symmetric object only " +
                   count_bytes(found.left) + " are left from " + memory + " on";
        default:
            return begin + memory +
                   " is this PE's alone: what another PE is to find must be symmetric, from nvshmem_malloc()";
    }
}

Finding waits_for_nobody(const PeCall& call, int comparison, std::uint64_t value, std::uint64_t now,
                         const std::string& memory) {
    return {"deadlock",
            call.who + ", on " + name_pe(call.pe) + ", waits in " + call.what + "() at " +
                describe(call.place) + " until " + memory + " is " + comparison_in_words(comparison) + " " +
                std::to_string(value) + "; it is " + std::to_string(now) +
                ", and nobody is left who could send a signal: all PEs wait, or have ended",
            call.place};
}

Finding pes_differ(const PeCall& one, const PeCall& other, std::size_t bytes, std::size_t other_bytes) {
    const auto with = [](const PeCall& call, std::size_t size) {
        return calls(call) + (size ? " for " + count_bytes(size) : "");
    };
    return {"deadlock",
            with(one, bytes) + ", and " + with(other, other_bytes) +
                ": PEs make such calls together, the same ones in the same order and with the same sizes",
            other.place};
}

Finding pes_missing(const PeCall& waits, const std::vector<int>& missing) {
    std::string names;
    for (const int pe : missing) names += (names.empty() ? "" : ", ") + name_pe(pe);
    return {"deadlock", calls(waits) + " and waits for " + names + ", which never makes that call",
            waits.place};
}

Finding pes_share_device(int pe, int other, int device, const char* what, Place place) {
    return {"argument",
            name_pe(pe) + " calls " + what + "() at " + describe(place) + " with " + name_device(device) +
                ", which is already that of " + name_pe(other) +
                ": each PE has a device of its own, so cudaSetDevice() comes first",
            place};
}

Finding not_initialised(const char* what, Place place) {
    return {"argument",
            std::string(what) + "() is called at " + describe(place) +
                " by a host thread that is no PE: nvshmemx_init_attr() comes first",
            place};
}

Finding not_from_heap(const PeCall& call) {
    return {"argument", calls(call) + " with a pointer that nvshmem_malloc() has not given this PE",
            call.place};
}

}  // namespace kit::cpu
