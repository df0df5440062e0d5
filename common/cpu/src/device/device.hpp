// The device that the executor simulates: its limits and its properties.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <string>

namespace kit::cpu {

/// The facts that differ between devices. All other facts are constants.
struct Device {
    const char* key;   ///< value of KIT_DEVICE
    const char* name;  ///< name in cudaDeviceProp
    int major, minor;
    int multiprocessors;
    std::size_t memory;  ///< size of its memory in bytes
    std::size_t shared_per_block_optin, shared_per_multiprocessor, shared_reserved;
    int threads_per_multiprocessor, blocks_per_multiprocessor;
    int l2_bytes, l2_persisting_bytes, access_window_bytes;
    int bus_bits, clock_khz, memory_clock_khz;
    int copy_engines;
    int single_to_double;  ///< ratio of the peak rates of single and double precision
};

// These values are the same on every device.
constexpr std::size_t shared_per_block = 49152;
constexpr int registers_per_block = 65536;
constexpr int max_block_threads = 1024;
constexpr unsigned max_block_dim[3] = {1024, 1024, 64};
constexpr unsigned max_grid_dim[3] = {2147483647, 65535, 65535};

/// Returns the device that the environment variable KIT_DEVICE names, h200 by default. An unknown name ends
/// the program.
const Device& device();

/// Returns the value that cudaDeviceSetLimit set for this limit, or the default.
std::size_t device_limit(cudaLimit limit);

/// Returns the device with this key; null if there is none.
const Device* find_device(const std::string& key);

}  // namespace kit::cpu
