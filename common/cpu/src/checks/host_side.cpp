// What happens outside of kernels to memory that kernels use: allocation, copies, and host code that does not wait.
#include <algorithm>
#include <kit_cpu/executor.hpp>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "device/lock.hpp"
#include "memory/memory.hpp"
#include "run/stream.hpp"
#include "run/worker.hpp"

namespace kit::cpu {

void Checker::clear_cells() {
    for (ShadowRegion* region : {device_.get(), program_.get()})
        if (region) region->clear_records();
    host_pieces_.clear();
}

void Checker::forget_records() {
    clear_cells();
    strangers_.forget();
    host_owner_ = 0;
}

void Checker::begin_work(Actor actor) {
    if (strangers_.begin(actor)) return;
    forget_records();
    strangers_.begin(std::move(actor));
}

std::size_t Checker::shadow_bytes(const char* begin, std::size_t bytes) {
    return device() && device_->holds(begin) ? device_->resident_bytes(begin, bytes) : 0;
}

std::size_t shadow_bytes(const void* begin, std::size_t bytes) {
    const std::lock_guard lock(api_mutex());
    return observed() ? checker().shadow_bytes(static_cast<const char*>(begin), bytes) : 0;
}

ShadowRegion* Checker::find_host_piece(const char* address) {
    const Allocation* const piece = find_allocation(address);
    if (!piece || piece->kind == MemoryKind::device) return nullptr;
    auto& region = host_pieces_[piece->begin];
    // Memory that was freed may have been given out again, as a larger piece.
    if (!region || !region->holds(piece->begin + piece->bytes - 1))
        region = std::make_unique<ShadowRegion>(piece->begin, piece->bytes);
    return region.get();
}

void Checker::allocated(const char* begin, std::size_t bytes) {
    stored_undefined_.forget(begin, bytes);
    if (device() && device_->holds(begin)) device_->set_initialised(begin, bytes, false);
}

void Checker::written(const char* begin, std::size_t bytes) {
    if (device() && device_->holds(begin)) return device_->set_initialised(begin, bytes, true);
    if (!in_kernel()) return;
    ShadowRegion& shared = checks_of(*this_worker->block).shared;
    if (shared.holds(begin)) shared.set_initialised(begin, bytes, true);
}

void Checker::copied(const char* to, const char* from, std::size_t bytes) {
    const bool to_device = device() && device_->holds(to), from_device = device() && device_->holds(from);
    if (to_device && from_device) return device_->copy_initialised(to, from, bytes);
    if (to_device) {
        device_->set_initialised(to, bytes, true);
        for (std::size_t i = 0; unwritten_.any() && i < bytes; ++i)
            if (unwritten_.origin(from + i, 1)) device_->set_initialised(to + i, 1, false);
        return;
    }
    unwritten_.forget(to, bytes);
    if (!from_device || device_->initialised(from, bytes)) return;
    for (std::size_t i = 0; i < bytes;) {
        const std::size_t first = i;
        while (i < bytes && !device_->initialised(from + i, 1)) ++i;
        const UndefinedLane* const lane = stored_undefined_.at(from + first);
        if (i > first)
            unwritten_.add(to + first, i - first,
                           {describe_memory(from + first), lane ? *lane : UndefinedLane{}});
        else
            ++i;
    }
}

void Checker::touches(const RowsTouched& rows) {
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
void Checker::check_copied_row(const Actor& actor, const CopiedRange& row) {
    Record now{};
    now.valid = 1;
    now.write = row.write;
    now.site = row.site;
    const auto bytes = static_cast<std::size_t>(row.end - row.begin);
    if (const CopiedRange* other = strangers_.meets_copy(row.begin, bytes, row.write)) {
        Record earlier = now;
        earlier.write = other->write;
        earlier.site = other->site;
        mistakes_.race(nullptr, std::max(row.begin, other->begin), {&actor, now},
                       {&strangers_.actor(other->owner), earlier});
        return;
    }
    ShadowRegion* const region =
        device() && device_->holds(row.begin) ? device_.get() : find_host_piece(row.begin);
    if (!region) return;
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
            mistakes_.race(nullptr, address, {&actor, now}, {&strangers_.actor(owner), earlier});
            return;
        }
    }
}

void Checker::host_access(const Access& access) {
    const std::unique_lock lock(api_mutex(), std::try_to_lock);
    if (!lock) return;  // another thread waits for the device: nothing can be told without stopping it
    if (unwritten_.any()) {
        const UnwrittenCopies::Origin* const origin = unwritten_.origin(access.address, access.bytes);
        if (origin && (access.atomic ? access.read : !access.write)) {
            mistakes_.uninitialised_on_host(access.instruction, *origin);
            mistakes_.report();
        }
        if (origin) unwritten_.forget(access.address, access.bytes);
    }
    ShadowRegion* const region = work_is_pending() ? find_host_piece(access.address) : nullptr;
    if (!region) return;
    WorkStamp stamp = work_now();
    if (strangers_.current() != host_owner_ || stamp.id != host_stamp_.id ||
        stamp.before != host_stamp_.before) {
        host_stamp_ = stamp;
        begin_work({Actor::Kind::host, "host code", std::move(stamp), {}, {}});
        host_owner_ = strangers_.current();
        host_clocks_.start(nullptr, 0, 1, 0);
    }
    Record now{};
    now.valid = 1;
    now.write = access.write;
    now.atomic = access.atomic || access.is_volatile;
    now.scope = static_cast<unsigned>(Scope::system);
    now.site = sites_.number(access.instruction);
    check_cells(*region, {nullptr, host_clocks_, now, host_owner_, &strangers_}, access);
    mistakes_.report();
}

}  // namespace kit::cpu
