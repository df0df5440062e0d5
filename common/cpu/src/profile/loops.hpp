// Finds out from the steps of lanes in which rounds of which loops the lanes are.
//
// Most loops mark the start of each round (translate/mark_rounds.cpp): the steps of a lane from one mark to
// the next are in one round. Other loops, for example loops in macros, have no marks. There, a step back to
// an earlier instruction closes a loop, which reaches from that instruction to the step. Two such loops that
// begin or end at the same place, or overlap, are one loop, because its first or last accesses may be
// conditional. A loop that lies inside another loop is an inner loop.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace kit::cpu {

class Loops {
  public:
    /// A place in a thread: the size of the stack in use, and the instruction. The loops of a called function
    /// are separate from its caller's.
    using Spot = std::pair<std::uint32_t, const void*>;

    void clear();
    /// Called before the first step of each lane, including starts of rounds.
    void begin_lane();
    void go(Spot spot);
    void begin_round(Spot spot, unsigned function, unsigned level);
    /// Called after the last step of the last lane.
    void close();

    /// Returns the numbers of the loops that contain an instruction, the outermost loop first.
    const std::vector<unsigned>& around(Spot spot);
    std::size_t count() const { return loops_.size(); }
    const void* begin_of(unsigned loop) const { return loops_[loop].begin; }

  private:
    struct Loop {
        std::uint32_t depth;
        const void *begin, *end;

        bool has(Spot spot) const {
            return depth == spot.first && begin <= spot.second && spot.second <= end;
        }
        bool has(const Loop& other) const {
            return depth == other.depth && begin <= other.begin && other.end <= end;
        }
    };
    /// A loop in which the lane is, and the lane's steps since the current round started.
    struct Open {
        Spot mark;
        unsigned function, level;
        const void *begin, *end;
        bool went_back;  ///< whether the lane jumped from the condition back to the body
    };
    void step(Spot spot);
    void note(Loop loop);
    void join_marked(Loop& loop, bool& is_known) const;
    bool merge_some();

    std::vector<Open> open_;
    Spot last_{};
    bool last_is_mark_ = false;
    std::map<Spot, Loop> marked_;
    std::vector<Loop> loops_;
    std::map<Spot, std::vector<unsigned>> around_;
};

/// The position of one lane: an instruction, and the number of the current round of each loop around it.
class Whereabouts {
  public:
    void start(Loops& loops, Loops::Spot spot);
    void go(Loops& loops, Loops::Spot spot);
    /// Raises the round numbers to at least those of another lane, which is at the same instruction.
    void catch_up(const Whereabouts& other);

    /// Returns a negative number if a warp reaches the first position before the second, 0 if the positions
    /// are equal.
    static int compare(const Loops& loops, const Whereabouts& a, const Whereabouts& b);

  private:
    Loops::Spot spot_{};
    const std::vector<unsigned>* around_ = nullptr;
    std::vector<unsigned> rounds_;  ///< round numbers, by number of the loop
};

}  // namespace kit::cpu
