// Host functions of NVSHMEM: PEs, which are host threads, the symmetric heap, and calls that all PEs make
// together. Functions for kernels are in ranks/puts.cpp.
#include <nvshmemx.h>

#include <algorithm>
#include <cstring>

#include "api/api.hpp"
#include "device/devices.hpp"
#include "device/turns.hpp"
#include "events.hpp"
#include "memory/memory.hpp"
#include "pes.hpp"
#include "puts.hpp"
#include "run/pause.hpp"
#include "run/pointer_launch.hpp"
#include "run/stream.hpp"
#include "run/world.hpp"
#include "source/findings.hpp"
#include "symmetric_heap.hpp"

using namespace kit::cpu;

namespace {

unsigned long long last_id = 0;

/// Runs a function that only a PE's host thread can call.
template <class Body>
void pe_call(const char* what, Place place, Body body) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (pe_of_thread() >= 0 && world()) return body(*world(), static_cast<std::size_t>(pe_of_thread()));
    add_finding(finding(kit::facts::Rule::not_initialised, place).with("function", what));
    set_sticky_error(cudaErrorLaunchFailure);
}

/// Binds the PE to the current device at the first call that needs a device. Kernels can access the memory
/// that nvshmem_ptr() returns.
bool bind_device(World& world, std::size_t pe, const char* what, Place place) {
    if (world.device[pe] >= 0) return true;
    for (std::size_t other = 0; other < world.device.size(); ++other) {
        if (world.device[other] != current_device()) continue;
        add_finding(finding(kit::facts::Rule::pes_share_device, place)
                        .with("pe", pe)
                        .with("function", what)
                        .with("device", current_device())
                        .with("owner", other));
        set_sticky_error(cudaErrorLaunchFailure);
        return false;
    }
    world.device[pe] = current_device();
    for (const int other : world.device) {
        if (other < 0 || other == current_device()) continue;
        change_access(current_device(), other, true);
        change_access(other, current_device(), true);
    }
    return true;
}

kit::facts::Call joint_call(const JointCall& call, std::size_t pe) {
    kit::facts::Call one = call_of_pe(static_cast<int>(pe), call.what, call.places[pe]);
    one.bytes = call.bytes;
    return one;
}

void tell_missing(const JointCall& call, std::size_t pe) {
    Finding missing = finding_about(kit::facts::Rule::pes_missing, call.places[pe]);
    missing.calls.push_back(joint_call(call, pe));
    for (std::size_t other = 0; other < call.here.size(); ++other)
        if (!call.here[other]) missing.with("missing", other);
    add_finding(std::move(missing));
}

/// Returns the next joint call of this PE; null if the other PEs make a different call.
std::shared_ptr<JointCall> join_call(World& world, std::size_t pe, const char* what, std::size_t bytes,
                                     Place place) {
    const unsigned long long number = ++world.calls[pe];
    std::shared_ptr<JointCall>& open = world.open[number];
    if (!open) {
        open = std::make_shared<JointCall>();
        open->what = what;
        open->bytes = bytes;
        open->places.resize(world.device.size());
        open->here.resize(world.device.size());
        open->memory.resize(world.device.size());
    }
    const std::shared_ptr<JointCall> call = open;
    call->places[pe] = place;
    note_change();
    if (std::strcmp(call->what, what) == 0 && call->bytes == bytes) {
        call->here[pe] = true;
        if (++call->arrived == call->here.size()) world.open.erase(number);
        return call;
    }
    const auto first =
        static_cast<std::size_t>(std::find(call->here.begin(), call->here.end(), true) - call->here.begin());
    Finding differ = finding_about(kit::facts::Rule::pes_differ, place);
    kit::facts::Call mine = call_of_pe(static_cast<int>(pe), what, place);
    mine.bytes = bytes;
    differ.calls = {joint_call(*call, first), mine};
    add_finding(std::move(differ));
    call->refused = true;
    set_sticky_error(cudaErrorLaunchFailure);
    return nullptr;
}

/// Makes a joint call and waits for all PEs. Returns null if a PE does not arrive.
std::shared_ptr<JointCall> meet(World& world, std::size_t pe, const char* what, std::size_t bytes,
                                Place place, char* memory = nullptr) {
    if (sticky_error() != cudaSuccess) return nullptr;
    const std::shared_ptr<JointCall> call = join_call(world, pe, what, bytes, place);
    if (!call) return nullptr;
    call->memory[pe] = memory;
    for (const auto& [stream, id] : work_order().host()) {
        std::uint64_t& known = call->known[stream];
        known = std::max(known, id);
    }
    const auto all_are_here = [&] { return call->arrived == call->here.size(); };
    const bool came = wait_for_others([&] { return all_are_here() || call->refused; });
    if (all_are_here()) {
        work_order().learn(call->known);
        return call;
    }
    if (!came && sticky_error() == cudaSuccess) {
        tell_missing(*call, pe);
        set_sticky_error(cudaErrorLaunchFailure);
    }
    return nullptr;
}

