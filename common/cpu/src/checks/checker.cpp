// Passes each event to the checks that need it, in the right order.
#include "checker.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/executor.hpp>
#include <utility>

#include "device/lock.hpp"
#include "run/grid.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"
#include "trace.hpp"

namespace kit::cpu {
namespace {

Checker& checker() {
    static Checker& only = *new Checker;  // never destroyed: host code may run until the process ends
    return only;
}

bool wanted() {
    const char* text = std::getenv("KIT_CHECKS");
    return !text || std::strcmp(text, "0") != 0;
}

/// Returns how many blocks of each launch are checked. The grader always checks all blocks.
std::uint64_t blocks_to_check() {
    static const std::uint64_t wanted = [] {
        const char* const text = std::getenv("KIT_CHECK_BLOCKS");
        if (!text || !*text) return ~std::uint64_t{0};
        char* end = nullptr;
        const long long blocks = std::strtoll(text, &end, 10);
        if (*end || blocks < 1) {
            std::fprintf(stderr, "KIT_CHECK_BLOCKS=%s is not a number of blocks: use 1 or more.\n", text);
            std::exit(2);
        }
        return static_cast<std::uint64_t>(blocks);
    }();
    return collects_findings() ? ~std::uint64_t{0} : wanted;
}

}  // namespace

void Checker::report_stored_element(const Block& block, unsigned rank, unsigned index,
                                    const void* instruction) {
    const Place place = sites_.place(sites_.number(instruction));
    add_finding(finding(facts::Rule::tensor_stored_by_index,
                        Spot(place, instruction, block.grid().launch.name), place)
                    .by(block.who(rank))
                    .with("index", index));
}

inline void Checker::local_access(const Worker& worker, const char* address, bool write) {
    if (has_fragments_) checks_of(*worker.block).fragments.local(worker.block->rank(), address, write);
}

inline void Checker::element_stored(const Worker& worker, const char* address, const void* instruction) {
    if (!has_fragments_) return;
    const Block& block = *worker.block;
    checks_of(block).fragments.store(block.rank(), address, instruction,
                                     [&](unsigned rank, unsigned index, const void* at) {
                                         report_stored_element(block, rank, index, at);
                                     });
}

void Checker::fragment_set(Block& block, unsigned rank, const char* begin, unsigned bytes,
                           unsigned element_bytes) {
    has_fragments_ = true;
    checks_of(block).fragments.set(
        rank, begin, bytes, element_bytes,
        [&](unsigned by, unsigned index, const void* at) { report_stored_element(block, by, index, at); });
}

void Checker::fragment_gone(Block& block, const char* begin) {
    checks_of(block).fragments.gone(block.rank(), begin);
}

void Checker::access(Worker& worker, const Access& access) {
    settle();
    const bool update_begins = access.atomic && std::exchange(worker.atomic_begins, false);
    if (worker.fiber->holds(access.address)) return local_access(worker, access.address, access.write);
    Block& block = *worker.block;
    Target target;
    if (!block.reports_accesses ||
        !memory_.find_common(block, access.address, access.bytes, access.natural, target)) {
        target = memory_.find(worker, access);
        if (target.fault != facts::Rule::none)
            refuse(worker, access, target,
                   access.place ? *access.place : sites_.place(sites_.number(access.instruction)));
        if (!target.region) return;
    }
    if (!block.reports_accesses)
        return races_.access(block, target, access);  // the access may order accesses by other threads
    if (!access.discards && !access.of_barrier) {
        counter_.access(worker.counters, target, access, update_begins);
        if (target.is_shared() && access.write && block.copies_in_flight())
            ++worker.counters.stores_during_copies;
        if (Trace::on) trace().access(block, target, access);
        if (profiler_.is_on()) profile(worker, target, access, update_begins);
    }
    initialisation_.access(block, target, access);
    races_.access(block, target, access);
    if (access.write && !access.atomic) element_stored(worker, access.address, access.instruction);
}

bool Checker::plain_access(Worker& worker, const char* address, unsigned bytes, bool write,
                           const void* instruction) {
    settle();
    if (worker.fiber->holds(address)) return local_access(worker, address, write), true;
    if (Trace::on || profiler_.is_on()) return false;
    Block& block = *worker.block;
    Target target;
    if (!memory_.find_common(block, address, bytes, true, target)) return false;
    const bool shared = target.is_shared();
    if (write ? block.copies_in_flight() || checks_of(block).undefined.any()
              : !target.region->initialised(address, bytes))
        return false;
    if (!races_.plain_access(block, target, address, bytes, write, instruction)) return false;
    if (write) {
        target.region->set_initialised(address, bytes, true);
        element_stored(worker, address, instruction);
    }
    AccessCounter::plain_access(worker.counters, shared, bytes, write);
    return true;
}

/// Records an access for the profile. Of an atomic update, only the first access counts. Accesses to
/// constants are left out, because a GPU reads constants from a separate cache.
void Checker::profile(const Worker& worker, const Target& target, const Access& access, bool update_begins) {
    const bool of_update = access.atomic && access.write && access.read;
    if ((of_update && !update_begins) || target.memory == Target::Memory::constant) return;
    using Kind = RequestKind;
    const bool shared = target.is_shared();
    const Kind kind = update_begins  ? Kind::atomic
                      : access.write ? (shared ? Kind::shared_store : Kind::store)
                                     : (shared ? Kind::shared_load : Kind::load);
    const char* const begin = shared ? target.holder->shared().begin() : nullptr;
    // A struct whose alignment is smaller than its size is accessed in pieces of 8 bytes, or word by word.
    const bool in_words = !access.natural && (access.address - begin) % 4 == 0 && access.bytes % 4 == 0;
    const unsigned width = in_words         ? 4
                           : access.natural ? MemoryCheck::alignment(access, target)
                                            : access.bytes;
    profiler_.access(*worker.block, static_cast<std::uint64_t>(access.address - begin), access, width, kind);
}

void Checker::round(Worker& worker, const Round& round) {
    if (profiler_.is_on()) profiler_.round(*worker.block, round);
}

void Checker::product(const Block& block, const void* instruction, std::uint64_t multiplications) {
    if (profiler_.is_on()) profiler_.product(block, instruction, multiplications);
}

/// Completes the check of a store. The stored value is known when the same thread causes the next event.
void Checker::settle() {
    initialisation_.settle();
    races_.settle();
}

void Checker::refuse(const Worker& worker, const Access& access, const Target& target, Place place) {
    const Finding finding = MemoryCheck::describe(worker, access, target, place);
    settle();
    mistakes_.report();
    const bool misaligned = target.fault == facts::Rule::misaligned;
    stop_kernel(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress, finding);
}

NotesPtr Checker::family_begins() {
    return new_launch_tree();
}

/// Records a launch by a kernel. The position of the parent does not matter for a tail launch, which comes
/// after all other work.
NotesPtr Checker::child_launched(const ChildLaunch& launch) {
    if (launch.tail) return new_launch_node(launch, {});
    settle();
    const Block& block = *this_worker->block;
    return new_launch_node(launch, checks_of(block).clocks.launch(block.rank()));
}

void Checker::family_ended() {
    mistakes_.report();
}

/// Returns whether the block is checked. A cluster is checked as a whole, because its blocks access each
/// other's memory.
bool Checker::is_checked(const Block& block) const {
    const Grid& grid = block.grid();
    const dim3 &blocks = grid.launch.grid, &cluster = grid.cluster_dims;
    const uint3& index = block.index();
    const std::uint64_t across = blocks.x / cluster.x, down = blocks.y / cluster.y;
    const std::uint64_t number =
        index.x / cluster.x + across * (index.y / cluster.y + down * (index.z / cluster.z));
    return number * grid.cluster_blocks < checked_blocks_;
}

void Checker::kernel_begins(const Grid& grid) {
    checked_blocks_ = blocks_to_check();
    static bool said = false;
    if (grid.blocks > checked_blocks_ && !std::exchange(said, true)) print_partly_checked(checked_blocks_);
    memory_.forget_pieces();
    counter_.kernel_begins();
    has_fragments_ = false;
    races_.kernel_begins(grid);
    if (profiler_.is_on()) profiler_.kernel_begins(grid);
}

void Checker::kernel_ended() {
    settle();
}

void Checker::kernel_paused(const Grid& grid) {
    settle();
    races_.kernel_paused(grid);
}

void Checker::kernel_resumed(const Grid& grid) {
    memory_.forget_pieces();
    races_.kernel_resumed(grid);
}

void Checker::block_begins(Block& block) {
    const SharedArena& shared = block.shared();
    if (block.notes)
        checks_of(block).shared.set_initialised(shared.begin(), shared.extent(), false);
    else
        block.notes = std::make_shared<BlockChecks>(shared.begin(), SharedArena::capacity);
    checks_of(block).undefined.clear();
    checks_of(block).fragments.clear();
    block.reports_accesses = is_checked(block);
    if (!block.reports_accesses) initialisation_.stores_go_unseen();
    races_.block_begins(block);
    if (profiler_.is_on()) profiler_.block_begins(block);
}

void Checker::block_ended(Block& block) {
    settle();  // must run before the block changes
    if (has_fragments_)
        checks_of(block).fragments.end([&](unsigned rank, unsigned index, const void* at) {
            report_stored_element(block, rank, index, at);
        });
    races_.block_ended(block);
    if (profiler_.is_on()) profiler_.block_ended(block);
}

void Checker::fence(Worker& worker, Scope scope) {
    checks_of(*worker.block).clocks.fence(worker.block->rank(), scope);
}

void Checker::notified(Worker& worker, const char* address) {
    trace().notified(*worker.block, address);
}

bool Checker::should_wait(Worker& worker, const Access& access) {
    if (worker.fiber->holds(access.address)) return false;
    const Target target = memory_.find(worker, access);
    return target.fault == facts::Rule::none && target.region && races_.should_wait(target, access);
}

void Checker::barrier(const BarrierStep& step) {
    races_.barrier(step);
    if (profiler_.is_on()) profiler_.barrier(step, static_cast<const char*>(this_worker->call) - 1);
}

void Checker::shuffle_begins(const Block& block, ShuffleInput& input) {
    if (profiler_.is_on()) profiler_.shuffle_begins(block, input.source);
    const UndefinedValues& undefined = checks_of(block).undefined;
    if (!undefined.any()) return;
    if (const UndefinedLane* origin = undefined.origin(block.rank(), input.value, input.size))
        input.brings = *origin;
}

void Checker::shuffle_ended(const Block& block, const ShuffleInput& input, const void* taken) {
    if (input.size == 4 || input.size == 8) checks_of(block).undefined.took(block.rank(), input, taken);
}

bool Checker::extreme_of_undefined(const Block& block, const void* operand, void* result, unsigned bytes,
                                   bool larger) {
    return checks_of(block).undefined.replace(block.rank(), operand, result, bytes, larger);
}

void Checker::host_access(const Access& access) {
    const std::unique_lock lock(api_mutex(), std::try_to_lock);
    if (!lock) return;  // another thread holds the lock while it waits for the device
    initialisation_.host_access(access);
    if (host_may_race()) races_.host_access(access);
}

void Checker::allocated(const char* begin, std::size_t bytes) {
    if (in_kernel() && !this_worker->block->reports_accesses)
        initialisation_.written(begin, bytes);
    else
        initialisation_.allocated(begin, bytes);
    races_.forget_copies(begin, bytes);
    if (in_kernel()) races_.allocated(begin, bytes);
}

void Checker::freed() {
    settle();  // must run before the bytes change
    memory_.forget_pieces();
}

void Checker::touches(const RowsTouched& rows) {
    races_.touches(rows);
}

void Checker::uses(const RowsTouched& rows) {
    initialisation_.used(rows);
}

void Checker::written(const char* begin, std::size_t bytes) {
    initialisation_.written(begin, bytes);
}

void Checker::copied(const char* to, const char* from, std::size_t bytes) {
    initialisation_.copied(to, from, bytes);
}

std::size_t Checker::shadow_bytes(const char* begin, std::size_t bytes) {
    const ShadowRegion* const device = shadows_.device(begin);
    return device ? device->resident_bytes(begin, bytes) : 0;
}

std::size_t shadow_bytes(const void* begin, std::size_t bytes) {
    const std::lock_guard lock(api_mutex());
    return observed() ? checker().shadow_bytes(static_cast<const char*>(begin), bytes) : 0;
}

}  // namespace kit::cpu

/// The function that the compiler calls first in every program built with -fsanitize=thread.
extern "C" void __tsan_init() {
    if (kit::cpu::wanted()) kit::cpu::observe(kit::cpu::checker());
}
