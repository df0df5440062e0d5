// For contracts that allow more than 2^32 elements: on the executor, runs only the last blocks of such a launch, and only their
// elements exist.
#pragma once

#include <cstddef>
#include <vector>

#include "grader.cuh"
#include "remembered.hpp"

namespace kit {

/// Whether the results of all cases so far were right. Only then does a mistake in the largest case come from its size.
class EarlierCases {
  public:
    void begin() { ++state_->begun; }
    void right() { ++state_->right; }
    bool all_right() const { return detail::passed("earlier cases", state_->begun == state_->right); }

  private:
    struct State {
        int begun, right;
    };
    Remembered<State> state_;
};

#ifdef KIT_CPU
/// While it exists, only the last blocks of a kernel run, and none of a kernel with fewer than `threads` threads.
class LastBlocks {
  public:
    explicit LastBlocks(std::uint64_t threads) { cpu::run_last_blocks(4, threads); }
    /// Waits for the kernels.
    ~LastBlocks() {
        cudaDeviceSynchronize();
        cpu::run_blocks(0, 0);
    }
    LastBlocks(const LastBlocks&) = delete;
    LastBlocks& operator=(const LastBlocks&) = delete;

    /// Waits for the kernels, and returns whether one had fewer threads than that.
    bool left_out() const {
        cudaDeviceSynchronize();
        return cpu::kernels_left_out() > 0;
    }
};

/// Returns whether the last element has been written, and none before element `first`.
inline bool wrote_only_the_end(const std::vector<float>& got, std::size_t first) {
    for (std::size_t i = 0; i < first; ++i)
        if (!detail::is_poison(got[i])) return false;
    return !got.empty() && !detail::is_poison(got.back());
}

/// Explains each symptom of an index of 32 bits in a case with more than 2^32 elements.
inline Said explain_narrow_index(Case& test, const Said& task) {
    const Said why =
        "this case has more than 2^32 elements: make each index and each size 64 bits wide before you "
        "multiply" +
        task;
    for (const Diagnosis one : {Diagnosis::out_of_bounds, Diagnosis::race, Diagnosis::timeout})
        test.explain(one, why);
    return why;
}

/// Compares the elements that the last blocks have written, and demands the last one.
inline void expect_end(Case& test, const std::vector<float>& got, const std::vector<float>& want,
                       const Said& why) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) wrong += !detail::is_poison(got[i]) && got[i] != want[i];
    test.check(wrong == 0, detail::count_of(wrong, "value") + " of the last blocks are wrong: " + why);
    test.check(!got.empty() && !detail::is_poison(got.back()),
               "the last blocks have not written the last element: " + why, Diagnosis::tail);
}
#endif

/// States below a passing verdict of the CPU backend that no case has more than 2^bits `units`. `name`: a case of the test.
inline void tell_not_tried([[maybe_unused]] Grader& grader, [[maybe_unused]] const std::string& name,
                           [[maybe_unused]] int bits, [[maybe_unused]] const std::string& units) {
#ifdef KIT_CPU
    grader.afterwards(name, [=](Case& test) { test.not_tried(bits, units); });
#endif
}

}  // namespace kit
