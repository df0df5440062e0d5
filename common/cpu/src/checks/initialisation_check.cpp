// Checks reads of uninitialized memory with one bit per byte: writes and copies set the bit, and reads test
// it.
#include "initialisation_check.hpp"

#include <cstring>
#include <utility>

#include "block_checks.hpp"
#include "memory/buffers.hpp"
#include "run/grid.hpp"
#include "source/who.hpp"

namespace kit::cpu {
namespace {

/// Returns whether all bytes of the access are written, except for padding. A program does not write the
/// padding of a struct, but copying the struct reads it. Bytes that are within 8 bytes after a written byte
/// may be padding.
bool is_written_but_for_padding(const ShadowRegion& region, const Access& access) {
    for (unsigned i = 0; i < access.bytes; i += 8)
        if (!region.initialised(access.address + i, 1)) return false;
    return true;
}

bool is_written(const ShadowRegion& region, const Access& access) {
    return access.whole ? is_written_but_for_padding(region, access)
                        : region.initialised(access.address, access.bytes);
}

/// Returns whether a value of this size can come from a shuffle.
bool is_of_shuffled_size(const Access& access) {
    return access.bytes == 4 || access.bytes == 8;
}

}  // namespace

void InitialisationCheck::access(const Block& block, const Target& target, const Access& access) {
    if (!target.has_history()) return;
    ShadowRegion& region = *target.region;
    if (access.discards) return discard(region, access);
    if (access.write && (!(access.atomic && access.read) || access.drops_old)) {
        region.set_initialised(access.address, access.bytes, true);
    } else if (!is_written(region, access) && !may_be_written_unseen(access.address)) {
        const char* unwritten = access.address;
        while (region.initialised(unwritten, 1) && unwritten + 1 < access.address + access.bytes) ++unwritten;
        mistakes_.uninitialised(block, access, stored_undefined_.at(access.address),
                                discarded_.at(access.address), checks_of(block).copies.short_of(unwritten));
        region.set_initialised(access.address, access.bytes, true);
    }
    if (access.write && is_of_shuffled_size(access) && checks_of(block).undefined.any()) {
        pending_ = {&block, &region, block.rank(), access, {}};
        std::memcpy(pending_.before, access.address, access.bytes);
    }
}

void InitialisationCheck::discard(ShadowRegion& region, const Access& access) {
    region.set_initialised(access.address, access.bytes, false);
    stored_undefined_.forget(access.address, access.bytes);
    discarded_.add(access.address, access.bytes, sites_.number(access.instruction));
}

/// Marks the bytes of an undefined value as not written, so that their use is reported.
void InitialisationCheck::settle_store() {
    const Block& block = *std::exchange(pending_.block, nullptr);
    const Access& access = pending_.access;
    const UndefinedLane* const lane =
        checks_of(block).undefined.stored(pending_.rank, access, pending_.before);
    if (!lane) return stored_undefined_.forget(access.address, access.bytes);
    pending_.region->set_initialised(access.address, access.bytes, false);
    stored_undefined_.add(access.address, *lane);
    const Place place = sites_.place(sites_.number(access.instruction));
    add_remark(why_unwritten(facts::Rule::undefined_store, place, lane, {}).by(block.who(pending_.rank)));
}

void InitialisationCheck::landed(ShadowRegion& to, const ShadowRegion* from, const AsyncCopy& copy) {
    to.set_initialised(copy.to, copy.bytes + copy.zeros, true);
    if (!from || from->initialised(copy.from, copy.bytes) || may_be_written_unseen(copy.from)) return;
    for (std::size_t i = 0; i < copy.bytes; ++i)
        if (!from->initialised(copy.from + i, 1)) to.set_initialised(copy.to + i, 1, false);
}

void InitialisationCheck::host_access(const Access& access) {
    if (!unwritten_.any()) return;
    const UnwrittenCopies::Origin* const origin = unwritten_.origin(access.address, access.bytes);
    if (!origin) return;
    if (access.atomic ? access.read : !access.write) {
        mistakes_.uninitialised_on_host(access.instruction, *origin);
        mistakes_.report();
    }
    unwritten_.forget(access.address, access.bytes);
}

bool InitialisationCheck::may_be_written_unseen(const char* address) {
    if (!unseen_until_ || !shadows_.device(address)) return false;
    const Allocation* const allocation = find_allocation(address);
    return allocation && allocation->born <= unseen_until_;
}

void InitialisationCheck::used(const RowsTouched& rows) {
    ShadowRegion* const region = shadows_.device(static_cast<const char*>(rows.begin));
    if (!region || may_be_written_unseen(static_cast<const char*>(rows.begin))) return;
    bool told = false;
    for (std::size_t row = 0; row < rows.height; ++row) {
        const char* unwritten = static_cast<const char*>(rows.begin) + row * rows.pitch;
        if (region->initialised(unwritten, rows.width)) continue;
        if (!told) {
            while (region->initialised(unwritten, 1)) ++unwritten;
            const std::uint32_t discarded = discarded_.at(unwritten);
            add_finding(why_unwritten(facts::Rule::unwritten, rows.place, stored_undefined_.at(unwritten),
                                      discarded ? sites_.place(discarded) : Place{})
                            .by(caller_of(rows.what))
                            .on(place_of_memory(unwritten)));
            told = true;
        }
        region->set_initialised(static_cast<const char*>(rows.begin) + row * rows.pitch, rows.width, true);
    }
}

void InitialisationCheck::allocated(const char* begin, std::size_t bytes) {
    stored_undefined_.forget(begin, bytes);
    discarded_.forget(begin, bytes);
    if (ShadowRegion* const device = shadows_.device(begin)) device->set_initialised(begin, bytes, false);
}

void InitialisationCheck::written(const char* begin, std::size_t bytes) {
    if (ShadowRegion* const device = shadows_.device(begin))
        return device->set_initialised(begin, bytes, true);
    if (!in_kernel()) return;
    ShadowRegion& shared = checks_of(*this_worker->block).shared;
    if (shared.holds(begin)) shared.set_initialised(begin, bytes, true);
}

void InitialisationCheck::copied(const char* to, const char* from, std::size_t bytes) {
    ShadowRegion* const target = shadows_.device(to);
    ShadowRegion* const source = shadows_.device(from);
    const bool is_unseen = source && may_be_written_unseen(from);
    if (target && source && !is_unseen) return target->copy_initialised(to, from, bytes);
    if (target) {
        target->set_initialised(to, bytes, true);
        for (std::size_t i = 0; unwritten_.any() && i < bytes; ++i)
            if (unwritten_.origin(from + i, 1)) target->set_initialised(to + i, 1, false);
        return;
    }
    unwritten_.forget(to, bytes);
    if (!source || source->initialised(from, bytes) || is_unseen) return;
    for (std::size_t i = 0; i < bytes;) {
        const std::size_t first = i;
        while (i < bytes && !source->initialised(from + i, 1)) ++i;
        const UndefinedLane* const lane = stored_undefined_.at(from + first);
        const std::uint32_t discarded = discarded_.at(from + first);
        if (i > first)
            unwritten_.add(to + first, i - first,
                           {place_of_memory(from + first), lane ? *lane : UndefinedLane{},
                            discarded ? sites_.place(discarded) : Place{}});
        else
            ++i;
    }
}

}  // namespace kit::cpu
