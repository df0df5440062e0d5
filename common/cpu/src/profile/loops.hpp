// Finds the positions of lanes in the loops of a kernel, from their steps alone.
//
// Most loops mark the start of each round (translate/mark_rounds.cpp): the steps of a lane from one mark to the next are in the loop.
// In other loops, for example from macros, a step back to an earlier instruction closes a loop, which reaches from that instruction to
// the step. Loops that begin or end at the same place are one loop, because their first or last accesses may be under conditions; the
// same is true of loops that overlap. A loop within a loop is an inner loop.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace kit::cpu {

class Loops {
  public:
    /// The stack in use and the instruction. Loops of a called function are separate from its caller's.
    using Spot = std::pair<std::uint32_t, const void*>;

    void clear();
    /// Called before the steps of a lane, which include the rounds of loops that it starts.
    void begin_lane();
    void go(Spot spot);
    void begin_round(Spot spot, unsigned function, unsigned level);
    /// Called after the steps of all lanes.
    void close();

    /// Returns the numbers of the loops around an instruction, the outermost first.
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
    /// A loop that the lane is in, and its steps since the round started.
    struct Open {
        Spot mark;
        unsigned function, level;
        const void *begin, *end;
        bool went_back;  ///< whether it went back to the body after the condition
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

/// The position of one lane: an instruction, and the number of rounds of each loop around it.
class Whereabouts {
  public:
    void start(Loops& loops, Loops::Spot spot);
    void go(Loops& loops, Loops::Spot spot);
    /// Raises the rounds of each loop to at least those of the other lane, which is at the same place.
    void catch_up(const Whereabouts& other);

    /// Returns a number below 0 if a warp reaches the first place before the second one, 0 if they are the same.
    static int compare(const Loops& loops, const Whereabouts& a, const Whereabouts& b);

  private:
    Loops::Spot spot_{};
    const std::vector<unsigned>* around_ = nullptr;
    std::vector<unsigned> rounds_;  ///< rounds by number of the loop
};

}  // namespace kit::cpu
