// The folder of the course that the executor was built in.
#pragma once

namespace kit::cpu {

extern const char
    root_folder[];  ///< an absolute path without a slash at its end; common/cpu/CMakeLists.txt writes it

}  // namespace kit::cpu
