# Thrust, CUB and libcu++ for the CPU backend: the headers of a CUDA toolkit, or those of the distribution's packages. A C++ compiler
# compiles these headers, without nvcc's macros. For this purpose, CMake generates a small header with the name of each of these headers,
# which the compiler finds first. The device system of Thrust is the executor's (kit_cpu/thrust_system.hpp).
#
# Sets KIT_CCCL_FOLDER, the folder of the headers, or empty if there are none, and KIT_LIBCUDACXX if it has libcu++ 2 or newer. Older
# versions lack most of cuda::std, so the executor then uses its own headers. Adds the folders to the target kit_cuda_common.

find_path(KIT_CCCL_INCLUDE thrust/version.h
    HINTS /usr/local/cuda/include/cccl /usr/local/cuda/include $ENV{CUDA_PATH}/include/cccl $ENV{CUDA_PATH}/include
    DOC "The folder with the headers of Thrust, CUB and libcu++")
mark_as_advanced(KIT_CCCL_INCLUDE)
set(KIT_CCCL_FOLDER "")
set(KIT_LIBCUDACXX OFF)
if(NOT KIT_CCCL_INCLUDE OR NOT EXISTS ${KIT_CCCL_INCLUDE}/cub/version.cuh)
    return()
endif()
set(KIT_CCCL_FOLDER ${KIT_CCCL_INCLUDE})
set(KIT_CCCL_WRAPPERS ${CMAKE_BINARY_DIR}/header_libraries)

# kit_library_header(name text...)
function(kit_library_header name)
    list(JOIN ARGN "\n" text)
    file(CONFIGURE OUTPUT ${KIT_CCCL_WRAPPERS}/${name} @ONLY CONTENT "#pragma once\n${text}\n")
endfunction()

# The headers that programs include. Those of libcu++ that the executor has itself come first in the compiler's path.
if(EXISTS ${KIT_CCCL_FOLDER}/cuda/std/span)
    set(KIT_LIBCUDACXX ON)
endif()
set(libcudacxx "")
if(KIT_LIBCUDACXX)
    set(libcudacxx ${KIT_CCCL_FOLDER}/cuda/* ${KIT_CCCL_FOLDER}/cuda/std/* ${KIT_CCCL_FOLDER}/cuda/__ptx/ptx_dot_variants.h)
    target_compile_definitions(kit_cuda_common INTERFACE KIT_LIBCUDACXX)
endif()
file(GLOB headers RELATIVE ${KIT_CCCL_FOLDER} ${libcudacxx} ${KIT_CCCL_FOLDER}/nv/target
    ${KIT_CCCL_FOLDER}/thrust/*.h ${KIT_CCCL_FOLDER}/thrust/iterator/*.h ${KIT_CCCL_FOLDER}/thrust/random/*.h ${KIT_CCCL_FOLDER}/thrust/mr/*.h
    ${KIT_CCCL_FOLDER}/thrust/type_traits/*.h ${KIT_CCCL_FOLDER}/thrust/system/*.h ${KIT_CCCL_FOLDER}/thrust/system/c*/*.h)
