// One access: where does it go, may it, and whom does it meet there?
#include "checker.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/executor.hpp>
#include <utility>

#include "device/constants.hpp"
#include "memory/memory.hpp"
#include "run/builtin_variables.hpp"
#include "run/cluster.hpp"
#include "run/grid.hpp"
#include "run/stream.hpp"
#include "run/worker.hpp"
#include "trace.hpp"
#include "words/symbols.hpp"

namespace kit::cpu {
namespace {

bool wanted() {
    const char* text = std::getenv("KIT_CHECKS");
    return !text || std::strcmp(text, "0") != 0;
}

/// The built-in variables and the executor's own thread-local data.
bool is_thread_local(const char* address) {
    const char* const anchor = reinterpret_cast<const char*>(&thread_index);
    return static_cast<std::size_t>(address - anchor + 1024) < 2048;
}

std::string bytes_in_words(unsigned bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string hexadecimal_address(const char* address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx",
                  static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address)));
    return text;
}

/// Nobody writes the padding of a struct, and a copy reads it. What follows a written byte within 8 bytes may be padding.
bool is_written_but_for_padding(const ShadowRegion& region, const Access& access) {
    for (unsigned i = 0; i < access.bytes; i += 8)
        if (!region.initialised(access.address + i, 1)) return false;
    return true;
}

}  // namespace

Checker& checker() {
    static Checker& only = *new Checker;
    return only;
}

BlockChecks& checks_of(const Block& block) {
    return static_cast<BlockChecks&>(*block.notes);
}

void Checker::kernel_begins(const Grid& grid) {
    forget_pieces();
    atomic_places_.clear();
    grid_clock_ = latest_ = 0;
    numbers_ = std::make_shared<BlockNumbers>(grid.blocks);
    begin_work({Actor::Kind::kernel, grid.launch.name, work_now(), grid.launch.grid, grid.launch.block,
                descent_now(), numbers_});
}

void Checker::kernel_ended() {
    settle();
}

void Checker::family_ended() {
    mistakes_.report();
}

NotesPtr Checker::family_begins() {
    return new_family();
}

/// A tail launch sees everything, so that it does not matter where its parent stands.
NotesPtr Checker::child_launched(const ChildLaunch& launch) {
    LaunchPoint seen;
    if (!launch.tail) {
        settle();
        const Block& block = *this_worker->block;
        seen = checks_of(block).clocks.launch(block.rank());
    }
    return new_descent(launch, std::move(seen));
}

void Checker::block_begins(Block& block) {
    const SharedArena& shared = block.shared();
    if (block.notes)
        checks_of(block).shared.set_initialised(shared.begin(), shared.extent(), false);
    else
        block.notes = std::make_shared<BlockChecks>(shared.begin(), SharedArena::capacity);
    BlockChecks& checks = checks_of(block);
    checks.clocks.start(numbers_.get(), static_cast<std::uint32_t>(block.linear_index() % most_blocks),
                        block.threads(), grid_clock_);
    checks.barriers.start();
    checks.undefined.clear();
    checks.has_visitors = false;
    if (++checks.owner == most_owners) {
        checks.owner = 1;
        checks.shared.clear_records();
    }
}

ShadowRegion* Checker::device() {
    if (!device_ && device_range().end)
        device_ = std::make_unique<ShadowRegion>(
            device_range().begin, static_cast<std::size_t>(device_range().end - device_range().begin));
    return device_.get();
}

void Checker::refuse(Worker& worker, const Access& access, int error, const char* kind,
                     const std::string& what) {
    const Place place = sites_.place(sites_.number(access.instruction));
    const std::string text = running_thread_name() + (access.write ? " writes " : " reads ") +
                             bytes_in_words(access.bytes) + " at " + describe(place) + ": " + what;
    settle();
    mistakes_.report();
    (void)worker;
    stop_kernel(error, kind, text.c_str(), place);
}

/// Memory of the process that is not the executor's own.
bool Checker::is_host_memory(const char* address) const {
    for (const ShadowRegion* region : {device_.get(), program_.get()})
        if (region && region->lies_in(address)) return false;
    unsigned char present = 0;
    const auto page = reinterpret_cast<std::uintptr_t>(address) / 4096 * 4096;
    return mincore(reinterpret_cast<void*>(page), 1, &present) == 0;
}

