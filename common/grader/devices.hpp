// The devices on which a test can run its exercise, if the correct result depends on the device.
#pragma once

#include <string>
#include <vector>
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

/// Returns the devices that are available: three that the CPU executor can simulate, or the GPU itself.
inline std::vector<std::string> devices() {
#ifdef KIT_CPU
    return {"h200", "a100", "t4"};
#else
    return {"this GPU"};
#endif
}

/// Makes the CPU executor simulate the device during the lifetime of the object.
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
