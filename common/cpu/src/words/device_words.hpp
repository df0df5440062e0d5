// The sentences about several devices: whose memory, whose event.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// "device 1"
std::string name_device(int device);

/// `call`: what records.
Finding event_of_another(const char* call, int event_device, int stream_device, Place place);

/// cudaMemcpyPeer says that the memory is on the one device, and it is on the other. `memory`: with its size.
Finding memory_of_another(const char* call, const std::string& memory, int said, int owner, Place place);

/// cudaMemset of memory that the stream's device may not touch.
Finding fill_of_another(const char* call, int device, int owner, Place place);

/// Why a kernel may not touch what it touches. `stream_ordered`: by cudaMallocAsync.
std::string no_access_to(const std::string& memory, int device, int owner, bool stream_ordered);

}  // namespace kit::cpu