/// A `__device__` or `__constant__` variable. That one ends where the next begins is not seen.
void Checker::check_variable(Worker& worker, const Access& access) {
    const char* const end = access.address + access.bytes;
    if (access.address < recent_variable_.begin || end > recent_variable_.end) {
        recent_variable_ = variable_range(access.address);
        if (!recent_variable_.end || end > recent_variable_.end)
            refuse(worker, access, cudaErrorIllegalAddress, "address",
                   "out of bounds, " +
                       variable_before(recent_variable_.end ? recent_variable_.end : access.address));
        in_constant_ = is_constant(access.address);
    }
    if (access.write && in_constant_)
        refuse(worker, access, cudaErrorIllegalAddress, "constant",
               "this is " + variable_at(access.address) +
                   ", a __constant__ variable: kernels can only read it, the host writes it with "
                   "cudaMemcpyToSymbol");
}

/// The shadow of the memory that the access goes to; null when it needs no check. Does not return for a bad address.
ShadowRegion* Checker::find_region(Worker& worker, const Access& access) {
    const char* const address = access.address;
    Block& block = *worker.block;
    BlockChecks& checks = checks_of(block);
    holder_ = nullptr;
    if (checks.shared.holds(address)) {
        holder_ = &block;
        if (!block.shared().owns(address, access.bytes))
            refuse(worker, access, cudaErrorIllegalAddress, "address",
                   "out of bounds, " + block.shared().describe(address));
        return &checks.shared;
    }
    constexpr std::ptrdiff_t near = 64 * 1024;
    if (address < block.shared().begin() && block.shared().begin() - address < near)
        refuse(worker, access, cudaErrorIllegalAddress, "address",
               "out of bounds, " + std::to_string(block.shared().begin() - address) +
                   " bytes before the shared memory of the block");
    if (in_device_range(address)) {
        if (!recent_.holds(address, access.bytes)) std::swap(recent_, recent_before_);
        if (!recent_.holds(address, access.bytes)) {
            recent_ = find_piece(address);
            if (!recent_.holds(address, access.bytes))
                refuse(worker, access, cudaErrorIllegalAddress, "address",
                       "out of bounds, " + describe_memory(recent_.end ? recent_.end : address));
        }
        return device();
    }
    if (const Cluster* cluster = block.cluster_or_null())
        if (Block* neighbour = cluster->holder(address)) return check_neighbour(worker, access, *neighbour);
    if (const ProgramImage& image = program_image(); image.holds(address)) {
        if (address < image.variables) return nullptr;  // constants of the program
        check_variable(worker, access);
        if (!program_)
            program_ = std::make_unique<ShadowRegion>(image.variables,
                                                      static_cast<std::size_t>(image.end - image.variables));
        return program_.get();
    }
    if (is_thread_local(address)) return nullptr;
    if (reinterpret_cast<std::uintptr_t>(address) < 65536) return nullptr;  // a null pointer: the fault tells
    if (const Allocation* piece = find_allocation(address)) {               // managed or pinned
        if (address + access.bytes > piece->begin + piece->bytes)
            refuse(worker, access, cudaErrorIllegalAddress, "address",
                   "out of bounds, " + describe_memory(piece->begin + piece->bytes));
        return find_host_piece(address);
    }
    if (worker.fibers.owns(address)) return nullptr;  // another thread's local memory
    if (!is_host_memory(address)) {
        refuse(worker, access, cudaErrorIllegalAddress, "address",
               "nothing is allocated at " + hexadecimal_address(address) +
                   ": did an index overflow, or was the pointer never set?");
    }
    refuse(worker, access, cudaErrorIllegalAddress, "host_pointer",
           "this is host memory, which a kernel cannot use: allocate with cudaMalloc, copy with cudaMemcpy, "
           "pass the device "
           "pointer");
}

void Checker::fence(Worker& worker, Scope scope) {
    checks_of(*worker.block).clocks.fence(worker.block->rank(), scope);
}

/// A store of as many bytes as a shuffle hands over, by a thread that has taken an undefined value.
void Checker::expect_value(const Block& block, ShadowRegion& region, const Access& access) {
    pending_store_ = {&block, &region, block.rank(), access, {}};
    std::memcpy(pending_store_.before, access.address, access.bytes);
}

