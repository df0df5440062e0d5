// Copies and host code among those who race: they wait for nobody by themselves.
#include <algorithm>
#include <utility>

#include "race_check.hpp"
#include "run/stream.hpp"
#include "words/who_words.hpp"

namespace kit::cpu {

void RaceCheck::touches(const RowsTouched& rows) {
    const DescentPtr descent = descent_now();
    if (!work_order().several_streams() && !strangers_.host_is_live() && !descent) return;
    const Actor actor{Actor::Kind::copy, rows.what, work_now(), {}, {}, descent};
    begin_work(actor);
    for (std::size_t row = 0; row < rows.height; ++row) {
        const char* const first = static_cast<const char*>(rows.begin) + row * rows.pitch;
        const CopiedRange range{first, first + rows.width, rows.write, strangers_.current(),
                                sites_.number(rows.place)};
        if (strangers_.any()) check_copied_row(actor, range);
        strangers_.add_copy(range);
    }
    if (!descent) mistakes_.report();
}

/// Has anybody touched these bytes whom nothing keeps apart from the copy? One is enough to tell.
void RaceCheck::check_copied_row(const Actor& actor, const CopiedRange& row) {
    Record now{};
    now.valid = 1;
    now.write = row.write;
    now.site = row.site;
    const auto bytes = static_cast<std::size_t>(row.end - row.begin);
    if (const CopiedRange* other = strangers_.meets_copy(row.begin, bytes, row.write)) {
        Record earlier = now;
        earlier.write = other->write;
        earlier.site = other->site;
        mistakes_.race(nullptr, std::max(row.begin, other->begin), 1, {&actor, now},
                       {&strangers_.actor(other->owner), earlier});
        return;
    }
    ShadowRegion* const device = shadows_.device(row.begin);
    ShadowRegion* const region = device ? device : shadows_.host_piece(row.begin);
    if (!region) return;
    const KnowledgePtr heard = strangers_.known_at_begin();
    for (const char* address = row.begin; address < row.end; ++address) {
        const Cell& word = region->word(address);
        const Cell& cell = word.state() == State::whole
                               ? word
                               : region->bytes(address)[reinterpret_cast<std::uintptr_t>(address) % 4];
        const std::pair<Record, Owner> records[] = {
            {cell.write, cell.write_owner}, {cell.read, cell.read_owner}, {cell.far_read, cell.far_owner}};
        for (const auto& [earlier, owner] : records) {
            if (!earlier.valid || !strangers_.unordered(owner, earlier) || !(earlier.write || now.write))
                continue;
            if (heard && heard->covers(owner, earlier)) continue;
            mistakes_.race(nullptr, address, 1, {&actor, now}, {&strangers_.actor(owner), earlier});
            return;
        }
    }
}

void RaceCheck::host_access(const Access& access) {
    if (!shadows_.host_piece(access.address)) return;
    WorkStamp stamp = work_now();
    if (strangers_.current() != host_owner_ || stamp.id != host_stamp_.id ||
        stamp.before != host_stamp_.before) {
        host_stamp_ = stamp;
        begin_work({Actor::Kind::host, host_code(), std::move(stamp), {}, {}});
        host_owner_ = strangers_.current();
        host_clocks_.start(nullptr, 0, 1, 0);
    }
    Record now{};
    now.valid = 1;
    now.write = access.write;
    now.atomic = access.atomic || access.is_volatile;
    now.scope = static_cast<unsigned>(Scope::system);
    now.site = sites_.number(access.instruction);
    if (access.atomic) sites_.note_atomic(now.site & (most_sites - 1), access.bytes);
    ShadowRegion& region = *shadows_.host_piece(access.address);  // begin_work may have made it anew
    check_cells(region, {nullptr, host_clocks_, now, host_owner_, &strangers_}, access);
    mistakes_.report();
}

}  // namespace kit::cpu
