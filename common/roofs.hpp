// roofs.hpp: the limits of the current device, which this process measures. The demos compare their times
// with these limits.
#pragma once

namespace kit {

struct Roofs {
    double copy_gb_per_s = 0;       ///< bandwidth of a device-to-device copy, read plus written, in 10^9
                                    ///< bytes per second
    double shared_gb_per_s = 0;     ///< bandwidth of shared memory on the whole device, with 16-byte reads
                                    ///< without bank conflicts
    double fp32_tflop_per_s = 0;    ///< rate of 32-bit floating-point operations; a multiply-add counts as
                                    ///< two
    double launch_us = 0;           ///< time per kernel for many empty kernels in one stream
    double launch_and_wait_us = 0;  ///< time of an empty kernel and a wait for it
    double graph_node_us = 0;       ///< time per kernel for a graph that is a chain of many empty kernels
};

/// Returns the limits. The first call measures the limits, which takes some tenths of a second. On the CPU
/// executor all limits are 0, because its times say nothing about a GPU.
const Roofs& roofs();

}  // namespace kit