/// Undefined bytes count as not written: whoever uses them is told.
void Checker::settle_store() {
    const Block& block = *std::exchange(pending_store_.block, nullptr);
    const Access& access = pending_store_.access;
    const UndefinedLane* const lane =
        checks_of(block).undefined.stored(pending_store_.rank, access, pending_store_.before);
    if (!lane) return stored_undefined_.forget(access.address, access.bytes);
    pending_store_.region->set_initialised(access.address, access.bytes, false);
    stored_undefined_.add(access.address, *lane);
    add_remark({"warp",
                "warp: " + block.thread_name(pending_store_.rank) + " of " + block.block_name() + " of `" +
                    block.grid().launch.name + "` stores at " +
                    describe(sites_.place(sites_.number(access.instruction))) + " " + describe(*lane),
                lane->place});
}

void Checker::settle() {
    if (pending_store_.block) settle_store();
    if (!pending_.block) return;
    const Block& block = *std::exchange(pending_.block, nullptr);
    if (std::memcmp(pending_.before, pending_.access.address, pending_.access.bytes) != 0)
        mistakes_.race(&block, pending_.access.address, {&strangers_.actor(pending_.owner), pending_.now},
                       {&strangers_.actor(pending_.earlier_owner), pending_.earlier});
}

void Checker::access(Worker& worker, const Access& access) {
    settle();
    const bool update_begins = access.atomic && std::exchange(worker.atomic_begins, false);
    const Fiber& fiber = *worker.fiber;
    if (access.address >= fiber.stack_low && access.address < fiber.stack_high) return;  // local variables
    ShadowRegion* region = find_region(worker, access);
    if (!region) return;
    if (reinterpret_cast<std::uintptr_t>(access.address) % access.bytes != 0 && access.natural) {
        refuse(worker, access, cudaErrorMisalignedAddress, "misaligned",
               "misaligned: the address of " + name_address(worker.block, access.address) +
                   " is not a multiple of " + std::to_string(access.bytes));
    }
    if (!update_begins) count(worker, region, access);
    if (Trace& traced = trace(); traced.on && !holder_ && worker.block->linear_index() == traced.block &&
                                 worker.block->rank() == traced.rank)
        traced.seen.push_back({access.address, access.bytes, access.write});
    if (region == device_.get() || holder_) {
        if (access.write && !(access.atomic && access.read)) {
            region->set_initialised(access.address, access.bytes, true);
        } else if (!(access.whole ? is_written_but_for_padding(*region, access)
                                  : region->initialised(access.address, access.bytes))) {
            mistakes_.uninitialised(*worker.block, access, stored_undefined_.at(access.address));
            region->set_initialised(access.address, access.bytes, true);
        }
    }
    Block& block = *worker.block;
    Record now{};
    now.valid = 1;
    now.write = access.write;
    const bool shared_with_host = region != device_.get() && region != program_.get() && !holder_;
    const bool talks_to_host = access.is_volatile && shared_with_host;
    now.atomic = access.atomic || talks_to_host;
    now.scope = static_cast<unsigned>(talks_to_host ? Scope::system : access.scope);
    now.block = checks_of(block).clocks.number();
    now.rank = block.rank();
    now.clock = std::min(checks_of(block).clocks.clock(block.rank()), most_clock);
    now.site = sites_.number(access.instruction);
    check_cells(*region,
                {&block, checks_of(block).clocks, now,
                 holder_ ? checks_of(*holder_).owner : strangers_.current(), holder_ ? nullptr : &strangers_},
                access);
    if (access.write && (access.bytes == 4 || access.bytes == 8) && (region == device_.get() || holder_) &&
        checks_of(*worker.block).undefined.any())
        expect_value(*worker.block, *region, access);
    if (access.atomic) note_atomic(worker, access, update_begins);
}

/// Loads and stores, for Counters. What else belongs to an atomic update is not counted here.
void Checker::count(Worker& worker, const ShadowRegion* region, const Access& access) {
    if (access.atomic && access.write && access.read) return;
    Counters& counters = worker.counters;
    if (holder_) {
        ++(access.write ? counters.shared_stores : counters.shared_loads);
    } else if (!(region == program_.get() && in_constant_)) {
        ++(access.write ? counters.global_stores : counters.global_loads);
        (access.write ? counters.global_bytes_stored : counters.global_bytes_loaded) += access.bytes;
    }
}

