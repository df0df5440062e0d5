// Which rank waits where, for whom, and what the ranks must have in common.
#include "collective_words.hpp"

#include <iterator>

#include "device_words.hpp"
#include "finding.hpp"

namespace kit::cpu {
namespace {

std::string name_rank(int rank) {
    return "rank " + std::to_string(rank);
}

/// "rank 1 calls ncclBroadcast of 64 ncclFloat at line 12 of sum.cu: `...`"
std::string in_words(const RankCall& call) {
    return name_rank(call.rank) + " calls " + call.what + " at " + describe(call.place);
}

template <std::size_t Count>
std::string name_in(const char* const (&names)[Count], int number) {
    const auto index = static_cast<std::size_t>(number);
    return index < Count ? names[index] : "something else";
}

}  // namespace

std::string call_of_ranks(const char* function, std::size_t count, int type, int operation, int root) {
    constexpr const char* types[] = {"ncclInt8",   "ncclUint8",   "ncclInt32", "ncclUint32", "ncclInt64",
                                     "ncclUint64", "ncclFloat16", "ncclFloat", "ncclDouble", "ncclBfloat16"};
    constexpr const char* operations[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
    std::string what = std::string(function) + " of " + std::to_string(count) + " " + name_in(types, type);
    if (operation >= 0) what += " with " + name_in(operations, operation);
    if (root >= 0) what += " and root " + std::to_string(root);
    return what;
}

const char* nccl_error_in_words(int result) {
    constexpr const char* errors[] = {"no error",
                                      "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                                      "unhandled system error (run with NCCL_DEBUG=INFO for details)",
                                      "internal error - please report this issue to the NCCL developers",
                                      "invalid argument (run with NCCL_DEBUG=WARN for details)",
                                      "invalid usage (run with NCCL_DEBUG=WARN for details)",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
    const auto index = static_cast<std::size_t>(result);
    return index < std::size(errors) ? errors[index] : "unknown result code";
}

Finding ranks_differ(const RankCall& one, const RankCall& other, unsigned long long number) {
    return {"deadlock",
            "the ranks of one communicator make another call, each as its call " + std::to_string(number) +
                ": " + in_words(one) + ", and " + in_words(other) +
                ": on a GPU these wait for each other for ever, or mix their data; all ranks make the same "
                "calls in the same order",
            other.place};
}

Finding ranks_missing(const RankCall& waits, const std::vector<int>& missing, bool recorded) {
    std::string names;
    for (const int rank : missing) names += (names.empty() ? "" : ", ") + std::to_string(rank);
    return {
        "deadlock",
        in_words(waits) + " and waits for " + (missing.size() > 1 ? "ranks " : "rank ") + names +
            (recorded ? ", whose call is only recorded in a graph: did the streams of all ranks take part in "
                        "the capture?"
                      : ", for which nobody makes that call: every rank of the communicator has to"),
        waits.place};
}

Finding ranks_in_two_orders(const std::vector<RankCall>& calls) {
    std::string all;
    for (const RankCall& call : calls) all += (all.empty() ? "" : ", and ") + in_words(call);
    return {"deadlock",
            all +
                ", but each of them stands behind another call that waits for one of the others: ranks "
                "that use several communicators or messages make their calls in one order, or in one group",
            calls.front().place};
}

Finding ranks_without_group(const RankCall& one, const RankCall& other) {
    return {"deadlock",
            "one host thread calls for two ranks, and not in one group: " + in_words(one) + ", then " +
                in_words(other) +
                ": the first call may wait for the second one, which never comes then; put the calls of one "
                "thread between ncclGroupStart() and ncclGroupEnd()",
            other.place};
}

Finding buffer_refused(BufferFault fault, const RankCall& call, bool send, int device, int owner) {
    const std::string buffer = std::string("the buffer that is ") + (send ? "sent" : "received into");
    return {"argument",
            in_words(call) + ": " + buffer +
                (fault == BufferFault::host_memory
                     ? " is ordinary host memory"
                     : " is on " + name_device(owner) + ", and this rank's device is " + name_device(device)),
            call.place};
}

Finding rank_in_stream_of_another(const RankCall& call, int device, int stream_device) {
    return {"argument",
            in_words(call) + ": the stream belongs to " + name_device(stream_device) +
                ", and this rank's device is " + name_device(device),
            call.place};
}

}  // namespace kit::cpu
