// Which device is meant, which one it would have to be, and the call that makes it so.
#include "device_words.hpp"

#include "finding.hpp"

namespace kit::cpu {

std::string name_device(int device) {
    return "device " + std::to_string(device);
}

Finding event_of_another(const char* call, int event_device, int stream_device, Place place) {
    return {"argument",
            std::string(call) + " of an event of " + name_device(event_device) + " in a stream of " +
                name_device(stream_device) + " at " + describe(place) +
                ": an event is recorded on the device where it was created; streams of any device may wait "
                "for it",
            place};
}

Finding memory_of_another(const char* call, const std::string& memory, int said, int owner, Place place) {
    return {"argument",
            std::string(call) + " is told that " + memory + " are on " + name_device(said) +
                "; they are on " + name_device(owner) + " (" + describe(place) + ")",
            place};
}

Finding fill_of_another(const char* call, int device, int owner, Place place) {
    return {"argument",
            std::string(call) + " at " + describe(place) + " fills memory of " + name_device(owner) +
                " in a stream of " + name_device(device) +
                ", as a kernel there would: cudaDeviceEnablePeerAccess(" + std::to_string(owner) +
                ", 0) while " + name_device(device) + " is current comes first, or a stream of " +
                name_device(owner),
            place};
}

std::string no_access_to(const std::string& memory, int device, int owner, bool stream_ordered) {
    const std::string what =
        memory + " is memory of " + name_device(owner) + ", and the kernel runs on " + name_device(device);
    if (stream_ordered)
        return what +
               ": what cudaMallocAsync gives is closed to other devices, also where peer access is enabled; "
               "allocate it with cudaMalloc";
    return what + ": cudaDeviceEnablePeerAccess(" + std::to_string(owner) + ", 0) while " +
           name_device(device) + " is current comes first";
}

}  // namespace kit::cpu
