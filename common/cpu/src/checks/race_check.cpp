// Compares each access with the records in the cells of its bytes.
#include "race_check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "run/grid.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

void RaceCheck::kernel_begins(const Grid& grid) {
    grid_clock_ = latest_ = 0;
    const Schedule& how =
        grid.schedule;  // a thread that does not wait can read one of two values; other schedules show the
                        // other value
    loads_read_older_ = how.order == Order::forward || (how.order == Order::random && how.seed % 2 == 0);
    waits_left_ = std::min<std::uint64_t>(4 * grid.blocks + 64, 512);
    numbers_ = std::make_shared<BlockNumbers>(grid.blocks);
    start_work({WorkItem::Kind::kernel, grid.launch.name, work_now(), grid.launch.grid, grid.launch.block,
                launch_node_now(), numbers_, nullptr, grid.launch.device});
    if (!work_.releases_matter()) sync_vars_.clear();
}

void RaceCheck::kernel_paused(const Grid& grid) {
    const WorkId id = work_.current();
    paused_.insert_or_assign(&grid, Paused{work_.item(id), id, forgotten_, numbers_, grid_clock_, latest_,
                                           waits_left_, loads_read_older_});
}

void RaceCheck::kernel_resumed(const Grid& grid) {
    const auto node = paused_.extract(&grid);
    const Paused& paused = node.mapped();
    if (paused.forgotten == forgotten_)
        work_.resume(paused.id);
    else
        start_work(paused.item);
    numbers_ = paused.numbers;
    grid_clock_ = paused.grid_clock;
    latest_ = paused.latest;
    waits_left_ = paused.waits_left;
    loads_read_older_ = paused.loads_read_older;
}

void RaceCheck::start_work(WorkItem item) {
    if (work_.start(item)) return;
    shadows_.clear_records();
    sync_vars_.clear();
    host_acquired_.reset();
    work_.forget();
    ++forgotten_;
    host_work_ = 0;
    work_.start(std::move(item));
}

void RaceCheck::block_begins(const Block& block) {
    BlockChecks& checks = checks_of(block);
    const auto number = static_cast<std::uint32_t>(block.linear_index() % most_blocks);
    checks.clocks.start(numbers_.get(), number, block.threads(), grid_clock_);
    if (const VectorClockPtr acquired = work_.acquired_at_start()) checks.clocks.begin_with(acquired);
    checks.barriers.start();
    checks.copies.start();
    checks.puts = {};
    checks.used_by_cluster = false;
    if (++checks.shared_id == most_work_ids) {
        checks.shared_id = 1;
        checks.shared.clear_records();
    }
}

void RaceCheck::access(const Block& block, const Target& target, const Access& access) {
    BlockClocks& clocks = checks_of(block).clocks;
    const unsigned rank = block.rank();
    const std::uint64_t last_sync = access.atomic ? clocks.last_sync(rank) : 0;
    if (access.sequential)
        clocks.fence(rank, access.scope);
    else if (access.releases)
        clocks.step(rank);
    const bool talks_to_host = access.is_volatile && target.memory == Target::Memory::host;
    const std::uint32_t site =
        access.place ? sites_.number(*access.place) : sites_.number(access.instruction);
    const Record now = make_record(
        access.write, access.atomic || talks_to_host, talks_to_host ? Scope::system : access.scope,
        clocks.number() & (most_blocks - 1), rank, std::min(clocks.clock(rank), most_clock), site);
    if (access.atomic) sites_.note_atomic(site, access.bytes);
    if (access.discards) sites_.note_discard(site);
    const bool shared = target.is_shared();
    check_cells(*target.region,
                {&block, clocks, now, shared ? checks_of(*target.holder).shared_id : work_.current(),
                 shared ? nullptr : &work_},
                access);
    if (access.atomic) synchronize(rank, clocks, access, sync_var_at(target, access.address), last_sync);
    if (talks_to_host) {
        Access relaxed = access;
        relaxed.read = !access.write;
        relaxed.scope = Scope::system;
        clocks.atomic(rank, relaxed, sync_var_at(target, access.address));
    }
    if (access.signal) signal_sent(block, target, access, now);
}

void RaceCheck::check_whole(const Block& block, const Target& target, const char* address, unsigned bytes,
                            const Record& now, WorkId id) {
    Access access;
    access.address = address;
    access.bytes = bytes;
    access.write = now.write;
    check_cells(*target.region,
                {&block, checks_of(block).clocks, now, id, target.is_shared() ? nullptr : &work_}, access);
}

void RaceCheck::synchronize(unsigned rank, BlockClocks& clocks, const Access& access, SyncVar& variable,
                            std::uint64_t last_sync) {
    if (access.older && loads_read_older_ && clocks.may_read_older(rank, access, variable, last_sync)) {
        variable.readers_of_older.insert(
            thread_key(clocks.number(), rank));  // the thread waits only once, because its next load acquires
        std::memcpy(access.older->bytes, variable.older_value, access.bytes);
        access.older->given = true;
        return;
    }
    if (access.write) std::memcpy(variable.older_value, access.address, std::min(access.bytes, 8u));
    clocks.atomic(rank, access, variable);
    // The thread's steps after this update get a later clock, because a release by the update does not order
    // them (a thread that has taken a lock).
    if (access.releases || (access.acquires && access.read && access.write)) clocks.step(rank);
}

/// Returns whether the thread should wait: if no thread has written this address yet, threads that may write
/// it run first. One more block can start during each wait.
bool RaceCheck::should_wait(const Target& target, const Access& access) {
    if (!waits_left_ || sync_var_at(target, access.address).last_write.block != ~0u) return false;
    --waits_left_;
    return true;
}

