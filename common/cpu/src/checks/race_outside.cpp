// Races of copies and host code. A copy or the host waits for other work only if the program makes it wait.
#include <algorithm>
#include <utility>

#include "race_check.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

void RaceCheck::touches(const RowsTouched& rows) {
    const LaunchNodePtr node = launch_node_now();
    if (!work_order().several_streams() && !work_.host_is_live() && !node) return;
    const WorkItem item{WorkItem::Kind::copy, rows.what, work_now(), {}, {}, node};
    start_work(item);
    for (std::size_t row = 0; row < rows.height; ++row) {
        const char* const first = static_cast<const char*>(rows.begin) + row * rows.pitch;
        const CopiedRange range{first, first + rows.width, rows.write, work_.current(),
                                sites_.number(rows.place)};
        if (work_.any()) check_copied_row(item, range);
        work_.add_copy(range);
    }
    if (!node) mistakes_.report();
}

/// Reports the first unordered access to the bytes of a copy.
void RaceCheck::check_copied_row(const WorkItem& item, const CopiedRange& row) {
    Record now{};
    now.valid = 1;
    now.write = row.write;
    now.site = row.site;
    const auto bytes = static_cast<std::size_t>(row.end - row.begin);
    if (const CopiedRange* other = work_.racing_copy(row.begin, bytes, row.write)) {
        Record earlier = now;
        earlier.write = other->write;
        earlier.site = other->site;
        mistakes_.race(nullptr, std::max(row.begin, other->begin), 1, {&item, now},
                       {&work_.item(other->id), earlier});
        return;
    }
    ShadowRegion* const device = shadows_.device(row.begin);
    ShadowRegion* const region = device ? device : shadows_.host_piece(row.begin);
    if (!region) return;
    const VectorClockPtr acquired = work_.acquired_at_start();
    for (const char* address = row.begin; address < row.end; ++address) {
        const Cell& word = region->word(address);
        const Cell& cell = word.state() == State::whole
                               ? word
                               : region->bytes(address)[reinterpret_cast<std::uintptr_t>(address) % 4];
        const std::pair<Record, WorkId> records[] = {
            {cell.write, cell.write_work}, {cell.read, cell.read_work}, {cell.far_read, cell.far_work}};
        for (const auto& [earlier, id] : records) {
            if (!earlier.valid || !work_.unordered(id, earlier) || !(earlier.write || now.write)) continue;
            if (acquired && acquired->covers(id, earlier)) continue;
            mistakes_.race(nullptr, address, 1, {&item, now}, {&work_.item(id), earlier});
            return;
        }
    }
}

void RaceCheck::host_access(const Access& access) {
    if (!shadows_.host_piece(access.address)) return;
    WorkStamp stamp = work_now();
    if (work_.current() != host_work_ || stamp.id != host_stamp_.id || stamp.before != host_stamp_.before) {
        host_stamp_ = stamp;
        start_work({WorkItem::Kind::host, "", std::move(stamp), {}, {}});
        host_work_ = work_.current();
        host_clocks_.start(nullptr, 0, 1, 0);
        host_clocks_.begin_with(host_acquired_);
    }
    const bool synchronizes = access.atomic || access.is_volatile;
    const Record now =
        make_record(access.write, synchronizes, Scope::system, host_clocks_.number(), 0,
                    std::min(host_clocks_.clock(0), most_clock), sites_.number(access.instruction));
    if (access.atomic) sites_.note_atomic(now.site & (most_sites - 1), access.bytes);
    // Looked up again, because start_work() may have created the shadow again.
    ShadowRegion& region = *shadows_.host_piece(access.address);
    check_cells(region, {nullptr, host_clocks_, now, host_work_, &work_}, access);
    mistakes_.report();
    if (synchronizes) host_synchronizes(access, region);
}

/// Orders the host after the kernel that has set a flag, and kernels after the host. The memory order of the host's access does
/// not matter: a load acquires, and a store releases.
void RaceCheck::host_synchronizes(const Access& access, ShadowRegion& region) {
    const SyncVar& before = sync_vars_[access.address];
    if (before.last_write.block != ~0u && before.kernel != host_work_) work_.flag_is_seen(before.kernel);
    SyncVar& variable = sync_var_at({Target::Memory::host, &region}, access.address);
    const bool reads = !access.write || (access.atomic && access.read);
    if (reads && variable.released_to_host) host_acquires(variable.released_to_host);
    if (!access.write) return;
    Access release = access;
    release.read = false;
    release.releases = true;
    release.scope = Scope::system;
    host_clocks_.step(0);
    synchronize(0, host_clocks_, release, variable, 0);
}

/// The host is ordered after the accesses that a kernel has released, and after the work that happens before that kernel.
void RaceCheck::host_acquires(const VectorClockPtr& released) {
    BlockClocks::join(host_acquired_, released);
    host_clocks_.acquire(0, released);
    for (const auto& [kernel, clock] : released->kernels) {
        const WorkStamp& stamp = work_.item(kernel).stamp;
        WorkClock before = stamp.before;
        if (!stamp.host) before[stamp.stream] = stamp.id - 1;  // the clock contains the kernel itself
        work_order().learn(before);
    }
}

}  // namespace kit::cpu
