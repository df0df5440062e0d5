// Functions that a grid calls about puts of NVSHMEM and about threads that wait for signals. ranks/puts.cpp
// implements them, in a library that is linked only into programs with NVSHMEM.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

struct Grid;

struct GridPuts {
    /// Returns whether any thread of the grid waits for a signal.
    bool (*waits_for_signals)(const Grid&);
    /// Returns the finding for a grid whose threads wait for a signal that cannot arrive.
    Finding (*signal_in_vain)(const Grid&);
    /// Called when the grid has finished. The grid's puts land when the host of the grid's PE next calls a
    /// function that completes puts.
    void (*outlive)(const Grid&);
};

extern const GridPuts* grid_puts;  ///< null if the program does not use NVSHMEM

}  // namespace kit::cpu
