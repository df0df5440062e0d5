// Messages: what fences and atomics make known, and why a message may order nothing.
#include <algorithm>

#include "happens_before.hpp"

namespace kit::cpu {
namespace {

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

}  // namespace

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
        mine.awaited.reset();
    }
    mine.fenced_near = {clock(rank), barrier_clock_, mine.known};
    if (scope != Scope::block) mine.fenced = mine.fenced_near;
}

void BlockClocks::learn(unsigned rank, const KnowledgePtr& more) {
    has_messages_ = true;
    add(messages_[rank].known, more);
}

KnowledgePtr BlockClocks::signal(unsigned rank, bool adds, Message& message) {
    step(rank);
    const auto told = std::make_shared<Knowledge>();
    const bool is_told =
        adds && message.wide && message.last_known == known_;  // by another thread of the block
    if (known_ && !is_told) told->kernels = known_->kernels;
    message.last_known = known_;
    if (const auto found = messages_.find(rank); found != messages_.end() && found->second.known) {
        Knowledge heard;
        heard.kernels = found->second.known->kernels;
        told->join(heard);
    }
    told->reads = std::make_shared<Knowledge>();
    told->reads->grid = grid_clock_;
    told->reads->blocks[number_] = barrier_clock_;
    told->reads->threads[thread_key(number_, rank)] = clock(rank);
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty(); ++lane)
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            raise(told->reads->threads, thread_key(number_, rank / 32 * 32 + lane), known);
    return told;
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
                if (access.awaits && !access.acquires) add(mine.awaited, far);
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

}  // namespace kit::cpu
