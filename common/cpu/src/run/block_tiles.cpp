// Meetings of tiles that have more than one warp: the threads wait at a barrier of the tile and exchange
// values there. Numbered barriers of PTX (bar.sync) work in the same way.
#include "block.hpp"
#include "caller.hpp"
#include "worker.hpp"

namespace kit::cpu {

void Block::meet_in_tile(unsigned size, const char* what, const void* in, void* out, TileCombine combine,
                         Place place) {
    settle();
    // Threads in different calls do not meet, so a report can name both calls.
    std::unique_ptr<TileMeeting>& slot = tiles_[{size, rank_ / size, what, combine}];
    if (!slot) slot = std::make_unique<TileMeeting>(size);
    TileMeeting& meeting = *slot;
    BarrierState& barrier = meeting.barrier;
    const unsigned phase = barrier.phase;
    meeting.in[rank_ % size] = in;
    meeting.out[rank_ % size] = out;
    if (arrive_at(barrier, 1, false)) {
        if (combine) combine(size, meeting.in.data(), meeting.out.data());
        complete_phase(barrier);
    }
    wait_for_phase(barrier, phase, place, what);
}

void tile_meet(unsigned size, const char* what, const void* in, void* out, TileCombine combine, Place place) {
    Caller(what)->meet_in_tile(size, what, in, out, combine, place);
}

/// Waits at a numbered barrier of PTX. The barrier's key in tiles_ differs from every tile's key, because a
/// tile's number is less than 16 and its size is a multiple of 64.
void Block::meet_at_number(unsigned number, unsigned threads, bool waits, Place place) {
    settle();
    std::unique_ptr<TileMeeting>& slot = tiles_[{threads, 16 + number, "", nullptr}];
    if (!slot) slot = std::make_unique<TileMeeting>(threads);
    BarrierState& barrier = slot->barrier;
    const unsigned phase = barrier.phase;
    if (arrive_at(barrier, 1, false)) complete_phase(barrier);
    if (waits) wait_for_phase(barrier, phase, place, "bar.sync");
}

void named_barrier(unsigned number, unsigned threads, bool waits, Place place) {
    Caller("bar.sync")->meet_at_number(number, threads, waits, place);
}

}  // namespace kit::cpu
