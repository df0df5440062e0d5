// What a grid asks about puts, and about threads that wait for signals. The answers come from ranks/puts.cpp, which is part of a library that
// only programs with NVSHMEM link.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

struct Grid;

struct GridPuts {
    /// Does any thread of the grid wait for a signal?
    bool (*waits_for_signals)(const Grid&);
    /// What is to be said if no signal can come.
    Finding (*signal_in_vain)(const Grid&);
    /// The grid has ended. What it has put lands with the next call of its PE's host that completes puts.
    void (*outlive)(const Grid&);
};

extern const GridPuts* grid_puts;  ///< null: the program does not use NVSHMEM

}  // namespace kit::cpu
