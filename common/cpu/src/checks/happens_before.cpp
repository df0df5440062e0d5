// The clocks: what barriers make known; fences and atomics are in messages.cpp.
#include "happens_before.hpp"

#include <algorithm>

namespace kit::cpu {

std::uint64_t time_now = 0;

namespace {

bool later(const std::unordered_map<std::uint32_t, std::uint32_t>& map, std::uint32_t key,
           std::uint32_t clock) {
    const auto found = map.find(key);
    return found != map.end() && found->second > clock;
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
    for (auto [block, clock] : other.blocks) raise(blocks, block, clock);
    for (auto [thread, clock] : other.threads) raise(threads, thread, clock);
    grid = std::max(grid, other.grid);
    if (other.reads && other.reads != reads) {
        if (!reads) {
            reads = other.reads;
        } else {
            if (reads.use_count() > 1) reads = std::make_shared<Knowledge>(*reads);
            reads->join(*other.reads);
        }
    }
    for (const auto& [kernel, known] : other.kernels) {
        KnowledgePtr& mine = kernels[kernel];
        if (mine == known) continue;
        if (mine) {
            mine = std::make_shared<Knowledge>(*mine);
            mine->join(*known);
        } else {
            mine = known;
        }
    }
}

/// A fence releases what stands before it. The atomic that carries the message stands behind it, with the fence's clock:
/// who has heard the message comes after that atomic, too, and may reset the variable with a plain store.
bool Knowledge::covers(const Record& record) const {
    const std::uint32_t clock = record.atomic && record.clock > 0 ? record.clock - 1 : record.clock;
    return record.clock < grid || later(blocks, record.block, record.clock) ||
           later(threads, thread_key(record.block, record.rank), clock) ||
           (!record.write && reads && reads->covers(record));
}

void BlockClocks::start(BlockNumbers* numbers, std::uint32_t block, unsigned threads,
                        std::uint32_t grid_clock) {
    numbers_ = numbers;
    number_ = block;
    grid_clock_ = grid_clock;
    barrier_clock_ = latest_ = std::max(1u, grid_clock);
    own_.assign(threads, 0);
    barrier_time_ = time_now;
    heard_time_.assign(threads, 0);
    lanes_.resize((threads + 31) / 32);
    for (auto& lanes : lanes_) lanes.clear();
    known_.reset();
    polled_.reset();
    awaited_.reset();
    unheard_ = Unheard::nothing;
    released_.reset();
    messages_.clear();
    has_messages_ = has_waited_ = false;
    waited_.clear();
    all_have_waited_.clear();
}

void BlockClocks::set_own(unsigned rank, std::uint32_t clock) {
    own_[rank] = clock;
    latest_ = std::max(latest_, own_[rank]);
}

void BlockClocks::note_time(unsigned rank) {
    heard_time_[rank] = ++time_now;
}

/// Knowledge is shared until somebody adds to it.
void BlockClocks::add(KnowledgePtr& to, const KnowledgePtr& more) {
    if (!more || more == to) return;
    if (!to) {
        to = more;
        return;
    }
    if (to.use_count() > 1) to = std::make_shared<Knowledge>(*to);
    to->join(*more);
}

/// "All threads write, __threadfence(), __syncthreads(), thread 0 draws the ticket": what was fenced before a barrier is
/// released by an atomic of any thread after it.
void BlockClocks::release_fenced() {
    std::uint32_t all = released_ ? released_->blocks[number_] : 0, least = ~0u;
    std::size_t fenced = 0;
    for (const auto& [rank, mine] : messages_) {
        if (!mine.fenced.clock) continue;
        ++fenced;
        all = std::max(all, mine.fenced.barrier);
        least = std::min(least, mine.fenced.clock);
    }
    if (!fenced) return;
    if (fenced == own_.size()) all = std::max(all, least);
    const auto now = std::make_shared<Knowledge>();
    if (released_) now->join(*released_);
    if (known_) now->join(*known_);
    now->blocks[number_] = all;
    now->grid = grid_clock_;
    for (const auto& [rank, mine] : messages_) {
        if (!mine.fenced.clock) continue;
        if (mine.fenced.clock > all) raise(now->threads, thread_key(number_, rank), mine.fenced.clock);
        if (mine.fenced.known) now->join(*mine.fenced.known);
        tell_phases(*now, rank);
    }
    released_ = now;
}

void BlockClocks::barrier() {
    if (has_messages_) release_fenced();
    if (has_waited_) share_phases();
    barrier_clock_ = ++latest_;
    barrier_time_ = ++time_now;
    hear_all();
    messages_.clear();
    has_messages_ = false;
    if (latest_ >= renewed_clock) renew();
}

/// What one thread has heard, all know.
void BlockClocks::hear_all() {
    polled_.reset();
    unheard_ = Unheard::nothing;
    for (auto& [rank, messages] : messages_) {
        add(known_, messages.known);
        add(known_, messages.heard);
        add(known_, messages.heard_near);
        add(polled_, messages.polled);
        add(awaited_, messages.awaited);
        if (messages.unheard == Unheard::nothing) continue;
        unheard_ = messages.unheard;
        unheard_writer_ = messages.unheard_writer;
    }
}

/// All threads stand at a barrier, so each has come after everything that the block has done.
bool BlockClocks::renew() {
    const std::uint32_t next = numbers_ ? numbers_->renew(number_) : number_;
    if (next == number_) return false;
    const auto old = std::make_shared<Knowledge>();
    old->blocks[number_] = ~0u;
    add(known_, old);
    number_ = next;
    barrier_clock_ = latest_ = std::max(1u, grid_clock_);
    std::fill(own_.begin(), own_.end(), 0);
    for (auto& lanes : lanes_) lanes.clear();
    return true;
}

/// Without barriers of the block its clock would run over. Not all threads have come after everything that the block has done,
/// but from now on all count as if they had: what is missed is a race of two accesses on either side of this moment.
void BlockClocks::renew_in_time() {
    if (latest_ + steps_at_once <= most_clock || !renew()) return;
    hear_all();
    if (has_waited_) share_phases();
    for (auto& [rank, mine] : messages_)  // what they have released belongs to the old number, which is known
        for (Fenced* fenced : {&mine.fenced, &mine.fenced_near})
            if (fenced->clock) fenced->clock = fenced->barrier = barrier_clock_;
}

void BlockClocks::grid_barrier(std::uint32_t grid_clock) {
    barrier();
    grid_clock_ = barrier_clock_ = latest_ = grid_clock;
}

void BlockClocks::warp_barrier(unsigned warp, std::uint32_t mask) {
    renew_in_time();
    auto& lanes = lanes_[warp];
    if (lanes.empty()) lanes.assign(32 * 32, 0);
    if (has_waited_) share_phases(warp, mask);
    std::uint32_t joined[32] = {};
    KnowledgePtr news, awaited;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        for (unsigned other = 0; other < 32; ++other)
            joined[other] = std::max(joined[other], lanes[lane * 32 + other]);
        joined[lane] = std::max(joined[lane], clock(warp * 32 + lane) + 1);
        set_own(warp * 32 + lane, clock(warp * 32 + lane) + 1);
        note_time(warp * 32 + lane);
        if (!has_messages_) continue;
        if (const auto found = messages_.find(warp * 32 + lane); found != messages_.end()) {
            add(news, found->second.known);
            add(news, found->second.heard);
            add(news, found->second.heard_near);
            add(awaited, found->second.awaited);
        }
    }
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        std::copy(joined, joined + 32, lanes.begin() + lane * 32);
        if (news) add(messages_[warp * 32 + lane].known, news);
        if (awaited) add(messages_[warp * 32 + lane].awaited, awaited);
    }
}

