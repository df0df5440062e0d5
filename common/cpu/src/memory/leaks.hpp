// Memory that nobody has freed, told at the end of the program when KIT_LEAKS=1 asks for it.
#pragma once

namespace kit::cpu {

/// Called by whatever allocates; the first call reads the environment.
void watch_for_leaks();

}  // namespace kit::cpu
