// The clocks: what barriers, fences and atomics make known.
#include "happens_before.hpp"

#include <algorithm>

namespace kit::cpu {
namespace {

void raise(std::unordered_map<std::uint32_t, std::uint32_t>& map, std::uint32_t key, std::uint32_t clock) {
    std::uint32_t& known = map[key];
    known = std::max(known, clock);
}

bool later(const std::unordered_map<std::uint32_t, std::uint32_t>& map, std::uint32_t key,
           std::uint32_t clock) {
    const auto found = map.find(key);
    return found != map.end() && found->second > clock;
}

/// Counts what makes threads know of each other, to tell what came later.
std::uint64_t time_now = 0;

/// When were the last fences of two threads?
struct LastFences {
    std::uint32_t thread = ~0u;
    std::uint64_t time = 0, time_of_another = 0;

    void note(std::uint32_t by) {
        if (by != thread) time_of_another = time;
        thread = by;
        time = time_now;
    }
    std::uint64_t of_another(std::uint32_t than) const { return thread == than ? time_of_another : time; }
} last_fences;

std::uint32_t thread_key(std::uint32_t block, std::uint32_t rank) {
    return block * 1024 + rank;
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
    for (auto [block, clock] : other.blocks) raise(blocks, block, clock);
    for (auto [thread, clock] : other.threads) raise(threads, thread, clock);
    grid = std::max(grid, other.grid);
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
           later(threads, thread_key(record.block, record.rank), clock);
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
    KnowledgePtr news;
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
        }
    }
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        std::copy(joined, joined + 32, lanes.begin() + lane * 32);
        if (news) add(messages_[warp * 32 + lane].known, news);
    }
}

void BlockClocks::step(unsigned rank) {
    renew_in_time();
    set_own(rank, clock(rank) + 1);
}

void BlockClocks::fence(unsigned rank, Scope scope) {
    step(rank);
    ThreadMessages& mine = messages_[rank];
    has_messages_ = true;
    note_time(rank);
    last_fences.note(thread_key(number_, rank));
    add(mine.known, mine.heard_near);
    mine.heard_near.reset();
    if (scope == Scope::block) {
        mine.near_fence_after_hearing = mine.heard || mine.polled;
    } else {
        add(mine.known, mine.heard);
        add(mine.known, mine.polled);
        mine.heard.reset();
        mine.polled.reset();
    }
    mine.fenced_near = {clock(rank), barrier_clock_, mine.known};
    if (scope != Scope::block) mine.fenced = mine.fenced_near;
}

/// What somebody is told whom the thread's last fence, or its releasing atomic, concerns.
KnowledgePtr BlockClocks::news(unsigned rank, const Fenced& fenced) const {
    auto news = std::make_shared<Knowledge>();
    news->grid = grid_clock_;
    news->threads[thread_key(number_, rank)] = fenced.clock;
    news->blocks[number_] = fenced.barrier;
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty(); ++lane) {
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            raise(news->threads, thread_key(number_, rank / 32 * 32 + lane), known);
    }
    if (fenced.known) news->join(*fenced.known);
    if (known_) news->join(*known_);
    tell_phases(*news, rank);
    return news;
}

/// An update goes on with what it has read, a store replaces it, unless it is the same thread's that released before.
void BlockClocks::publish(unsigned rank, bool wide, const Fenced& fenced, Message& message) {
    if (!fenced.clock) return;
    const Moment now{number_, rank, fenced.clock, wide ? 1u : 0u};
    const Moment& last = message.published;
    if (now.block == last.block && now.rank == last.rank && now.clock == last.clock &&
        now.barrier == last.barrier)
        return;
    message.published = now;
    const KnowledgePtr told = news(rank, fenced);
    add(message.narrow[number_], told);
    if (wide) add(message.wide, told);
}

void BlockClocks::note_unheard(unsigned rank, const Access& access, const Message& message) {
    const Moment& writer = message.writer;
    const bool near = writer.block == number_;
    if (writer.block == ~0u || (near && writer.rank == rank)) return;
    Unheard why = message.flaw;
    if (why == Unheard::released_narrowly && near) why = Unheard::nothing;
    if (why == Unheard::nothing && !near && access.scope == Scope::block) why = Unheard::acquired_narrowly;
    if (why == Unheard::nothing) why = Unheard::not_released;  // of what the writer did behind its fence
    ThreadMessages& mine = messages_[rank];
    has_messages_ = true;
    mine.unheard = why;
    mine.unheard_writer = writer;
}