set(hidden __CUDACC__ __NVCC__ __CUDA_ARCH__)
list(TRANSFORM hidden REPLACE "(.+)" "#pragma push_macro(\"\\1\")\n#undef \\1" OUTPUT_VARIABLE hide)
list(TRANSFORM hidden REPLACE "(.+)" "#pragma pop_macro(\"\\1\")" OUTPUT_VARIABLE show)
# GCC warns about variables of the libraries when it inlines their functions into those of a program.
list(PREPEND hide "#pragma GCC diagnostic push" "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
list(APPEND show "#pragma GCC diagnostic pop")
foreach(header IN LISTS headers)
    if(NOT IS_DIRECTORY ${KIT_CCCL_FOLDER}/${header})
        kit_library_header(${header} "#pragma GCC system_header" ${hide} "#include_next <${header}>" ${show})
    endif()
endforeach()

# Parts of libcu++ that use the synchronization of a GPU.
foreach(header IN ITEMS cuda/latch cuda/semaphore cuda/std/barrier cuda/std/latch cuda/std/semaphore)
    kit_library_header(${header} "#error \"<${header}> is not supported by the CPU backend: barriers are in cuda/barrier\"")
endforeach()

# Thrust's device system. The headers of the device system contain the algorithms by name. Algorithms that are not listed need no separate
# code, because Thrust builds them on listed ones.
file(GLOB headers RELATIVE ${KIT_CCCL_FOLDER} ${KIT_CCCL_FOLDER}/thrust/system/cuda/detail/*.h)
list(FILTER headers EXCLUDE REGEX "guarded|terminate")
foreach(header IN LISTS headers)
    kit_library_header(${header} "#include <kit_cpu/thrust_system.hpp>")
endforeach()
kit_library_header(thrust/system/cuda/detail/execution_policy.h "#include <kit_cpu/thrust_policy.hpp>")
kit_library_header(thrust/system/cuda/config.h "#include <thrust/detail/config.h>")

function(kit_thrust_algorithms header)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRATCH" "")
    set(lines "")
    foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
        if(NOT arg_SCRATCH)
            list(APPEND lines "KIT_THRUST_ALGORITHM(${name})")
        elseif(name MATCHES "by_key")
            list(APPEND lines "KIT_THRUST_ALGORITHM_WITH(${name}, ${arg_SCRATCH}_by_key(arguments...))")
        else()
            list(APPEND lines "KIT_THRUST_ALGORITHM_WITH(${name}, ${arg_SCRATCH}(arguments...))")
        endif()
    endforeach()
    kit_library_header(thrust/system/cuda/detail/${header}.h "#include <thrust/system/detail/sequential/${header}.h>"
        "#include <kit_cpu/thrust_system.hpp>" ${lines})
endfunction()
kit_thrust_algorithms(adjacent_difference adjacent_difference)
kit_thrust_algorithms(binary_search lower_bound upper_bound binary_search)
kit_thrust_algorithms(copy_if copy_if)
kit_thrust_algorithms(extrema min_element max_element minmax_element)
kit_thrust_algorithms(find find_if)
kit_thrust_algorithms(merge merge merge_by_key)
kit_thrust_algorithms(partition partition stable_partition stable_partition_copy SCRATCH scratch_bytes)
kit_thrust_algorithms(reduce reduce)
kit_thrust_algorithms(reduce_by_key reduce_by_key)
kit_thrust_algorithms(remove remove_if remove_copy_if)
kit_thrust_algorithms(scan inclusive_scan exclusive_scan)
kit_thrust_algorithms(scan_by_key inclusive_scan_by_key exclusive_scan_by_key)
kit_thrust_algorithms(set_operations set_difference set_intersection set_symmetric_difference set_union)
kit_thrust_algorithms(sort stable_sort stable_sort_by_key SCRATCH scratch_bytes)
kit_thrust_algorithms(unique unique unique_copy unique_count)
kit_thrust_algorithms(unique_by_key unique_by_key unique_by_key_copy)

# The executor has half and bfloat16, and no smaller types.
target_compile_definitions(kit_cuda_common INTERFACE CCCL_DISABLE_NVFP8_SUPPORT)
# CUB: its headers are translated, because they contain shared variables and PTX.
set(kit_translated_libraries ${KIT_CCCL_WRAPPERS} ${KIT_CCCL_FOLDER})
file(GLOB headers RELATIVE ${KIT_CCCL_FOLDER} ${KIT_CCCL_FOLDER}/cub/block/*.cuh ${KIT_CCCL_FOLDER}/cub/warp/*.cuh
    ${KIT_CCCL_FOLDER}/cub/iterator/*.cuh ${KIT_CCCL_FOLDER}/cub/thread/*.cuh)
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>")
kit_library_header(cub/cub.cuh ${headers} "#include <cub/device/device_reduce.cuh>")
file(GLOB headers RELATIVE ${KIT_CCCL_FOLDER} ${KIT_CCCL_FOLDER}/cub/device/*.cuh)
foreach(header IN LISTS headers)
    if(header MATCHES "device_(reduce|scan|radix_sort|select|partition|run_length_encode|segmented_reduce)\\.")
        kit_library_header(${header} "#include <cub/config.cuh>" "#include <cub/util_type.cuh>" "#include <kit_cpu/cub_device.hpp>")
    else()
        kit_library_header(${header} "#error \"<${header}> is not supported by the CPU backend: of CUB's device-wide functions, it has \\
reductions, scans, radix sorts, selections and partitions\"")
    endif()
endforeach()

set(KIT_CCCL_OPTION "SHELL:-isystem ${KIT_CCCL_FOLDER}")
if(KIT_CCCL_FOLDER MATCHES "^/usr(/local)?/include$")  # the compiler searches it anyway
    set(KIT_CCCL_OPTION "")
endif()
target_compile_options(kit_cuda_common INTERFACE "SHELL:-isystem ${KIT_CCCL_WRAPPERS}" ${KIT_CCCL_OPTION})
