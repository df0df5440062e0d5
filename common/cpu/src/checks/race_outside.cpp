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
    }
    Record now{};
    now.valid = 1;
    now.write = access.write;
    now.atomic = access.atomic || access.is_volatile;
    now.scope = static_cast<unsigned>(Scope::system);
    now.site = sites_.number(access.instruction);
    if (access.atomic) sites_.note_atomic(now.site & (most_sites - 1), access.bytes);
    // Looked up again, because start_work() may have created the shadow again.
    ShadowRegion& region = *shadows_.host_piece(access.address);
    check_cells(region, {nullptr, host_clocks_, now, host_work_, &work_}, access);
    mistakes_.report();
}

}  // namespace kit::cpu