/// Removes the symmetric heap and the world after the last PE has left.
void end_world() {
    forget_symmetric([](char* begin) {
        if (Allocation* const allocation = allocation_at(begin)) release(allocation);
    });
    forget_puts();
    world_slot().reset();
}

void leave() {
    World* const here = world();
    if (!here || pe_of_thread() < 0) return;
    here->present[static_cast<std::size_t>(pe_of_thread())] = false;
    pe_of_thread() = -1;
    work_order().become(0);
    host_thread_leaves();
    if (++here->left == here->pes) end_world();
}

/// Makes a thread that ends without nvshmem_finalize() leave the world. After an execution error it keeps its
/// turn: the thread may be in exit(), and if a second thread called exit() now, the process would end before
/// the findings are reported.
struct LeavesAtEnd {
    ~LeavesAtEnd() {
        const std::lock_guard lock(api_mutex());
        if (sticky_error() == cudaSuccess) leave();
    }
};

bool join(unsigned long long id, int pe, int pes) {
    if (pe_of_thread() >= 0 || id < 1 || id > last_id || pes < 1 || pe < 0 || pe >= pes) return false;
    if (world() && world()->id != id) {  // a world exists that some of its PEs have never joined
        World& old = *world();
        if (std::count(old.present.begin(), old.present.end(), true) > 0) return false;
        for (; old.left < old.pes; ++old.left) host_thread_leaves();
        end_world();
    }
    static thread_local const LeavesAtEnd at_end;
    (void)at_end;
    if (!world()) {
        world_slot() = std::make_unique<World>();
        World& made = *world();
        made.id = id;
        made.pes = pes;
        made.device.assign(static_cast<std::size_t>(pes), -1);
        made.present.assign(static_cast<std::size_t>(pes), false);
        made.calls.assign(static_cast<std::size_t>(pes), 0);
        host_threads_expected(static_cast<unsigned>(pes));
    }
    World& here = *world();
    if (here.id != id || here.pes != pes || here.present[static_cast<std::size_t>(pe)]) return false;
    here.present[static_cast<std::size_t>(pe)] = true;
    pe_of_thread() = pe;
    thread_uses_device();
    host_thread_joins(static_cast<unsigned>(pe));
    work_order().become(static_cast<unsigned>(pe) + 1);
    if (std::count(here.present.begin(), here.present.end(), true) == here.pes) turns().begin_with_first();
    return true;
}

void* allocate(const char* what, std::size_t bytes, bool zero, Place place) {
    void* result = nullptr;
    pe_call(what, place, [&](World& here, std::size_t pe) {
        if (bytes == 0 || !bind_device(here, pe, what, place)) return;
        Allocation* const mine = allocate_device(bytes, what);
        if (!mine) return;
        mine->place = place;
        if (zero) {
            const DeviceWindow writable(mine->begin, bytes);
            std::memset(mine->begin, 0, bytes);
            observer().written(mine->begin, bytes);
        }
        const auto call = meet(here, pe, what, bytes, place, mine->begin);
        if (!call) return;
        if (!symmetric_at(mine->begin, static_cast<int>(pe))) add_symmetric({bytes, call->memory});
        result = mine->begin;
    });
    return result;
}

void all_meet(const char* what, Place place, bool complete) {
    pe_call(what, place, [&](World& here, std::size_t pe) {
        if (!bind_device(here, pe, what, place)) return;
        if (complete) land_puts_of(static_cast<int>(pe));
        meet(here, pe, what, 0, place);
    });
}

/// Queues work in this stream that ends when the streams of all PEs have reached their calls.
void enqueue_meeting(World& world, std::size_t pe, cudaStream_t handle, const char* what, Place place) {
    CUstream_st* const stream = find_stream(handle);
    if (!stream || sticky_error() != cudaSuccess) return;
    const std::shared_ptr<JointCall> call = join_call(world, pe, what, 0, place);
    if (!call) return;
    enqueue(*stream, {}, [call, pe] {
        ++call->begun;
        note_change();
        const Operation* const me = exchange_running_operation(nullptr);
        const bool all = wait_for_others([&] { return call->begun == call->here.size(); });
        exchange_running_operation(me);
        if (all) return cudaSuccess;
        if (sticky_error() != cudaSuccess) return sticky_error();
        tell_missing(*call, pe);
        return cudaErrorLaunchFailure;
    });
}

