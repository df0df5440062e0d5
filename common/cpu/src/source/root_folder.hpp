// The folder of the course in which the executor was built.
#pragma once

namespace kit::cpu {

extern const char
    root_folder[];  ///< absolute path without a slash at its end; common/cpu/CMakeLists.txt generates the
                    ///< definition

}  // namespace kit::cpu
