// The devices that a test can try its exercise on, where the answer depends on the device.
#pragma once

#include <string>
#include <vector>
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

/// The devices that can be tried here: the CPU executor stands for any of three, a GPU for itself.
inline std::vector<std::string> devices() {
#ifdef KIT_CPU
    return {"h200", "a100", "t4"};
#else
    return {"this GPU"};
#endif
}

/// While it lives, the CPU executor stands for the device.
class CurrentDevice {
  public:
    explicit CurrentDevice([[maybe_unused]] const std::string& key) {
#ifdef KIT_CPU
        kit::cpu::set_device(key.c_str());
#endif
    }
    ~CurrentDevice() {
#ifdef KIT_CPU
        kit::cpu::set_device(nullptr);
#endif
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;
};

}  // namespace kit
