# Headers that only include another one. They are written when the build is configured: the headers of libcu++ that stand for those of the
# C++ library (<cuda/std/array> includes <array>, and cuda::std has all names of std), and the headers of CUDA whose contents a header in
# common/cpu/include declares.

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

# Where libcu++ is installed, programs get libcu++ instead (kit_header_libraries.cmake).
if(KIT_LIBCUDACXX)
    file(REMOVE_RECURSE ${CMAKE_BINARY_DIR}/std_headers/cuda/std)
else()
    kit_std_headers(201703 array bitset cassert cfloat chrono climits cmath complex cstddef cstdint cstdlib cstring ctime functional
        initializer_list iterator limits memory numeric optional ratio string_view tuple type_traits variant)
    kit_std_headers(202002 bit concepts numbers span)
endif()

# kit_forward_headers(declares header...): `declares` is the header that has everything.
function(kit_forward_headers declares)
    foreach(header IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER "__${header}__" guard)
        string(TOUPPER ${guard} guard)  # programs test it
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/std_headers/${header}
            CONTENT "// -*- C++ -*-\n#pragma once\n#ifndef ${guard}\n#define ${guard}\n#endif\n\n#include <${declares}>\n")
    endforeach()
endfunction()

kit_forward_headers(cuda_runtime.h builtin_types.h common_functions.h cuda_device_runtime_api.h device_types.h driver_functions.h
    host_config.h surface_indirect_functions.h texture_indirect_functions.h)
kit_forward_headers(device_functions.h device_atomic_functions.h device_double_functions.h math_functions.h sm_20_atomic_functions.h
    sm_20_intrinsics.h sm_30_intrinsics.h sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_atomic_functions.h sm_35_intrinsics.h
    sm_60_atomic_functions.h sm_61_intrinsics.h)
kit_forward_headers(driver_types.h surface_types.h texture_types.h)
kit_forward_headers(kit_cpu/thread.hpp device_launch_parameters.h)
kit_forward_headers(cuda_pipeline_primitives.h cuda_pipeline.h)
kit_forward_headers(nvtx3/nvToolsExt.h nvToolsExt.h nvtx3/nvToolsExtCudaRt.h)
kit_forward_headers(cuda/atomic cuda/std/atomic)
