// What is wrong with an address, and what to do about it.
#include "address_words.hpp"

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

std::string kind_of(AddressFault fault) {
    switch (fault) {
        case AddressFault::constant:
            return "constant";
        case AddressFault::misaligned:
            return "misaligned";
        case AddressFault::host_memory:
            return "host_pointer";
        default:
            return "address";
    }
}

std::string what_is_wrong(const BadAccess& bad) {
    const std::string of_neighbour = bad.where + " of " + bad.neighbour + " of the cluster";
    switch (bad.fault) {
        case AddressFault::none:
            break;
        case AddressFault::out_of_bounds:
            return "out of bounds, " + bad.where;
        case AddressFault::before_shared:
            return "out of bounds, " + bad.where + std::to_string(bad.ahead) +
                   " bytes before the shared memory of the block";
        case AddressFault::beyond_neighbour:
            return "out of bounds, " + of_neighbour;
        case AddressFault::neighbour_to_come:
            return of_neighbour + ", which may not have started yet: cluster.sync() comes first";
        case AddressFault::neighbour_gone:
            return of_neighbour +
                   ", which may have ended by then: no block may leave before the others are done with its "
                   "memory, so cluster.sync() comes first";
        case AddressFault::constant:
            return "this is " + bad.where +
                   ", a __constant__ variable: kernels can only read it, the host writes it with "
                   "cudaMemcpyToSymbol";
        case AddressFault::misaligned:
            return "misaligned: the address of " + bad.where + " is not a multiple of " +
                   std::to_string(bad.bytes);
        case AddressFault::another_device:
            return bad.where;
        case AddressFault::nothing_there:
            return "nothing is allocated at " + bad.where +
                   ": did an index overflow, or was the pointer never set?";
        case AddressFault::host_memory:
            return "this is host memory, which a kernel cannot use: allocate with cudaMalloc, copy with "
                   "cudaMemcpy, pass the device pointer";
    }
    return "";
}

}  // namespace

Finding in_words(const BadAccess& bad) {
    return {kind_of(bad.fault),
            bad.thread +
                (bad.discards ? " discards "
                 : bad.write  ? " writes "
                              : " reads ") +
                count_bytes(bad.bytes) + " at " + describe(Spot(bad.place, bad.caller)) + ": " +
                what_is_wrong(bad),
            bad.place};
}

Finding constant_of_the_host(const std::string& kernel, const std::string& variable,
                             const std::string& written, Place launch) {
    return {"constant",
            "`" + kernel + "` uses " + variable + ", a __constant__ variable: host code wrote to " + written +
                " by its name, which is a copy of the host's own; the device has what cudaMemcpyToSymbol "
                "wrote, at " +
                describe(launch),
            launch};
}

}  // namespace kit::cpu
