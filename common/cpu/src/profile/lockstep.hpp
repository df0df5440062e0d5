// From what each lane did, one after another, to what the warp did.
//
// The executor runs a thread until it waits; a GPU runs the lanes of a warp side by side. So each lane's steps are kept, and
// replayed as a warp takes them: of the lanes' next steps those go first that lie deepest in calls, of these those that have gone round
// their loop less often, and of these the lowest instruction. So lanes that left a loop early wait after it for the others, and lanes
// that had less to do in a round wait for the next one, as they do on a GPU. Which lane ran first makes no difference.
//
// The start of a further round of a loop is a step, too, at its place in the kernel (loops.hpp). It is not reported, but it shows that
// a lane with nothing to do in a round waits for the next one.
//
// Where lanes have met, in a barrier of the warp, a shuffle or a vote, none of them continues before all have arrived. Otherwise a meeting
// is a step like an access, at its place in the kernel.
//
// Lanes that have come together part where their next steps differ: a divergent branch is between them. Each of their ways
// except the last one counts as one branch, at its first step. A branch is not seen if no way has a step before all lanes are together again. A
// call that only exchanges values is not a step in this sense: lanes do not part at it, but between the steps before and after it.
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
        std::uint32_t depth;  ///< bytes of stack that are in use
        std::uint8_t bytes;
        std::uint8_t kind;
        /// Instead of an access: these lanes meet here; which of their meetings, says the address.
        std::uint32_t meets = 0;
        bool exchange = false;   ///< and no more than that
        std::uint8_t level = 0;  ///< instead of an access another round begins, of a loop of this level ...
        unsigned function = 0;   ///< ... in this function (events.hpp)
    };

    /// The lanes that exist.
    explicit Lockstep(std::uint32_t lanes) : lanes_(lanes) {}

    void add(unsigned lane, const Step& step) { steps_[lane].push_back(step); }
    void add_round(unsigned lane, const void* instruction, std::uint32_t depth, unsigned function,
                   unsigned level) {
        Step step{instruction, 0, depth, 0, 0};
        step.level = static_cast<std::uint8_t>(level);
        step.function = function;
        add(lane, step);
    }

    /// These lanes have met in this call: everything that each did before comes before everything that they do now. `exchange`: a shuffle or a vote.
    void meet(std::uint32_t lanes, bool exchange, const void* call, std::uint32_t depth);

    /// Hands over all that was kept: `what(const Step& of_the_first_lane, const WarpAccess&)` for one access of the warp after
    /// another, and `parted(const void* instruction)` for each divergent branch.
    template <class What, class Parted>
    void replay(What what, Parted parted) {
        WarpAccess access;
        find_loops();
        arrive(lanes_);
        look_whether_parted(lanes_);
        while (const Step* const step = next(access)) {
            what(*step, access);
            for (const void* const instruction : parted_) parted(instruction);
            parted_.clear();
        }
        forget();
    }

  private:
    void find_loops();
    const Step* next(WarpAccess& access);
    /// A step, and where in the loops it is.
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
    void stand_together(std::uint32_t lanes);
    void go_on(std::uint32_t lanes);
    void look_whether_parted(std::uint32_t lanes);
    void forget();

    std::array<std::vector<Step>, 32> steps_;
    std::array<std::size_t, 32> next_{};
    Loops loops_;
    std::array<Whereabouts, 32> where_;  ///< where each lane's next step is
    std::uint32_t lanes_;
    std::vector<std::uint8_t> arrived_;  ///< for each meeting: of how many lanes it is the next step
    std::vector<const void*> parted_;    ///< since the last access
};

}  // namespace kit::cpu
