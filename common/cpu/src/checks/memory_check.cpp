// Finds the memory that contains an address. The order of the search is: shared memory, device memory, shared
// memory of another block, variables, managed and pinned memory.
#include "memory_check.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "block_checks.hpp"
#include "device/constants.hpp"
#include "device/devices.hpp"
#include "mistakes.hpp"
#include "run/builtin_variables.hpp"
#include "run/cluster.hpp"
#include "run/grid.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"
#include "source/symbols.hpp"
#include "source/who.hpp"

namespace kit::cpu {
namespace {

using Memory = Target::Memory;

Target fault(facts::Rule what, const char* near, Block* holder = nullptr) {
    Target target;
    target.fault = what;
    target.near = near;
    target.holder = holder;
    return target;
}

/// Returns whether the page of this address is mapped.
bool is_present(const char* address) {
    unsigned char present = 0;
    const auto page = reinterpret_cast<std::uintptr_t>(address) / 4096 * 4096;
    return mincore(reinterpret_cast<void*>(page), 1, &present) == 0;
}

/// Finds shared memory of another block of the cluster. An access is legal while that block exists, which is
/// certain only between the first and the last barrier of the cluster.
Target in_neighbour(const Block& block, const Access& access, Block& neighbour) {
    if (!neighbour.shared().owns(access.address, access.bytes))
        return fault(facts::Rule::beyond_neighbour, access.address, &neighbour);
    if (block.cluster_or_null()->phase() == 0)
        return fault(facts::Rule::neighbour_to_come, access.address, &neighbour);
    if (neighbour.has_ended()) return fault(facts::Rule::neighbour_gone, access.address, &neighbour);
    checks_of(neighbour).used_by_cluster = true;
    return {Memory::shared, &checks_of(neighbour).shared, &neighbour};
}

}  // namespace

Target MemoryCheck::find(const Worker& worker, const Access& access) {
    const auto address = reinterpret_cast<std::uintptr_t>(access.address);
    const Target target = find_any(worker, access);
    if (address % access.bytes == 0 || !access.natural || !target.region) return target;
    return address % alignment(access, target) == 0 ? target : fault(facts::Rule::misaligned, access.address);
}

unsigned MemoryCheck::alignment(const Access& access, const Target& target) {
    if (access.bytes != 16 || !access.natural) return access.natural ? access.bytes : 1;
    const LayoutPlace place = target.is_shared() ? target.holder->shared().place_at(access.address)
                              : program_image().holds(access.address) ? place_in_variable(access.address)
                                                                      : place_in_memory(access.address);
    const bool of_halves = alignment_of(place, access.bytes) == 8;
    return of_halves ? 8 : 16;
}

Target MemoryCheck::find_any(const Worker& worker, const Access& access) {
    const char* const address = access.address;
    Block& block = *worker.block;
    if (BlockChecks& checks = checks_of(block); checks.shared.holds(address)) {
        if (!block.shared().owns(address, access.bytes))
            return fault(facts::Rule::out_of_bounds, address, &block);
        return {Memory::shared, &checks.shared, &block};
    }
    if (!in_device_range(address)) return elsewhere(worker, access);
    return in_device(block.grid().launch.device, access);
}

Target MemoryCheck::in_device(int device, const Access& access) {
    const auto holds = [&](const MemoryPiece& piece) { return piece.holds(access.address, access.bytes); };
    if (std::none_of(recent_.begin(), recent_.end(), holds)) {
        const MemoryPiece piece = find_piece(access.address);
        if (!holds(piece)) return fault(facts::Rule::out_of_bounds, piece.end ? piece.end : access.address);
        const bool closed = piece.stream_ordered && device != piece.device;
        if (closed || !has_access(device, piece.device))
            return fault(facts::Rule::another_device, access.address);
        recent_[next_recent_++ % recent_.size()] = piece;
    }
    return {Memory::device, shadows_.device()};
}

/// Finds a `__device__` or `__constant__` variable. An access past the end of one variable into the next is not detected.
Target MemoryCheck::in_program(const Access& access) {
    const char* const end = access.address + access.bytes;
    // The address is that of a constant of the program.
    if (access.address < program_image().variables) return {};
    if (access.address < recent_variable_.begin || end > recent_variable_.end) {
        recent_variable_ = variable_range(access.address);
        if (!recent_variable_.end || end > recent_variable_.end)
            return fault(facts::Rule::out_of_bounds,
                         recent_variable_.end ? recent_variable_.end : access.address);
        recent_is_constant_ = is_constant(access.address);
    }
    if (access.write && recent_is_constant_) return fault(facts::Rule::writes_constant, access.address);
    return {recent_is_constant_ ? Memory::constant : Memory::variable, shadows_.variables()};
}

Target MemoryCheck::elsewhere(const Worker& worker, const Access& access) {
    const char* const address = access.address;
    if (const Cluster* cluster = worker.block->cluster_or_null())
        if (Block* neighbour = cluster->holder(address))
            return in_neighbour(*worker.block, access, *neighbour);
    if (program_image().holds(address)) return in_program(access);
    if (is_thread_local(address)) return {};
    if (reinterpret_cast<std::uintptr_t>(address) < 65536)
        // A null pointer is reported when its access faults.
        return {};
    if (const Allocation* piece = find_allocation(address)) {  // managed or pinned memory
        if (address + access.bytes > piece->begin + piece->bytes)
            return fault(facts::Rule::out_of_bounds, piece->begin + piece->bytes);
        return {Memory::host, shadows_.host_piece(address)};
    }
    // Legal memory outside the device's range, such as managed memory, was found above.
    constexpr std::ptrdiff_t near = 64 * 1024;
    const char* const shared = worker.block->shared().begin();
    if (address < shared && shared - address < near) return fault(facts::Rule::before_shared, address);
    if (worker.fibers.owns(address)) return {};  // the address is in a local variable of another thread
    const bool host = is_present(address) && !shadows_.lies_in(address);
    return fault(host ? facts::Rule::host_memory : facts::Rule::nothing_there, address);
}

Finding MemoryCheck::describe(const Worker& worker, const Access& access, const Target& target, Place place) {
    const Launch& launch = worker.block->grid().launch;
    // A copy has its own place.
    Spot spot(place, access.instruction ? line_of_caller(access.instruction, launch.name, true) : Place{});
    if (!look_up(place).line) spot = first_line(launch.calls);  // in the kernel of a library
    Finding bad = finding(target.fault, spot).with("bytes", access.bytes);
    facts::Access told;
    told.who = running_thread();
    told.write = access.write;
    told.discards = access.discards;
    told.at = std::exchange(bad.at, {});
    bad.accesses.push_back(std::move(told));
    switch (target.fault) {
        case facts::Rule::before_shared:
            bad.memory = worker.block->shared().memory_after(target.near);
            bad.with("ahead", worker.block->shared().begin() - target.near);
            if (bad.memory.element.empty()) break;
            bad.rule = facts::Rule::before_element;
            bad.with("element", bad.memory.element);
            break;
        case facts::Rule::host_memory:
            break;
        case facts::Rule::nothing_there:
            bad.with("address", reinterpret_cast<std::uintptr_t>(target.near));
            break;
        case facts::Rule::beyond_neighbour:
        case facts::Rule::neighbour_to_come:
        case facts::Rule::neighbour_gone:
            bad.memory = target.holder->shared().memory_at(target.near, access.bytes);
            bad.memory.block = index_of(target.holder->index());
            break;
        case facts::Rule::another_device: {
            const MemoryPiece piece = find_piece(access.address);
            if (piece.stream_ordered) bad.rule = facts::Rule::another_device_ordered;
            bad.memory = place_of(worker.block, target.near, access.bytes);
            bad.with("device", worker.block->grid().launch.device).with("owner", piece.device);
            break;
        }
        case facts::Rule::misaligned:
        case facts::Rule::writes_constant:
            bad.memory = place_of(worker.block, target.near, access.bytes);
            break;
        default:
            bad.memory = target.holder ? target.holder->shared().memory_at(target.near)
                         : program_image().holds(access.address) ? variable_before(target.near)
                                                                 : place_of_memory(target.near);
    }
    return bad;
}

}  // namespace kit::cpu