/// Returns the synchronization variable of an address. A variable in shared memory belongs to one block. A
/// variable in other memory exists longer than its kernel: a later kernel that acquires it is ordered after
/// the accesses that its clock covers.
SyncVar& RaceCheck::sync_var_at(const Target& target, const char* address) {
    SyncVar& variable = sync_vars_[address];
    const WorkId kernel = work_.current();
    const std::uint32_t holder = target.is_shared() ? target.holder->linear_index() + 1 : 0;
    if (variable.kernel == kernel && variable.holder == holder) return variable;
    /// Returns a clock of the last kernel as a clock of this one.
    const auto of_last_kernel = [&](const VectorClockPtr& clock) {
        VectorClockPtr released;
        if (!clock || holder || variable.holder) return released;
        released = std::make_shared<VectorClock>();
        const auto last = std::make_shared<VectorClock>(*clock);
        released->kernels = std::exchange(last->kernels, {});
        if (const VectorClockPtr before = released->kernels[variable.kernel]) last->join(*before);
        released->kernels[variable.kernel] = last;
        if (const auto own = released->kernels.find(kernel); own != released->kernels.end())
            released->join(VectorClock(*own->second));  // the clock of a kernel that was paused and continues
        return released;
    };
    const VectorClockPtr released = of_last_kernel(variable.released),
                         to_host = of_last_kernel(variable.released_to_host);
    variable = {};
    variable.released = released;
    variable.released_to_host = to_host;
    variable.of_host = target.memory == Target::Memory::host;
    variable.holder = holder;
    variable.kernel = kernel;
    return variable;
}

inline void RaceCheck::check_cell(Cell& cell, const char* address, const CheckedAccess& checked,
                                  const Access& access) {
    if (cell.only(checked.id)) {
        const Record earlier = check_race(cell, checked.now, checked.clocks, sites_);
        if (__builtin_expect(earlier.valid, false))
            note_race(checked, access, address, earlier, work_.current());
        return;
    }
    const UnorderedRecords others(cell, checked.id, checked.other_work, checked.clocks, checked.now);
    const Record earlier = check_race(cell, checked.now, checked.clocks, sites_);
    others.keep(cell);
    WorkId made_by = work_.current();
    const Record unordered = others.race(checked.now, sites_, made_by);
    if (unordered.valid) note_race(checked, access, address, unordered, made_by);
    if (earlier.valid) note_race(checked, access, address, earlier, work_.current());
}

void RaceCheck::check_cells(ShadowRegion& region, const CheckedAccess& checked, const Access& access) {
    if (checked.other_work && checked.other_work->any()) {
        if (const CopiedRange* copy =
                checked.other_work->racing_copy(access.address, access.bytes, access.write)) {
            Record earlier{};
            earlier.valid = 1;
            earlier.write = copy->write;
            earlier.site = copy->site;
            mistakes_.race(checked.block, std::max(access.address, copy->begin), 1,
                           {&work_.item(work_.current()), checked.now}, {&work_.item(copy->id), earlier});
        }
    }
    const bool forgets = !(checked.other_work && checked.other_work->records_matter());
    const char* const end = access.address + access.bytes;
    for (const char* address = access.address; address < end;) {
        const auto in_word = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % 4);
        const auto bytes = static_cast<unsigned>(std::min<std::ptrdiff_t>(4 - in_word, end - address));
        Cell& word = region.word(address);
        if (forgets && !word.only(checked.id))
            region.clear_word(address, checked.id);  // the records belong to earlier work and are no longer
                                                     // needed
        if (bytes == 4 && word.state() == State::whole) {
            check_cell(word, address, checked, access);
        } else {
            Cell* const cells = word.state() == State::whole ? region.split(address) : region.bytes(address);
            for (unsigned i = 0; i < bytes; ++i) check_cell(cells[in_word + i], address + i, checked, access);
        }
        address += bytes;
    }
}

/// Records a race. For two plain writes by kernels, the values are compared after the second write
/// (PendingRace). Two threads that initialize the same barrier always race, because other threads may arrive
/// before the second one initializes it.
void RaceCheck::note_race(const CheckedAccess& checked, const Access& access, const char* address,
                          const Record& earlier, WorkId made_by) {
    const Record& now = checked.now;
    const WorkId id = work_.current();
    if (checked.block && now.write && earlier.write && !now.atomic && !earlier.atomic && !checked.copy &&
        !access.of_barrier && !is_copy(earlier, made_by)) {
        pending_ = {checked.block, access, now, earlier, id, made_by, {}};
        std::memcpy(pending_.before, access.address, access.bytes);
    } else {
        const auto width = static_cast<std::size_t>(access.address + access.bytes - address);
        mistakes_.race(checked.block, address, width, {&work_.item(id), now, true},
                       {&work_.item(made_by), earlier});
    }
}

void RaceCheck::allocated(const char* begin, std::size_t bytes) {
    ShadowRegion* const region = shadows_.device(begin);
    if (!region) return;
    for (const char* address = begin; address < begin + bytes; address += 4) {
        const Cell& cell = region->word(address);
        if (cell.write_work || cell.read_work || cell.far_work) region->clear_word(address, work_.current());
    }
}

void RaceCheck::settle_writes() {
    const Block& block = *std::exchange(pending_.block, nullptr);
    if (std::memcmp(pending_.before, pending_.access.address, pending_.access.bytes) != 0)
        mistakes_.race(&block, pending_.access.address, pending_.access.bytes,
                       {&work_.item(pending_.id), pending_.now},
                       {&work_.item(pending_.earlier_id), pending_.earlier});
}

}  // namespace kit::cpu
