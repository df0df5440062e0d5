// Where lanes are in the loops of a kernel, found from their steps alone.
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
    /// Stack in use and instruction: loops of a called function are its own.
    using Spot = std::pair<std::uint32_t, const void*>;

    void clear();
    /// The steps of a lane follow: what it does, and rounds of loops that it begins.
    void begin_lane();
    void go(Spot spot);
    void begin_round(Spot spot, unsigned function, unsigned level);
    /// All lanes have been seen.
    void close();

    /// Numbers of the loops around an instruction, the outermost first.
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
    /// A loop that the lane is in, and what it has done since the round began.
    struct Open {
        Spot mark;
        unsigned function, level;
        const void *begin, *end;
        bool went_back;  ///< to the body, after its condition
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

/// Where one lane is: at an instruction, and how often round each of the loops around it.
class Whereabouts {
  public:
    void start(Loops& loops, Loops::Spot spot);
    void go(Loops& loops, Loops::Spot spot);
    /// Has gone round each loop at least as often as that one, which is at the same place.
    void catch_up(const Whereabouts& other);

    /// Below 0 if a warp comes to the first place before it comes to the second one, 0 if they are the same.
    static int compare(const Loops& loops, const Whereabouts& a, const Whereabouts& b);

  private:
    Loops::Spot spot_{};
    const std::vector<unsigned>* around_ = nullptr;
    std::vector<unsigned> rounds_;  ///< by number of the loop
};

}  // namespace kit::cpu
