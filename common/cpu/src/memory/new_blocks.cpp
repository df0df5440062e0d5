// Watches new blocks of the host's heap. The number of watched blocks is fixed, so that recording a block in
// malloc does not allocate.
#include "new_blocks.hpp"

#include <dlfcn.h>

#include <kit_cpu/executor.hpp>
#include <kit_cpu/timeline.hpp>

#include "source/source_lines.hpp"

namespace kit::cpu {

std::atomic<bool> notes_new_blocks{false};

namespace {

constexpr int most_new_blocks = 4096;

struct NewBlock {
    const void* begin = nullptr;
    const void* caller = nullptr;
};
NewBlock new_blocks[most_new_blocks];
std::atomic<int> noted_blocks{0};
std::atomic_flag noting = ATOMIC_FLAG_INIT;

/// A lock without a mutex, because a mutex could allocate.
struct Alone {
    Alone() {
        while (noting.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Alone() { noting.clear(std::memory_order_release); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
};

/// Returns whether the caller is code of the program, not of the executor.
bool is_of_program(const void* caller) {
    Dl_info here = {}, there = {};
    return dladdr(caller, &there) && dladdr(static_cast<const void*>(&notes_new_blocks), &here) &&
           there.dli_fbase != here.dli_fbase;
}

}  // namespace

void watch_new_block(const void* begin, const void* caller) {
    const Alone alone;
    if (noted_blocks < most_new_blocks) new_blocks[noted_blocks++] = {begin, caller};
}

void forget_watched(const void* begin) {
    if (noted_blocks == 0) return;
    const Alone alone;
    for (int i = 0; i < noted_blocks; ++i)
        if (new_blocks[i].begin == begin) new_blocks[i] = {};
}

void begin_host_blocks() {
    noted_blocks = 0;
    notes_new_blocks = true;
}

void end_host_blocks() {
    notes_new_blocks = false;
}

std::vector<std::string> host_blocks_left() {
    std::vector<std::string> lines;
    const int count = noted_blocks.exchange(0);
    for (int i = 0; i < count; ++i) {
        const NewBlock one = new_blocks[i];
        if (!one.begin || !is_of_program(one.caller)) continue;
        const Place place = look_up(place_of_call(one.caller));
        if (place.line > 0 && std::string(place.file).find("kit_cpu") == std::string::npos)
            lines.push_back(line_in_words(place));
    }
    return lines;
}

}  // namespace kit::cpu
