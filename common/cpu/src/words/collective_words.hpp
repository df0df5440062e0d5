// The sentences about calls of several ranks that must meet, and do not.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// One rank's call: "ncclAllReduce of 1024 ncclFloat".
struct RankCall {
    int rank = 0;
    std::string what;  ///< with what must be the same on all ranks
    Place place;
};

/// "ncclAllReduce of 1024 ncclFloat with ncclSum": numbers as in nccl.h, -1 where the call has none.
std::string call_of_ranks(const char* function, std::size_t count, int type, int operation, int root);

/// As NCCL says it.
const char* nccl_error_in_words(int result);

/// The calls should be one and the same. `number`: it is the communicator's third one, counted from 1.
Finding ranks_differ(const RankCall& one, const RankCall& other, unsigned long long number);

/// Work that is waited for waits for these ranks, and nobody is left to call for them. `recorded`: they have called, in a capture.
Finding ranks_missing(const RankCall& waits, const std::vector<int>& missing, bool recorded);

/// All have called, and wait for each other: this one and others have been called in another order elsewhere.
Finding ranks_in_two_orders(const std::vector<RankCall>& calls);

/// One host thread calls for two ranks without a group.
Finding ranks_without_group(const RankCall& one, const RankCall& other);

enum class BufferFault { host_memory, another_device };
/// `send`: it is the buffer that is read. The buffer is on `owner`, the rank on `device`.
Finding buffer_refused(BufferFault fault, const RankCall& call, bool send, int device, int owner);

Finding rank_in_stream_of_another(const RankCall& call, int device, int stream_device);

}  // namespace kit::cpu
