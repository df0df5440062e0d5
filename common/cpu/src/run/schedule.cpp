// The schedule that is in use, from set_schedule() or KIT_SCHEDULE, and the order of blocks.
#include "schedule.hpp"

#include <algorithm>
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

}  // namespace

void run_blocks(std::uint64_t first, std::uint64_t count) {
    chosen_blocks = {first, count};
}

BlockRange blocks_to_run(std::uint64_t count) {
    if (chosen_blocks.count == 0) return {0, count};
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
