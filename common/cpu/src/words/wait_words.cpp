#include "wait_words.hpp"

#include <cstdio>

#include "phrases.hpp"

namespace kit::cpu {

namespace {

std::string who_waits(const Stuck& stuck) {
    std::string text;
    for (const Waiting& group : stuck.waiting) {
        const bool first = text.empty();
        text += (first ? "" : "; ") + count_threads(group.count);
        if (first) text += " of " + stuck.block + " of `" + stuck.kernel + "`";
        text += (group.count == 1 ? " waits in " : " wait in ") + group.in + " at " + describe(group.at) +
                " (" + group.first + " first)";
        if (group.lanes)
            text += " for the lanes " + hexadecimal(group.lanes) + ", of which " + hexadecimal(group.absent) +
                    " never come";
        else if (group.bytes_expected)
            text += ": all have arrived, but " + count_bytes(group.bytes_expected) +
                    " are expected, and the bulk copies of the phase have " + count_bytes(group.bytes_copied);
        else if (group.expected)
            text += " for " + std::to_string(group.missing) + " more of " + std::to_string(group.expected) +
                    " arrivals";
    }
    if (stuck.returned)
        text += "; " + count_threads(stuck.returned) + (stuck.returned == 1 ? " has" : " have") +
                " returned from the kernel without coming there (" + stuck.first_returned + " first)";
    return text;
}

}  // namespace

Finding in_words(const std::string& kind, const Stuck& stuck, Place place) {
    return {kind, kind + ": " + who_waits(stuck), place};
}

std::string divergence_in_words(const Stuck& others, const std::string& thread, const std::string& what,
                                const Spot& at) {
    const Waiting& group = others.waiting.front();
    return "barrier: " + count_threads(group.count) + " of " + others.block + " of `" + others.kernel +
           "` wait in " + group.in + " at " + describe(group.at) + " (" + group.first + " first), but " +
           thread + " came to another one, " + what + " at " + describe(at) +
           "; all threads of a block must come to the same barrier";
}

std::string lane_not_named(const std::string& what, const Spot& at, std::uint32_t mask, unsigned lane,
                           const std::string& thread) {
    return what + " at " + describe(at) + " names the lanes " + hexadecimal(mask) + ", but lane " +
           std::to_string(lane) + ", which calls it, is not among them (" + thread + ")";
}

std::string arrives_twice(const std::string& thread, const Spot& at) {
    return "barrier: " + thread + " arrives at the barrier of its cluster at " + describe(at) +
           " for the second time, without having waited in between";
}

std::string waits_unarrived(const std::string& thread, const Spot& at) {
    return "barrier: " + thread + " waits at the barrier of its cluster at " + describe(at) +
           ", but has not arrived there";
}

std::string foreign_token(const std::string& thread, const Spot& at) {
    return "barrier: " + thread + " waits at " + describe(at) +
           " with a token that no arrive() of this barrier has returned: keep what arrive() returns, and "
           "wait with it";
}

std::string old_token(const std::string& thread, const Spot& at, unsigned phase, unsigned now) {
    return "barrier: " + thread + " waits at " + describe(at) + " with the token of phase " +
           std::to_string(phase) + ", but phase " + std::to_string(now) +
           " is under way: each wait needs the token of the latest arrive()";
}

std::string grid_sync_refused(const std::string& kernel, Place place) {
    return "grid.sync() at " + describe(place) + " needs a cooperative launch, but `" + kernel +
           "` was launched with <<<>>>; use cudaLaunchCooperativeKernel";
}

std::string grid_sync_left(const std::string& kernel) {
    return "deadlock: some blocks of `" + kernel + "` wait in grid.sync(), the others have ended";
}

std::string endless_family(const std::string& kernel, std::size_t others, double seconds) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", seconds);
    return "`" + kernel + "` and the " + std::to_string(others) +
           " kernels that came of it did not end within " + limit +
           " s: does every kernel launch another one?";
}

std::string endless_kernel(const std::string& kernel, double seconds, const std::string& where) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%.2g", seconds);
    return "`" + kernel + "` did not end within " + limit + " s: " + where;
}

std::string blocks_begun(std::uint64_t begun, std::uint64_t blocks) {
    return std::to_string(begun) + " of its " + std::to_string(blocks) +
           " blocks had begun. KIT_KERNEL_SECONDS sets a larger limit";
}

}  // namespace kit::cpu
