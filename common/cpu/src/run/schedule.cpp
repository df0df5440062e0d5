// The schedule that is in use, from set_schedule() or KIT_SCHEDULE, and the order of blocks.
#include "schedule.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace kit::cpu {
namespace {

[[noreturn]] void refuse(const char* text) {
    std::fprintf(stderr,
                 "KIT_SCHEDULE=%s is unknown: use forward, reverse or random:SEED (a whole number).\n", text);
    std::exit(2);
}

Schedule from_environment() {
    const char* text = std::getenv("KIT_SCHEDULE");
    if (!text || !*text || !std::strcmp(text, "forward")) return {};
    if (!std::strcmp(text, "reverse")) return {Order::reverse, 0};
    if (std::strncmp(text, "random:", 7) != 0 || !text[7]) refuse(text);
    char* end = nullptr;
    const auto seed = std::strtoull(text + 7, &end, 10);
    if (*end) refuse(text);
    return {Order::random, seed};
}

Schedule& schedule() {
    static Schedule current = from_environment();
    return current;
}

}  // namespace

Schedule current_schedule() {
    return schedule();
}

void set_schedule(Order order, std::uint64_t seed) {
    static const bool only_random = [] {
        const char* const text = std::getenv("KIT_ORDERS");
        return text && std::strcmp(text, "random") == 0;
    }();
    if (only_random) return void(schedule() = {Order::random, 3 * seed + static_cast<std::uint64_t>(order)});
    schedule() = {order, seed};
}

namespace {

BlockRange chosen_blocks;
bool only_last = false;
std::uint64_t least_threads = 0;  ///< threads of the smallest kernel that runs, with only_last
std::atomic<std::uint64_t> too_small_kernels{0};

}  // namespace

void run_blocks(std::uint64_t first, std::uint64_t count) {
    chosen_blocks = {first, count};
    only_last = false;
}

void run_last_blocks(std::uint64_t count, std::uint64_t threads) {
    chosen_blocks = {0, count};
    only_last = true;
    least_threads = threads;
    too_small_kernels = 0;
}

std::uint64_t kernels_left_out() {
    return too_small_kernels;
}

BlockRange blocks_to_run(std::uint64_t count, std::uint64_t threads_per_block) {
    if (chosen_blocks.count == 0) return {0, count};
    if (only_last) {
        if (count * threads_per_block < least_threads) {
            ++too_small_kernels;
            return {0, 0};
        }
        const std::uint64_t last = std::min(chosen_blocks.count, count);
        return {count - last, last};
    }
    const std::uint64_t first = std::min(chosen_blocks.first, count);
    return {first, std::min(chosen_blocks.count, count - first)};
}

BlockOrder::BlockOrder(Schedule schedule, std::uint64_t count)
    : count_(count), reverse_(schedule.order == Order::reverse) {
    if (schedule.order != Order::random || count < 2) return;
    Dice dice(schedule.seed);
    // A step that has no common factor with the number of blocks visits every block once.
    do step_ = 1 + dice.roll() % (count < 0xFFFFFFFFu ? count : 0xFFFFFFFFu);
    while (std::gcd(step_, count) != 1);
    offset_ = dice.roll() % count;
}

std::uint64_t BlockOrder::operator()(std::uint64_t turn) const {
    if (reverse_) return count_ - 1 - turn;
    if (step_ == 1) return turn + offset_ < count_ ? turn + offset_ : turn + offset_ - count_;
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(turn) * step_ + offset_) % count_);
}

}  // namespace kit::cpu
