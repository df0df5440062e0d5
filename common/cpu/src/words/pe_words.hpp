// The sentences about PEs: memory that is not symmetric, PEs that do not exist, signals that never come, calls that not all make.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// "thread (0,0,0) of block (0,0,0) of `send` calls nvshmem_float_put() at line 12 of ring.cu"
struct PeCall {
    std::string who;
    const char* what;
    Place place;
    int pe;  ///< the caller's
};

std::string no_pes(const std::string& who, const char* what, Place place);

enum class SymmetricFault { none, no_such_pe, not_symmetric, of_another_pe, too_short };

/// Where a PE has what another one calls by a pointer of its own. Of a fault: whose pointer it is, or what is too short.
struct SymmetricPlace {
    char* address = nullptr;
    SymmetricFault fault = SymmetricFault::none;
    int owner = -1;
    std::size_t left = 0;  ///< bytes of the piece from there on
};
/// `memory`: where the caller's pointer lies, `bytes`: what is moved.
std::string not_symmetric(const PeCall& call, const SymmetricPlace& found, int pe, int pes,
                          const std::string& memory, std::size_t bytes);

/// All PEs wait or have ended. `comparison` as in nvshmem.h.
Finding waits_for_nobody(const PeCall& call, int comparison, std::uint64_t value, std::uint64_t now,
                         const std::string& memory);

/// Calls that all PEs have to make together. `who` of the calls is empty.
Finding pes_differ(const PeCall& one, const PeCall& other, std::size_t bytes, std::size_t other_bytes);
Finding pes_missing(const PeCall& waits, const std::vector<int>& missing);
Finding pes_share_device(int pe, int other, int device, const char* what, Place place);
Finding not_initialised(const char* what, Place place);
Finding not_from_heap(const PeCall& call);

}  // namespace kit::cpu
