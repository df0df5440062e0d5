// Functions of NCCL for the ranks of one process: communicators, groups, and calls that ranks make together.
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <iterator>
#include <set>
#include <thread>

#include "api/api.hpp"
#include "collectives.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/copies.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

/// The data that the ranks of one communicator share.
struct ncclWorld {
    int ranks = 0, joined = 0;
    std::map<unsigned long long, GatheringPtr> open;  ///< collective calls, by number, that some ranks have
                                                      ///< not made yet
    /// Messages whose sender or receiver has not called yet, by sender, receiver and number.
    std::map<std::tuple<int, int, unsigned long long>, GatheringPtr> messages;
    std::vector<std::weak_ptr<Gathering>> all;  ///< calls that streams or graphs may still execute
};

namespace {

struct Request {
    ncclComm_t comm;
    cudaStream_t stream;
    CollectiveCall call;
};

auto& comms = *new std::set<ncclComm_t>;
// Worlds by the unique id of their communicator.
auto& worlds = *new std::map<unsigned long long, std::shared_ptr<ncclWorld>>;
unsigned long long last_unique_id = 0, last_group = 0;
thread_local int group_depth = 0;
thread_local std::vector<Request> grouped;

}  // namespace

struct ncclComm {
    std::shared_ptr<ncclWorld> world;
    int rank = 0, device = 0;
    /// Number of collective calls that this rank has made.
    unsigned long long calls = 0;
    /// Number of messages, by direction, sender and receiver.
    std::map<std::tuple<bool, int, int>, unsigned long long> messages;
};

namespace {

/// Runs the body of an NCCL function with checks and with the API lock.
template <class Body>
ncclResult_t nccl_call(Body body) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (in_host_function()) return ncclInvalidUsage;
    thread_uses_device();
    return body();
}

ncclComm_t new_comm(std::shared_ptr<ncclWorld> world, int rank, int device) {
    auto* const comm = new ncclComm;
    comm->world = std::move(world);
    comm->rank = rank;
    comm->device = device;
    comms.insert(comm);
    return comm;
}

/// Returns the gathering to which the rank's next call belongs, and the rank's seat in it.
Seat seat_for(ncclComm& comm, const CollectiveCall& call) {
    const auto parties = static_cast<std::size_t>(comm.world->ranks);
    if (call.kind != Collective::message) {
        const unsigned long long number = ++comm.calls;
        GatheringPtr& gathering = comm.world->open[number];
        if (!gathering) comm.world->all.push_back(gathering = std::make_shared<Gathering>(parties, number));
        return {gathering, static_cast<std::size_t>(comm.rank)};
    }
    const int from = call.send ? comm.rank : call.root, to = call.send ? call.root : comm.rank;
    const unsigned long long number = ++comm.messages[{call.send != nullptr, from, to}];
    GatheringPtr& gathering = comm.world->messages[{from, to, number}];
    if (!gathering) comm.world->all.push_back(gathering = std::make_shared<Gathering>(2, number));
    return {gathering, call.send ? 0u : 1u};
}

void forget_complete(ncclWorld& world) {
    for (auto next = world.open.begin(); next != world.open.end();)
        next = next->second->all_have_called() ? world.open.erase(next) : std::next(next);
    world.all.erase(
        std::remove_if(world.all.begin(), world.all.end(), [](const auto& one) { return one.expired(); }),
        world.all.end());
    for (auto next = world.messages.begin(); next != world.messages.end();)
        next = next->second->all_have_called() ? world.messages.erase(next) : std::next(next);
}

/// The calls of a rank in one stream that start together.
struct Unit {
    CUstream_st* stream;
    const CollectiveCall* first;
    std::vector<Seat> seats;
};

/// Makes the rank's device current during the lifetime of the object, because a default stream belongs to the
/// current device.
class DeviceOfRank {
  public:
    explicit DeviceOfRank(int device) : before_(current_device()) { choose_device_of_thread(device); }
    ~DeviceOfRank() { choose_device_of_thread(before_); }
    DeviceOfRank(const DeviceOfRank&) = delete;
    DeviceOfRank& operator=(const DeviceOfRank&) = delete;

  private:
    int before_;
};

/// Returns a number for the calling thread. Unlike the operating system's number, it is never used again for
/// a later thread.
unsigned number_of_thread() {
    static unsigned last = 0;
    static thread_local const unsigned mine = ++last;
    return mine;
}

