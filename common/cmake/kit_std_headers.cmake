# Headers of libcu++ that stand for those of the C++ library: <cuda/std/array> includes <array>, and cuda::std has all names of std. They
# are written when the build is configured.

# kit_std_headers(standard header...): `standard` is the value of __cplusplus that the header of the C++ library needs.
function(kit_std_headers standard)
    foreach(header IN LISTS ARGN)
        set(text "// -*- C++ -*-\n#pragma once\n")
        if(standard GREATER 201703)
            string(APPEND text "#if __cplusplus < ${standard}L\n"
                "#error \"<cuda/std/${header}> is not supported by the CPU backend before C++20: compile with -std=c++20\"\n#endif\n")
        endif()
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/std_headers/cuda/std/${header}
            CONTENT "${text}#include <${header}>\n\n#include <cuda/std/utility>\n")
    endforeach()
endfunction()

kit_std_headers(201703 array bitset cassert cfloat chrono climits cmath complex cstddef cstdint cstdlib cstring ctime functional
    initializer_list iterator limits memory numeric optional ratio string_view tuple type_traits variant)
kit_std_headers(202002 bit concepts numbers span)
