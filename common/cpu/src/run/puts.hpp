// Puts that have not landed, and threads that wait for signals.
#pragma once

#include <kit_cpu/executor.hpp>
#include <kit_cpu/puts.hpp>

namespace kit::cpu {

struct Grid;

/// Does any thread of the grid wait for a signal? And what is to be said if none can come.
bool waits_for_signals(const Grid& grid);
Finding signal_in_vain(const Grid& grid);

/// The grid has ended. What it has put and nobody has waited for lands with the next call of its PE's host that completes puts.
void puts_outlive(const Grid& grid);
void land_puts_of(int pe);
void forget_puts();

}  // namespace kit::cpu