/// Executes the calls of a group, or a single call.
ncclResult_t carry_out(std::vector<Request> requests) {
    if (sticky_error() != cudaSuccess) return ncclUnhandledCudaError;
    const unsigned long long group = ++last_group;
    std::vector<Unit> units;
    bool refused = false;
    for (Request& request : requests) {
        CollectiveCall& call = request.call;
        call.group = group;
        call.thread = number_of_thread();
        const DeviceOfRank device(request.comm->device);
        CUstream_st* const stream = find_stream(request.stream);
        if (!stream) return ncclUnhandledCudaError;
        if (stream->device != request.comm->device) {
            add_finding(about_calls(kit::facts::Rule::rank_in_stream_of_another, call.place, {call.facts()})
                            .with("device", request.comm->device)
                            .with("owner", stream->device));
            return ncclUnhandledCudaError;
        }
        const Seat seat = seat_for(*request.comm, call);
        refused = !seat.gathering->add(seat.party, call) || refused;
        auto unit =
            std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.stream == stream; });
        if (unit == units.end()) unit = units.insert(units.end(), {stream, &call, {}});
        unit->seats.push_back(seat);
    }
    for (const Request& request : requests) forget_complete(*request.comm->world);
    for (const Unit& unit : units) {
        const auto part = [seats = unit.seats] { return part_of(seats); };
        if (!concerns_capture(*unit.stream)) {
            WorkLabel label{WorkKind::collective, unit.first->function, unit.first->place};
            label.collectives = static_cast<unsigned>(unit.seats.size());
            enqueue_part(*unit.stream, std::move(label), part());
            continue;
        }
        if (capture_task(*unit.stream, unit.first->function, unit.first->place,
                         MeetingTask{unit.first->function, part}) != cudaSuccess)
            return ncclUnhandledCudaError;
    }
    return refused ? ncclInvalidUsage : ncclSuccess;
}

/// Checks that the buffer is in memory of the rank's device and large enough.
ncclResult_t check_buffer(const ncclComm& comm, const CollectiveCall& call, bool send) {
    const void* const begin = send ? call.send : call.receive;
    const std::size_t bytes = send ? call.bytes_read() : call.bytes_written();
    if (!bytes) return ncclSuccess;
    const Allocation* const allocation = find_allocation(begin);
    if (check_range({call.function, !send, bytes, call.place}, begin, allocation) != cudaSuccess)
        return ncclInvalidArgument;
    const bool elsewhere = is_device(allocation) && allocation->device != comm.device;
    if (allocation && !elsewhere) return ncclSuccess;
    const kit::facts::Rule of_host = send ? kit::facts::Rule::send_buffer_of_host
                                          : kit::facts::Rule::receive_buffer_of_host,
                           elsewhere_rule = send ? kit::facts::Rule::send_buffer_of_another_device
                                                 : kit::facts::Rule::receive_buffer_of_another_device;
    add_finding(about_calls(allocation ? elsewhere_rule : of_host, call.place, {call.facts()})
                    .with("device", comm.device)
                    .with("owner", allocation ? allocation->device : -1));
    return ncclInvalidArgument;
}

struct Buffers {
    const void* send;
    void* receive;
    std::size_t count;
};

/// Returns the arguments of a call as a CollectiveCall, without the calling rank.
CollectiveCall call_of(Collective kind, const char* function, const Buffers& buffers, ncclDataType_t type,
                       ncclRedOp_t operation, int root, Place place) {
    return {kind, function, buffers.send, buffers.receive, buffers.count, type, operation, root, 0, 0, place,
            {},   0};
}

ncclResult_t ask(CollectiveCall call, ncclComm_t comm, cudaStream_t stream) {
    return nccl_call([&] {
        if (!comms.count(comm)) return ncclInvalidArgument;
        call.rank = comm->rank;
        call.ranks = comm->world->ranks;
        if (!bytes_of(call.type) || call.operation < ncclSum || call.operation >= ncclNumOps)
            return ncclInvalidArgument;
        if (call.root < 0 || call.root >= call.ranks) return ncclInvalidArgument;
        for (const bool send : {true, false})
            if (const ncclResult_t result = check_buffer(*comm, call, send)) return result;
        if (group_depth == 0) return carry_out({{comm, stream, call}});
        grouped.push_back({comm, stream, call});
        return ncclSuccess;
    });
}

/// Runs a function that returns facts about a communicator.
template <class Body>
ncclResult_t about(ncclComm_t comm, const void* answer, Body body) {
    return nccl_call([&] {
        if (!answer || !comms.count(comm)) return ncclInvalidArgument;
        body();
        return ncclSuccess;
    });
}

