// roofs.hpp: what this device can do at most, as measured in this process. The demos hold their times against it.
#pragma once

namespace kit {

struct Roofs {
    double copy_gb_per_s = 0;       ///< device-to-device copy, read plus written, 10^9 bytes per second
    double shared_gb_per_s = 0;     ///< shared memory, 16-byte reads without bank conflicts, whole device
    double fp32_tflop_per_s = 0;    ///< multiply-adds of 32-bit floats, two operations each, 10^12 per second
    double launch_us = 0;           ///< one of many empty kernels, one behind the other in a stream
    double launch_and_wait_us = 0;  ///< an empty kernel and a wait for it
    double graph_node_us = 0;       ///< one of many empty kernels of a graph, one behind the other
};

/// Measured at the first call, which takes some tenths of a second. On the CPU executor all are 0: its times say nothing
/// about a GPU.
const Roofs& roofs();

}  // namespace kit