void complete_of_host(const char* what, Place place) {
    pe_call(what, place, [&](World&, std::size_t pe) { land_puts_of(static_cast<int>(pe)); });
}

}  // namespace

int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t* id) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (!id) return 1;
    *id = NVSHMEMX_UNIQUEID_INITIALIZER;
    ++last_id;
    std::memcpy(id->internal, &last_id, sizeof last_id);
    return 0;
}

int nvshmemx_set_attr_uniqueid_args(const int my_pe, const int n_pes, const nvshmemx_uniqueid_t* id,
                                    nvshmemx_init_attr_t* attributes) {
    if (!id || !attributes) return 1;
    attributes->id = *id;
    attributes->rank = my_pe;
    attributes->ranks = n_pes;
    return 0;
}

int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t* attributes) {
    const Place place = KIT_CALLER;
    if (in_kernel()) refuse_in_kernel();
    if (flags != NVSHMEMX_INIT_WITH_UNIQUEID || !attributes) return 1;
    const std::lock_guard lock(api_mutex());
    unsigned long long id = 0;
    std::memcpy(&id, attributes->id.internal, sizeof id);
    if (!join(id, attributes->rank, attributes->ranks)) return 1;
    return meet(*world(), static_cast<std::size_t>(attributes->rank), "nvshmemx_init_attr", 0, place) ? 0 : 1;
}

/// Initializes NVSHMEM without a launcher, so the calling thread is the only PE.
void nvshmem_init() {
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_uniqueid_t id;
    nvshmemx_get_uniqueid(&id);
    nvshmemx_set_attr_uniqueid_args(0, 1, &id, &attributes);
    nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes);
}

void nvshmem_finalize() {
    const Place place = KIT_CALLER;
    all_meet("nvshmem_finalize", place, true);
    const std::lock_guard lock(api_mutex());
    leave();
}

int nvshmem_my_pe() {
    return pe_of_caller();
}
int nvshmem_n_pes() {
    return number_of_pes();
}
int nvshmem_team_my_pe(nvshmem_team_t) {
    return pe_of_caller();
}
int nvshmem_team_n_pes(nvshmem_team_t) {
    return number_of_pes();
}

void* nvshmem_malloc(std::size_t size) {
    return allocate("nvshmem_malloc", size, false, KIT_CALLER);
}

void* nvshmem_calloc(std::size_t count, std::size_t size) {
    return allocate("nvshmem_calloc", count * size, true, KIT_CALLER);
}

/// The alignment is at most 256 bytes, with which every allocation is aligned.
void* nvshmem_align(std::size_t alignment, std::size_t size) {
    return alignment <= 256 ? allocate("nvshmem_align", size, false, KIT_CALLER) : nullptr;
}

void nvshmem_free(void* pointer) {
    const Place place = KIT_CALLER;
    pe_call("nvshmem_free", place, [&](World& here, std::size_t pe) {
        if (!pointer || sticky_error() != cudaSuccess) return;
        if (!symmetric_at(pointer, static_cast<int>(pe))) {
            Finding strange = finding_about(kit::facts::Rule::not_from_heap, place);
            strange.calls.push_back(call_of_pe(static_cast<int>(pe), "nvshmem_free", place));
            add_finding(std::move(strange));
            return;
        }
        finish_device(here.device[pe]);
        land_puts_of(static_cast<int>(pe));
        const auto call = meet(here, pe, "nvshmem_free", 0, place, static_cast<char*>(pointer));
        if (!call) return;
        remove_symmetric(call->memory.front());
        if (Allocation* const mine = allocation_at(pointer)) release(mine);
    });
}

void* nvshmem_ptr(const void* dest, int pe) {
    return remote_pointer(dest, pe);
}

void nvshmem_barrier_all() {
    all_meet("nvshmem_barrier_all", KIT_CALLER, true);
}
void nvshmem_sync_all() {
    all_meet("nvshmem_sync_all", KIT_CALLER, false);
}

void nvshmem_fence(Place place) {
    if (in_kernel())
        fence_puts(place);
    else
        complete_of_host("nvshmem_fence", place);
}
void nvshmem_quiet(Place place) {
    if (in_kernel())
        complete_puts(place);
    else
        complete_of_host("nvshmem_quiet", place);
}

int nvshmemx_collective_launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    pe_call("nvshmemx_collective_launch", place, [&](World& here, std::size_t pe) {
        if (bind_device(here, pe, "nvshmemx_collective_launch", place))
            enqueue_meeting(here, pe, stream, "nvshmemx_collective_launch", place);
    });
    return launch_by_address({"", kernel, grid, block, shared_bytes, stream, true, place, {}}, arguments);
}