/// Waits until all ranks have joined. Returns false if a rank is missing.
bool wait_for_ranks(const ncclWorld& world) {
    constexpr std::chrono::seconds patience{3};
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < patience) {
        {
            const std::lock_guard lock(api_mutex());
            if (world.joined >= world.ranks) return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

ncclResult_t drop(ncclComm_t comm) {
    return nccl_call([&] {
        if (!comm) return ncclSuccess;
        if (!comms.erase(comm)) return ncclInvalidArgument;
        delete comm;
        return ncclSuccess;
    });
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
    if (!version) return ncclInvalidArgument;
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
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

const char* ncclGetLastError(ncclComm_t) {
    return "";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    return nccl_call([&] {
        if (!id) return ncclInvalidArgument;
        std::memset(id, 0, sizeof *id);
        ++last_unique_id;
        std::memcpy(id->internal, &last_unique_id, sizeof last_unique_id);
        return ncclSuccess;
    });
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
    std::shared_ptr<ncclWorld> joined;
    const ncclResult_t result = nccl_call([&] {
        unsigned long long number = 0;
        std::memcpy(&number, id.internal, sizeof number);
        if (!comm || ranks < 1 || rank < 0 || rank >= ranks || number < 1 || number > last_unique_id)
            return ncclInvalidArgument;
        std::shared_ptr<ncclWorld>& world = worlds[number];
        if (!world) world = std::make_shared<ncclWorld>();
        if (world->ranks && world->ranks != ranks) return ncclInvalidArgument;
        world->ranks = ranks;
        if (ranks > 1) parties_are_threads();
        ++world->joined;
        joined = world;
        *comm = new_comm(world, rank, current_device());
        return ncclSuccess;
    });
    if (result != ncclSuccess || group_depth > 0) return result;
    return wait_for_ranks(*joined) ? ncclSuccess : ncclSystemError;
}

ncclResult_t ncclCommInitAll(ncclComm_t* made, int devices, const int* numbers) {
    return nccl_call([&] {
        if (!made || devices < 1) return ncclInvalidArgument;
        std::set<int> used;
        for (int rank = 0; rank < devices; ++rank) {
            const int device = numbers ? numbers[rank] : rank;
            if (!is_device_number(device)) return ncclUnhandledCudaError;
            if (!used.insert(device).second) return ncclInvalidUsage;
        }
        const auto world = std::make_shared<ncclWorld>();
        world->ranks = devices;
        for (int rank = 0; rank < devices; ++rank)
            made[rank] = new_comm(world, rank, numbers ? numbers[rank] : rank);
        return ncclSuccess;
    });
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
    return about(comm, comm, [] {});
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    return drop(comm);
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    return nccl_call([&] {
        if (!comm) return ncclSuccess;
        if (!comms.erase(comm)) return ncclInvalidArgument;
        for (const auto& one : comm->world->all)
            if (const GatheringPtr gathering = one.lock()) gathering->abandon(comm->rank);
        delete comm;
        return ncclSuccess;
    });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    return about(comm, error,
                 [&] { *error = sticky_error() == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError; });
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
    return about(comm, count, [&] { *count = comm->world->ranks; });
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
    return about(comm, device, [&] { *device = comm->device; });
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
    return about(comm, rank, [&] { *rank = comm->rank; });
}

ncclResult_t ncclGroupStart() {
    ++group_depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    return nccl_call([] {
        if (group_depth == 0) return ncclInvalidUsage;
        if (--group_depth > 0) return ncclSuccess;
        std::vector<Request> requests;
        requests.swap(grouped);
        return carry_out(std::move(requests));
    });
}

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
    return ask(call_of(Collective::all_reduce, "ncclAllReduce", {send, receive, count}, type, operation, 0,
                       KIT_CALLER),
               comm, stream);
}

ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t operation, int root, ncclComm_t comm, cudaStream_t stream) {
    return ask(
        call_of(Collective::reduce, "ncclReduce", {send, receive, count}, type, operation, root, KIT_CALLER),
        comm, stream);
}

ncclResult_t ncclBroadcast(const void* send, void* receive, std::size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
    return ask(call_of(Collective::broadcast, "ncclBroadcast", {send, receive, count}, type, ncclSum, root,
                       KIT_CALLER),
               comm, stream);
}

ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t sendCount, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
    return ask(call_of(Collective::all_gather, "ncclAllGather", {send, receive, sendCount}, type, ncclSum, 0,
                       KIT_CALLER),
               comm, stream);
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t receiveCount, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
    return ask(call_of(Collective::reduce_scatter, "ncclReduceScatter", {send, receive, receiveCount}, type,
                       operation, 0, KIT_CALLER),
               comm, stream);
}

ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return ask(
        call_of(Collective::message, "ncclSend", {send, nullptr, count}, type, ncclSum, peer, KIT_CALLER),
        comm, stream);
}

ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return ask(
        call_of(Collective::message, "ncclRecv", {nullptr, receive, count}, type, ncclSum, peer, KIT_CALLER),
        comm, stream);
}