/// The thread's own clock moves twice, as Knowledge::covers takes an atomic with the clock that is known for covered.
LaunchPoint BlockClocks::launch(unsigned rank) {
    renew_in_time();
    LaunchPoint point;
    point.known.grid = grid_clock_;
    set_own(rank, clock(rank) + 1);
    point.known.threads[thread_key(number_, rank)] = clock(rank);
    point.known.blocks[number_] = barrier_clock_;
    set_own(rank, clock(rank) + 1);
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty(); ++lane) {
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            raise(point.known.threads, thread_key(number_, rank / 32 * 32 + lane), known);
    }
    if (known_) point.known.join(*known_);
    tell_phases(point.known, rank);
    const auto found = messages_.find(rank);
    if (found != messages_.end() && found->second.known) point.known.join(*found->second.known);
    return point;
}

bool BlockClocks::heard_before(const Record& record, unsigned rank) const {
    const auto found = messages_.find(rank);
    return found != messages_.end() && found->second.known && found->second.known->covers(record);
}

bool BlockClocks::heard_of(Owner kernel, const Record& record, unsigned rank, bool writes) const {
    const auto tells = [&](const KnowledgePtr& known) { return known && known->covers(kernel, record); };
    if (tells(known_) || (writes && tells(awaited_))) return true;
    const auto found = messages_.find(rank);
    return found != messages_.end() &&
           (tells(found->second.known) || (writes && tells(found->second.awaited)));
}

bool BlockClocks::told_by_signal(const Record& record, unsigned rank) const {
    const auto tells = [&](const KnowledgePtr& known) {
        if (!known) return false;
        if (known->covers(record)) return true;
        for (const auto& [kernel, of_kernel] : known->kernels)
            if (of_kernel->covers(record)) return true;
        return false;
    };
    if (tells(awaited_)) return true;
    const auto found = messages_.find(rank);
    return found != messages_.end() && tells(found->second.awaited);
}

void BlockClocks::tell_kernels(Knowledge& knowledge) const {
    const auto tell = [&](const KnowledgePtr& known) {
        if (!known || known->kernels.empty()) return;
        Knowledge others;
        others.kernels = known->kernels;
        knowledge.join(others);
    };
    tell(known_);
    tell(awaited_);
    for (const auto& [rank, messages] : messages_) {
        tell(messages.known);
        tell(messages.awaited);
    }
}

}  // namespace kit::cpu
