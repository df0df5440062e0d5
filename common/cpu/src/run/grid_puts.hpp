// The questions of a grid about puts and about threads that wait for signals. ranks/puts.cpp answers them. It is part of a library that
// only programs with NVSHMEM link.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

struct Grid;

struct GridPuts {
    /// Returns whether any thread of the grid waits for a signal.
    bool (*waits_for_signals)(const Grid&);
    /// Returns the finding for the case that no signal can arrive.
    Finding (*signal_in_vain)(const Grid&);
    /// Called when the grid has finished. Its puts land with the next call of its PE's host that completes puts.
    void (*outlive)(const Grid&);
};

extern const GridPuts* grid_puts;  ///< null: the program does not use NVSHMEM

}  // namespace kit::cpu
