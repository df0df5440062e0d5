// Shared by the tests of this topic: counts the sectors of a warp's access byte by byte. The exercises count the sectors of lanes;
// this model marks every byte that is accessed, and counts the sectors that have a mark.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "03_memory_access/03_memory_access.hpp"
#include "grader.cuh"

namespace memory_access_test {

using memory_access::kLanes;
using memory_access::Pattern;
using memory_access::Request;

/// The addresses of all bytes that the request accesses.
inline std::set<std::uint64_t> bytes_of(const Request& request) {
    std::set<std::uint64_t> bytes;
    for (int l = 0; l < kLanes; ++l) {
        if (!request.active[l]) continue;
        for (int b = 0; b < request.bytes; ++b)
            bytes.insert(request.address[l] + static_cast<std::uint64_t>(b));
    }
    return bytes;
}

inline int sectors_of(const Request& request) {
    std::set<std::uint64_t> sectors;
    for (const std::uint64_t byte : bytes_of(request)) sectors.insert(byte >> 5);
    return static_cast<int>(sectors.size());
}

inline int ideal_of(const Request& request) {
    int sectors = 0;
    for (auto left = static_cast<int>(bytes_of(request).size()); left > 0; left -= 32) ++sectors;
    return sectors;
}

struct Named {
    Pattern pattern;
    const char* name;
    int bytes;
};

inline const Named patterns[] = {
    {Pattern::bytes_4, "bytes_4", 4},    {Pattern::bytes_1, "bytes_1", 1}, {Pattern::bytes_8, "bytes_8", 8},
    {Pattern::bytes_16, "bytes_16", 16}, {Pattern::shifted, "shifted", 4}, {Pattern::stride_2, "stride_2", 4},
    {Pattern::permuted, "permuted", 4},  {Pattern::alike, "alike", 4},     {Pattern::indexed, "indexed", 4},
};

/// Returns the element that a lane reads.
inline __host__ __device__ unsigned element_of(Pattern pattern, unsigned lane) {
    if (pattern == Pattern::shifted) return lane + 1;
    if (pattern == Pattern::stride_2) return 2 * lane;
    if (pattern == Pattern::permuted) return lane ^ 21;
    if (pattern == Pattern::alike) return 5;
    if (pattern == Pattern::indexed) return 8 * ((5 * lane) % 32);
    return lane;
}

inline Request request_of(const Named& named) {
    Request request = {};
    request.bytes = named.bytes;
    for (unsigned l = 0; l < static_cast<unsigned>(kLanes); ++l) {
        request.active[l] = true;
        request.address[l] =
            std::uint64_t{element_of(named.pattern, l)} * static_cast<std::uint64_t>(named.bytes);
    }
    return request;
}

/// Describes the first lanes of a request in words: "4 bytes per lane, lanes 0-5 and 7 at 0, 4, 8, ...".
inline std::string describe(const Request& request) {
    std::string text =
        std::to_string(request.bytes) + (request.bytes == 1 ? " byte" : " bytes") + " per lane,";
    int shown = 0, active = 0;
    for (int l = 0; l < kLanes; ++l) {
        if (!request.active[l]) continue;
        if (++active > 6) continue;
        text += (shown++ == 0 ? " lane " : ", lane ") + std::to_string(l) + " at " +
                std::to_string(request.address[l]);
    }
    if (active == 0) return text + " no lane active";
    if (active > 6) text += ", and " + std::to_string(active - 6) + " more";
    return text;
}

}  // namespace memory_access_test
