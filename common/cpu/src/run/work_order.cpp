// The vector clocks of the streams and of the host.
#include "work_order.hpp"

#include <algorithm>

namespace kit::cpu {
namespace {

thread_local unsigned party_of_thread = 0;

bool covers(const WorkClock& clock, std::uint64_t stream, std::uint64_t id) {
    const auto found = clock.find(stream);
    return found != clock.end() && found->second >= id;
}

bool covers(const WorkClock& clock, const WorkStamp& stamp) {
    if (covers(clock, stamp.stream, stamp.id)) return true;
    return std::any_of(stamp.within.begin(), stamp.within.end(),
                       [&](const auto& whole) { return covers(clock, whole.first, whole.second); });
}

void raise(WorkClock& clock, std::uint64_t stream, std::uint64_t id) {
    std::uint64_t& known = clock[stream];
    known = std::max(known, id);
}

bool waits_for(const WorkStamp& late, const WorkStamp& early) {
    // The work was queued after the host code had run.
    if (early.host) return late.host || late.id > early.id;
    return covers(late.before, early);
}

}  // namespace

WorkClock& WorkOrder::mine() {
    return hosts_[party_of_thread];
}

const WorkClock& WorkOrder::host() const {
    static const WorkClock nothing;
    const auto found = hosts_.find(party_of_thread);
    return found == hosts_.end() ? nothing : found->second;
}

void WorkOrder::become(unsigned party) {
    const WorkClock known = host();
    if (party_of_thread && !party) hosts_.erase(party_of_thread);
    party_of_thread = party;
    learn(known);
}

void WorkOrder::learn(const WorkClock& known) {
    WorkClock& clock = mine();
    for (const auto& [stream, id] : known) raise(clock, stream, id);
}

WorkStamp WorkOrder::submit(std::uint64_t stream, std::uint64_t id) {
    if (!used_) one_stream_ = stream;
    several_ = several_ || (used_ && stream != one_stream_);
    used_ = true;
    return {stream, id, false, host(), false, {}, nullptr};
}

void WorkOrder::follow(WorkStamp& stamp, const WorkStamp& earlier) const {
    if (earlier.id <= done_) return;
    for (const auto& [stream, id] : earlier.before)
        if (id > done_) raise(stamp.before, stream, id);
    raise(stamp.before, earlier.stream, earlier.id);
}

void WorkOrder::host_waited(const WorkStamp& stamp) {
    for (const auto& [stream, id] : stamp.before) raise(mine(), stream, id);
    raise(mine(), stamp.stream, stamp.id);
}

void WorkOrder::all_done(std::uint64_t last_id) {
    if (hosts_.size() > 1) return;  // with several processes: they do not share their clocks
    done_ = last_id;
    mine().clear();
    used_ = several_ = false;
}

WorkStamp WorkOrder::host_now(std::uint64_t last_id) const {
    return {0, last_id, true, host(), false, {}, nullptr};
}

bool WorkOrder::ordered(const WorkStamp& earlier, const WorkStamp& now) const {
    if (earlier.id <= done_) return true;
    return waits_for(now, earlier) || waits_for(earlier, now);
}

WorkOrder& work_order() {
    static auto& only = *new WorkOrder;  // never destroyed, because work may be queued when the program ends
    return only;
}

}  // namespace kit::cpu
