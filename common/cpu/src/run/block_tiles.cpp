// Tiles of more than one warp: their threads meet at a barrier of the tile and exchange values there. The barriers that PTX numbers
// work the same way.
#include "block.hpp"
#include "caller.hpp"
#include "worker.hpp"

namespace kit::cpu {

void Block::meet_in_tile(unsigned size, const char* what, const void* in, void* out, TileCombine combine,
                         Place place) {
    settle();
    // Threads that are in different calls do not meet, so a report about them names both calls.
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

/// Its key is not that of a tile, because a tile's number is less than 16 and its size a multiple of 64.
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
