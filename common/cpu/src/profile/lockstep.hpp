// Reconstructs the steps of a warp from the steps of its lanes, which ran one after another.
//
// The executor runs a thread until it waits, but a GPU runs the lanes of a warp together. Therefore, this
// class records the steps of each lane, and then replays them in the order in which a warp takes them. Of the
// next steps of all lanes, those deepest in calls come first. Of these, those with the fewest rounds of their
// loops come first, and of these the lowest instruction. As a result, lanes that leave a loop early wait
// after the loop for the other lanes, and lanes with less work in a round wait for the next round, as on a
// GPU. The order in which the lanes ran does not matter.
//
// The start of a further round of a loop is also a step, at its place in the kernel (loops.hpp). This step is
// not reported, but it makes a lane without work in a round wait for the next round.
//
// At a meeting (a barrier of the warp, a shuffle or a vote), no lane continues before all have arrived.
// Otherwise, a meeting is a step like an access, at its place in the kernel.
//
// Lanes that were together diverge if their next steps differ, so a divergent branch is between the previous
// step and these. Each of their paths except the last counts as one branch, at its first step. A branch is
// missed if no path has a step before all lanes are together again. A meeting that only exchanges values does
// not count here: lanes diverge between the steps before and after it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "loops.hpp"
#include "warp_access.hpp"

namespace kit::cpu {

class Lockstep {
  public:
    struct Step {
        const void* instruction;
        std::uint64_t address;
        std::uint32_t depth;  ///< size in bytes of the stack in use
        std::uint8_t bytes;
        std::uint8_t kind;
        /// The lanes that meet in this step; 0 if the step is an access. `address` identifies the meeting.
        std::uint32_t meets = 0;
        bool exchange = false;   ///< whether the meeting only exchanges values (a shuffle or a vote)
        std::uint8_t level = 0;  ///< nesting depth of the loop whose next round starts in this step; 0 if the
                                 ///< step is an access or a meeting
        unsigned function = 0;   ///< number of the function that contains the loop (events.hpp)
    };

    /// Creates a record for the lanes that exist in the warp.
    explicit Lockstep(std::uint32_t lanes) : lanes_(lanes) {}

    void add(unsigned lane, const Step& step) { steps_[lane].push_back(step); }
    void add_round(unsigned lane, const void* instruction, std::uint32_t depth, unsigned function,
                   unsigned level) {
        Step step{instruction, 0, depth, 0, 0};
        step.level = static_cast<std::uint8_t>(level);
        step.function = function;
        add(lane, step);
    }

    /// Records a meeting of these lanes in this call. All earlier steps of each lane come before all later
    /// ones. `exchange`: the call is a shuffle or a vote.
    void meet(std::uint32_t lanes, bool exchange, const void* call, std::uint32_t depth);

    /// Replays the recorded steps: calls `what(const Step& of_the_first_lane, const WarpAccess&)` for each
    /// access and each meeting of the warp, and `diverged(const void* instruction)` for each divergent branch.
    template <class What, class Diverged>
    void replay(What what, Diverged diverged) {
        WarpAccess access;
        find_loops();
        arrive(lanes_);
        look_whether_parted(lanes_);
        while (const Step* const step = next(access)) {
            what(*step, access);
            for (const void* const instruction : divergent_) diverged(instruction);
            divergent_.clear();
        }
        forget();
    }

  private:
    void find_loops();
    const Step* next(WarpAccess& access);
    /// A step of a lane, with the lane's position in loops.
    struct At {
        const Step* step;
        const Whereabouts* where;
    };
    int compare(At a, At b) const;
    At at(unsigned lane) const { return {step_of(lane), &where_[lane]}; }
    const Step* step_of(unsigned lane) const {
        return next_[lane] == steps_[lane].size() ? nullptr : &steps_[lane][next_[lane]];
    }
    void arrive(std::uint32_t lanes);
    bool is_waiting(const Step& step) const;
    void have_met(std::uint32_t lanes);
    void go_on(std::uint32_t lanes);
    void look_whether_parted(std::uint32_t lanes);
    void forget();

    std::array<std::vector<Step>, 32> steps_;
    std::array<std::size_t, 32> next_{};
    Loops loops_;
    std::array<Whereabouts, 32> where_;  ///< position of each lane's next step
    std::uint32_t lanes_;
    std::vector<std::uint8_t> arrived_;   ///< by meeting: the number of lanes whose next step it is
    std::vector<const void*> divergent_;  ///< divergent branches since the last step that was reported
};

}  // namespace kit::cpu