Unheard BlockClocks::why_unheard(const Record& record, unsigned rank) const {
    const auto told = [&](const KnowledgePtr& by) { return by && by->covers(record); };
    const auto wrote = [&](const Moment& writer) {
        const bool itself = writer.rank == record.rank && record.clock <= writer.clock;
        return writer.block == record.block && (itself || record.clock < writer.barrier);
    };
    const auto found = messages_.find(rank);
    if (found != messages_.end()) {
        const ThreadMessages& mine = found->second;
        if (told(mine.heard) || told(mine.polled))
            return mine.near_fence_after_hearing ? Unheard::acquired_narrowly : Unheard::not_acquired;
        if (told(mine.heard_near)) return Unheard::not_acquired;
        if (wrote(mine.unheard_writer) && mine.unheard != Unheard::nothing) return mine.unheard;
    }
    if (told(polled_)) return Unheard::not_acquired;
    return wrote(unheard_writer_) ? unheard_ : Unheard::nothing;
}

bool BlockClocks::may_read_older(unsigned rank, const Access& access, const Message& message,
                                 std::uint64_t heard_time) const {
    const Moment& writer = message.writer;
    const std::uint32_t me = thread_key(number_, rank);
    if (!access.acquires || !message.silent_before || writer.block == ~0u ||
        thread_key(writer.block, writer.rank) == me)
        return false;
    if (message.written < heard_time || (access.sequential && message.written < last_fences.of_another(me)))
        return false;
    const bool hears = (message.wide && access.scope != Scope::block) || message.narrow.count(number_);
    return hears && !message.late.count(me);
}

void BlockClocks::atomic(unsigned rank, const Access& access, Message& message) {
    const bool wide = access.scope != Scope::block;
    if (access.read) {  // hear first what others have published here
        KnowledgePtr near;
        if (const auto found = message.narrow.find(number_); found != message.narrow.end())
            near = found->second;
        if ((wide && message.wide) || near) {
            ThreadMessages& mine = messages_[rank];
            has_messages_ = true;
            const KnowledgePtr far = wide ? message.wide : nullptr;
            KnowledgePtr& into = access.acquires ? mine.known : access.write ? mine.heard : mine.polled;
            if (mine.last_into != &into || mine.last_wide != far || mine.last_near != near) {
                add(into, far);
                add(access.acquires ? mine.known : mine.heard_near, near);
                mine.last_into = &into;
                mine.last_wide = far;
                mine.last_near = near;
            }
            note_time(rank);
        }
        note_unheard(rank, access, message);
    }
    if (!access.write) return;
    message.silent_before = !message.wide && message.narrow.empty();
    const auto found = messages_.find(rank);
    const ThreadMessages* const mine = found == messages_.end() ? nullptr : &found->second;
    const bool mine_before = message.writer.block == number_ && message.writer.rank == rank;
    if (!access.read && !mine_before) {
        message.wide.reset();
        message.narrow.clear();
        message.published = {};
    }
    message.flaw = Unheard::nothing;
    if (access.releases) {
        publish(rank, wide, {clock(rank), barrier_clock_, mine ? mine->known : nullptr}, message);
        if (!wide) message.flaw = Unheard::released_narrowly;
    } else {
        if (mine)
            publish(rank, wide && mine->fenced.clock, mine->fenced.clock ? mine->fenced : mine->fenced_near,
                    message);
        if (mine && mine->fenced.clock && mine->fenced_near.clock > mine->fenced.clock)
            publish(rank, false, mine->fenced_near, message);
        if (released_ && wide) {
            add(message.wide, released_);
            auto self = std::make_shared<Knowledge>();  // for this atomic itself, see Knowledge::covers
            self->threads[thread_key(number_, rank)] = barrier_clock_;
            add(message.wide, self);
        } else if (!mine || !mine->fenced_near.clock) {
            message.flaw = Unheard::not_released;
        } else if (!mine->fenced.clock || !wide) {
            message.flaw = Unheard::released_narrowly;
        }
    }
    message.writer = {number_, rank, clock(rank), barrier_clock_};
    message.written = ++time_now;
    message.late.clear();
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

bool BlockClocks::heard_of(Owner kernel, const Record& record, unsigned rank) const {
    if (known_ && known_->covers(kernel, record)) return true;
    const auto found = messages_.find(rank);
    return found != messages_.end() && found->second.known && found->second.known->covers(kernel, record);
}

void BlockClocks::tell_kernels(Knowledge& knowledge) const {
    const auto tell = [&](const KnowledgePtr& known) {
        if (!known || known->kernels.empty()) return;
        Knowledge others;
        others.kernels = known->kernels;
        knowledge.join(others);
    };
    tell(known_);
    for (const auto& [rank, messages] : messages_) tell(messages.known);
}

}  // namespace kit::cpu
