// The schedule: in which order the blocks of a grid, the warps of a block and the lanes of a warp run.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// A small, fast random generator (xorshift64*). Reproducible results matter more here than their quality.
class Dice {
  public:
    explicit Dice(std::uint64_t seed = 1) : state_(seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u) {}

    std::uint32_t roll() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1Du) >> 32);
    }
    bool one_in(unsigned n) { return roll() % n == 0; }

  private:
    std::uint64_t state_;
};

struct Schedule {
    Order order = Order::forward;
    std::uint64_t seed = 0;
};

/// Returns the schedule of later launches, which set_schedule() or KIT_SCHEDULE determines.
Schedule current_schedule();

/// The range of blocks that run, of a grid of `count` blocks. The range contains all blocks unless
/// run_blocks() or run_last_blocks() limits it.
struct BlockRange {
    std::uint64_t first = 0, count = 0;
};
BlockRange blocks_to_run(std::uint64_t count, std::uint64_t threads_per_block);

/// Returns the next candidate according to `order`. `mask` has one bit for each candidate and is not zero.
inline unsigned pick(std::uint32_t mask, Order order, Dice& dice) {
    switch (order) {
        case Order::forward:
            return static_cast<unsigned>(__builtin_ctz(mask));
        case Order::reverse:
            return 31u - static_cast<unsigned>(__builtin_clz(mask));
        case Order::random:
            break;
    }
    // All candidates have the same probability: clear a random number of low bits, and take the lowest bit
    // that is left.
    for (unsigned skip = dice.roll() % static_cast<unsigned>(__builtin_popcount(mask)); skip > 0; --skip) {
        mask &= mask - 1;
    }
    return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Returns the three-dimensional index of the element with this linear index in a grid or a block of this
/// size.
inline uint3 unflatten(std::uint64_t index, const dim3& size) {
    if (index < size.x) return {static_cast<unsigned>(index), 0, 0};
    const std::uint64_t rows = index / size.x;
    return {static_cast<unsigned>(index % size.x), static_cast<unsigned>(rows % size.y),
            static_cast<unsigned>(rows / size.y)};
}

/// The order in which the blocks of a grid start: a permutation of 0 .. count-1.
class BlockOrder {
  public:
    BlockOrder(Schedule schedule, std::uint64_t count);
    std::uint64_t operator()(std::uint64_t turn) const;

  private:
    std::uint64_t count_, step_ = 1, offset_ = 0;
    bool reverse_ = false;
};

}  // namespace kit::cpu
