// Passes the start and the end of asynchronous copies and puts to the checks that need them.
#include <algorithm>
#include <utility>

#include "checker.hpp"
#include "trace.hpp"

namespace kit::cpu {
namespace {

Access side(const AsyncCopy& copy, bool write) {
    Access access;
    access.address = write ? copy.to : copy.from;
    access.bytes = static_cast<unsigned>(write ? copy.bytes + copy.zeros : copy.bytes);
    access.write = write;
    access.natural = false;
    return access;
}

}  // namespace

/// Checks that all bytes of the copy exist. A thread's part of an ordinary copy counts as a load and a store.
void Checker::copy_begins(Worker& worker, const AsyncCopy& copy) {
    settle();
    if (copy.bytes + copy.zeros == 0) return;
    for (const bool write : {false, true}) {
        const Access access = side(copy, write);
        if (!access.bytes || worker.fiber->holds(access.address)) continue;
        const Target target = memory_.find(worker, access);
        if (target.fault != facts::Rule::none) refuse(worker, access, target, copy.place);
        if (!target.region) continue;
        if (!copy.bulk) {
            counter_.access(worker.counters, target, access, false);
            trace().access(*worker.block, target, access);
        } else if (!target.is_shared()) {
            Counters& counters = worker.counters;
            (write ? counters.global_bytes_stored : counters.global_bytes_loaded) += access.bytes;
        }
        races_.copy_begins(*worker.block, copy, target, write);
    }
    checks_of(*worker.block).copies.note(copy);
}

void Checker::copy_landed(Block& block, const AsyncCopy& copy) {
    settle();
    const Worker& worker = *this_worker;
    const Target to = memory_.find(worker, side(copy, true));
    const Target from = copy.bytes ? memory_.find(worker, side(copy, false)) : Target{};
    if (from.region) races_.copy_landed(block, copy, from, false);
    if (!to.region) return;
    const bool is_known = from.has_history() && block.reports_accesses;
    if (to.has_history()) initialisation_.landed(*to.region, is_known ? from.region : nullptr, copy);
    races_.copy_landed(block, copy, to, true);
}

/// Counts a put as the loads and stores of its bytes. A signal without a put has no bytes.
void Checker::put_begins(Worker& worker, const Put& put) {
    settle();
    if (!put.bytes) return races_.put_begins(*worker.block, put, {}, true);
    for (const bool write : {false, true}) {
        Access access;
        access.address = write ? put.to : put.from;
        if (!access.address || worker.fiber->holds(access.address)) continue;
        access.bytes = static_cast<unsigned>(put.bytes);
        access.write = write;
        access.natural = false;
        const Target target = memory_.find(worker, access);
        if (target.fault != facts::Rule::none) refuse(worker, access, target, put.place);
        if (!target.region) continue;
        Counters& counters = worker.counters;
        if (!target.is_shared())
            (write ? counters.global_bytes_stored : counters.global_bytes_loaded) += put.bytes;
        races_.put_begins(*worker.block, put, target, write);
    }
}

void Checker::puts_ordered(Worker& worker, bool complete) {
    races_.puts_ordered(*worker.block, complete);
}

void Checker::copy_stays(Block& block, const AsyncCopy& copy) {
    for (const bool write : {false, true}) {
        const Target target = memory_.find(*this_worker, side(copy, write));
        if (target.region) races_.copy_stays(block, copy, target, write);
    }
}

void Checker::copy_outlives(Block& block, const AsyncCopy& copy) {
    mistakes_.outlived(block, copy);
}

}  // namespace kit::cpu
