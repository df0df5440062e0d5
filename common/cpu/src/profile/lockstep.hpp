// From what each lane did, one after another, to what the warp did.
//
// The executor runs a thread until it waits; a GPU runs the lanes of a warp side by side. So each lane's steps are kept, and
// replayed as a warp takes them: of the lanes' next steps those go first that lie deepest in calls, of these those that have gone round
// their loop less often, and of these the lowest instruction. So lanes that left a loop early wait behind it for the others, and lanes
// that had less to do in a round wait for the next one, as they do on a GPU. Which lane ran first makes no difference.
//
// Where lanes have met, in a barrier of the warp, a shuffle or a vote, none of them goes on before all are there. A meeting of the whole
// warp ends what there is to replay; of some lanes it is a step like another one.
//
// Lanes that have come together part where their next steps differ: a divergent branch lies between. Of the ways that they go each
// but the last one counts as one, at its first step. A branch is not seen if no way has a step before all are together again.
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
        std::uint32_t meets =
            0;  ///< instead of an access: these lanes meet here; which of their meetings, says the address
    };

    /// The lanes that exist.
    explicit Lockstep(std::uint32_t lanes) : lanes_(lanes) {}

    void add(unsigned lane, const Step& step) { steps_[lane].push_back(step); }

    /// These lanes have met in this call: what each did before comes before all that they do now. True if it is time to
    /// replay, as all lanes stand at one place.
    bool meet(std::uint32_t lanes, const void* call, std::uint32_t depth);

    /// Hands over all that was kept: `what(const Step& of_the_first_lane, const WarpAccess&)` for one access of the warp after
    /// another, and `parted(const void* instruction)` for each divergent branch.
    template <class What, class Parted>
    void replay(What what, Parted parted) {
        WarpAccess access;
        find_loops();
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
    int compare(unsigned a, unsigned b) const;
    const Step* step_of(unsigned lane) const {
        return next_[lane] == steps_[lane].size() ? nullptr : &steps_[lane][next_[lane]];
    }
    bool is_waiting(unsigned lane) const;
    void go_on(std::uint32_t lanes);
    void look_whether_parted(std::uint32_t lanes);
    void forget();

    std::array<std::vector<Step>, 32> steps_;
    std::array<std::size_t, 32> next_{};
    Loops loops_;
    std::array<Whereabouts, 32> where_;  ///< where each lane's next step is
    std::uint32_t lanes_;
    std::uint64_t meetings_ = 0;
    std::vector<const void*> parted_;  ///< since the last access
};

}  // namespace kit::cpu
