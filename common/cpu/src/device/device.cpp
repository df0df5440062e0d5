// The devices that can be simulated, and the API functions that return their properties.
#include "device.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/executor.hpp>

#ifndef KIT_DEFAULT_DEVICE
#define KIT_DEFAULT_DEVICE "h200"
#endif

namespace kit::cpu {
namespace {

// Sources of these numbers: NVIDIA's data sheets and tuning guides, and deviceQuery on each device.
constexpr Device devices[] = {
    {"h200", "NVIDIA H200", 9, 0, 132, 150110011392, 232448, 233472, 1024, 2048, 32, 62914560, 39321600,
     134217728, 6144, 1980000, 3201000, 3, 2},
    {"a100", "NVIDIA A100-SXM4-40GB", 8, 0, 108, 42297786368, 166912, 167936, 1024, 2048, 32, 41943040,
     31457280, 134213632, 5120, 1410000, 1215000, 3, 2},
    {"t4", "Tesla T4", 7, 5, 40, 15655829504, 65536, 65536, 0, 1024, 16, 4194304, 0, 0, 256, 1590000, 5001000,
     3, 32},
};

std::atomic<const Device*> current{nullptr};

const Device& choose_device() {
    const char* wanted = std::getenv("KIT_DEVICE");
    if (!wanted || !*wanted) wanted = KIT_DEFAULT_DEVICE;
    std::string names;
    if (const Device* known = find_device(wanted)) return *known;
    for (const Device& device : devices) names += std::string(names.empty() ? "" : ", ") + device.key;
    std::fflush(stdout);
    std::fprintf(stderr, "kit: KIT_DEVICE=%s is not a device; choose one of %s.\n", wanted, names.c_str());
    std::exit(2);
}

}  // namespace

const Device& device() {
    const Device* now = current.load(std::memory_order_relaxed);
    if (!now) current = now = &choose_device();
    return *now;
}

void set_device(const char* key) {
    const Device* const wanted = key ? find_device(key) : &choose_device();
    if (!wanted) {
        std::fprintf(stderr, "kit: set_device(\"%s\"): there is no such device\n", key);
        std::abort();
    }
    current = wanted;
}

const Device* find_device(const std::string& key) {
    for (const Device& device : devices)
        if (key == device.key) return &device;
    return nullptr;
}

}  // namespace kit::cpu
