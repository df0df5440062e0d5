// The number of devices, which is read once, and for each pair of devices whether one can access the memory
// of the other (one bit).
#include "devices.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {
namespace {

int assumed = 1;
bool asked = false;  // whether a caller has requested the number of devices, so that it can no longer change
thread_local int of_thread = 0;
std::atomic<int> threads{0};
int of_kernel = 0;
bool allowed_to[most_devices][most_devices] = {};
bool impossible[most_devices][most_devices] = {};

int count_devices() {
    asked = true;
    const char* const said = std::getenv("KIT_DEVICES");
    if (!said || !*said) return assumed;
    char* end = nullptr;
    const long count = std::strtol(said, &end, 10);
    if (*end || count < 1 || count > most_devices) {
        std::fprintf(stderr, "kit: KIT_DEVICES=%s is not a number of devices; use 1 to %d\n", said,
                     most_devices);
        std::exit(2);
    }
    return static_cast<int>(count);
}

}  // namespace

void assume_devices(int count) {
    if (!asked) assumed = std::clamp(count, 1, most_devices);
}

int device_count() {
    static const int count = count_devices();
    return count;
}

bool is_device_number(int device) {
    return device >= 0 && device < device_count();
}

int current_device() {
    return in_kernel() ? of_kernel : of_thread;
}

int threads_with_device() {
    return threads;
}

void thread_uses_device() {
    struct Counted {
        Counted() { ++threads; }
        ~Counted() { --threads; }
    };
    static thread_local const Counted this_one;
    (void)this_one;
}

void choose_device_of_thread(int device) {
    thread_uses_device();
    of_thread = device;
}

void kernel_runs_on(int device) {
    of_kernel = device;
}

void set_peer_possible(int device, int owner, bool possible) {
    impossible[device][owner] = !possible;
    allowed_to[device][owner] = false;
}

bool peer_is_possible(int device, int owner) {
    return device != owner && !impossible[device][owner];
}

bool has_access(int device, int owner) {
    return device == owner || allowed_to[device][owner];
}

bool change_access(int device, int owner, bool allowed) {
    if (allowed_to[device][owner] == allowed) return false;
    allowed_to[device][owner] = allowed;
    return true;
}

void forget_access(int device) {
    for (int other = 0; other < most_devices; ++other)
        allowed_to[device][other] = allowed_to[other][device] = false;
}

}  // namespace kit::cpu