void Checker::shuffle_begins(const Block& block, ShuffleInput& input) {
    const UndefinedValues& undefined = checks_of(block).undefined;
    if (!undefined.any()) return;
    if (const UndefinedLane* origin = undefined.origin(block.rank(), input.value, input.size))
        input.brings = *origin;
}

void Checker::shuffle_ended(const Block& block, const ShuffleInput& input, const void* taken) {
    if (input.size == 4 || input.size == 8) checks_of(block).undefined.took(block.rank(), input, taken);
}

/// Passes messages on, and counts how many updates meet at this address.
void Checker::note_atomic(Worker& worker, const Access& access, bool update) {
    AtomicPlace& place = atomic_places_[access.address];
    checks_of(*worker.block).clocks.atomic(worker.block->rank(), access.scope, place.message);
    if (!update) return;
    const std::uint64_t holder = holder_ ? holder_->linear_index() + std::uint64_t{1} : 0;
    if (std::exchange(place.holder, holder) != holder) place.updates = 0;
    worker.counters.worst_contention = std::max(worker.counters.worst_contention, ++place.updates);
}

/// Two plain writes by kernels are judged when the second one is done, see PendingRace.
void Checker::note_race(const Visit& visit, const Access& access, const char* address, const Record& earlier,
                        Owner made_by) {
    const Record& now = visit.now;
    const Owner owner = strangers_.current();
    if (visit.block && now.write && earlier.write && !now.atomic && !earlier.atomic) {
        pending_ = {visit.block, access, now, earlier, owner, made_by, {}};
        std::memcpy(pending_.before, access.address, access.bytes);
    } else {
        mistakes_.race(visit.block, address, {&strangers_.actor(owner), now},
                       {&strangers_.actor(made_by), earlier});
    }
}

void Checker::check_cell(Cell& cell, const char* address, const Visit& visit, const Access& access) {
    if (cell.only(visit.owner)) {
        const Record earlier = check_race(cell, visit.now, visit.clocks);
        if (earlier.valid) note_race(visit, access, address, earlier, strangers_.current());
        return;
    }
    const StrangerRecords others(cell, visit.owner, visit.strangers);
    const Record earlier = check_race(cell, visit.now, visit.clocks);
    others.keep(cell);
    Owner made_by = strangers_.current();
    const Record strange = others.race(visit.now, made_by);
    if (strange.valid) note_race(visit, access, address, strange, made_by);
    if (earlier.valid) note_race(visit, access, address, earlier, strangers_.current());
}

void Checker::check_cells(ShadowRegion& region, const Visit& visit, const Access& access) {
    const bool strange = visit.strangers && visit.strangers->any();
    if (strange) {
        if (const CopiedRange* copy =
                visit.strangers->meets_copy(access.address, access.bytes, access.write)) {
            Record earlier{};
            earlier.valid = 1;
            earlier.write = copy->write;
            earlier.site = copy->site;
            mistakes_.race(visit.block, std::max(access.address, copy->begin),
                           {&strangers_.actor(strangers_.current()), visit.now},
                           {&strangers_.actor(copy->owner), earlier});
        }
    }
    for (const char* address = access.address; address < access.address + access.bytes;) {
        const auto in_word = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % 4);
        const auto bytes = static_cast<unsigned>(
            std::min<std::ptrdiff_t>(4 - in_word, access.address + access.bytes - address));
        Cell& word = region.word(address);
        if (!(visit.strangers && visit.strangers->records_matter()) && !word.only(visit.owner))
            region.clear_word(address, visit.owner);  // what earlier work has left tells nothing
        if (bytes == 4 && word.state() == State::whole) {
            check_cell(word, address, visit, access);
        } else {
            Cell* const cells = word.state() == State::whole ? region.split(address) : region.bytes(address);
            for (unsigned i = 0; i < bytes; ++i) check_cell(cells[in_word + i], address + i, visit, access);
        }
        address += bytes;
    }
}

}  // namespace kit::cpu

/// The compiler lets every program that it compiles for checking call this first.
extern "C" void __tsan_init() {
    if (kit::cpu::wanted()) kit::cpu::observe(kit::cpu::checker());
}
