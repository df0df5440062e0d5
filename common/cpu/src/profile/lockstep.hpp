// From what each lane did, one after another, to what the warp did.
//
// The executor runs a thread until it waits; a GPU runs the lanes of a warp side by side. So each lane's steps are kept, and
// replayed as a warp takes them: of the lanes' next steps those go first that lie deepest in calls, and of these the lowest
// instruction. Lanes that left a loop early so wait behind it for the others, as they do on a GPU. Which lane ran first makes no
// difference.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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
        std::uint8_t meeting;  ///< instead of an access: lanes that named each other meet here
    };

    void add(unsigned lane, const Step& step) { steps_[lane].push_back(step); }

    /// These lanes have met: what each did before comes before all that they do now.
    void meet(std::uint32_t lanes);

    /// Hands over all that was kept: `what(const Step& of_the_first_lane, const WarpAccess&)` for one access of the warp after
    /// another.
    template <class What>
    void replay(What what) {
        WarpAccess access;
        while (const Step* const step = next(access)) what(*step, access);
        forget();
    }

  private:
    const Step* next(WarpAccess& access);
    void forget();

    std::array<std::vector<Step>, 32> steps_;
    std::array<std::size_t, 32> next_{};
};

}  // namespace kit::cpu
