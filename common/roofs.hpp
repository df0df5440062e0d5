// roofs.hpp: the limits of this device, measured in this process. The demos compare their times with them.
#pragma once

namespace kit {

struct Roofs {
    double copy_gb_per_s = 0;       ///< device-to-device copy, read plus written, 10^9 bytes per second
    double shared_gb_per_s = 0;     ///< shared memory, 16-byte reads without bank conflicts, whole device
    double fp32_tflop_per_s = 0;    ///< multiply-adds of 32-bit floats, two operations each, 10^12 per second
    double launch_us = 0;           ///< per kernel, for many empty kernels in one stream
    double launch_and_wait_us = 0;  ///< an empty kernel and a wait for it
    double graph_node_us = 0;       ///< per kernel, for a graph that is a chain of many empty kernels
};

/// Returns the limits. The first call measures them, which takes a few tenths of a second. On the CPU executor all are 0, because its
/// times say nothing about a GPU.
const Roofs& roofs();

}  // namespace kit
