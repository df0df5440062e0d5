# Chooses the backend: sets KIT_USE to GPU or CPU, prints the reason, and creates the targets with the options for CUDA code.

# Finds the CUDA compiler. The result is empty if there is none.
function(kit_find_nvcc result)
    set(found "")
    if(KIT_NVCC)
        if(NOT KIT_NVCC STREQUAL "none")
            set(found "${KIT_NVCC}")
        endif()
    elseif(CMAKE_CUDA_COMPILER)
        set(found "${CMAKE_CUDA_COMPILER}")
    elseif(DEFINED ENV{CUDACXX})
        set(found "$ENV{CUDACXX}")
    else()
        find_program(program nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin NO_CACHE)
        if(program)
            set(found "${program}")
        endif()
    endif()
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Finds the compute capabilities of the visible GPUs, such as 90. The result is empty if there is none.
function(kit_find_gpus nvcc result)
    set(found "")
    get_filename_component(toolkit "${nvcc}" DIRECTORY)
    find_program(query __nvcc_device_query HINTS ${toolkit} NO_CACHE)
    if(query)
        execute_process(COMMAND ${query} OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status)
        if(status EQUAL 0)
            string(REGEX MATCHALL "[0-9]+" found "${answer}")
        endif()
    endif()
    find_program(smi nvidia-smi NO_CACHE)
    if(NOT found AND smi)
        execute_process(COMMAND ${smi} --query-gpu=compute_cap --format=csv,noheader
            OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status)
        if(status EQUAL 0)
            string(REPLACE "." "" answer "${answer}")
            string(REGEX MATCHALL "[0-9]+" found "${answer}")
        endif()
    endif()
    list(REMOVE_DUPLICATES found)
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(nvcc "")
set(gpus "")
if(NOT KIT_BACKEND STREQUAL "CPU")
    kit_find_nvcc(nvcc)
    if(nvcc)
        kit_find_gpus("${nvcc}" gpus)
    endif()
endif()
list(JOIN gpus ", sm_" gpu_names)

if(KIT_BACKEND STREQUAL "CPU")
    set(KIT_USE CPU)
    set(why "as asked")
elseif(KIT_BACKEND STREQUAL "GPU")
    if(NOT nvcc)
        message(FATAL_ERROR
            "KIT_BACKEND=GPU needs the CUDA compiler, but there is no nvcc in PATH, CUDACXX, CUDA_PATH or /usr/local/cuda/bin. "
            "Install the CUDA toolkit, name the compiler with -DKIT_NVCC=/path/to/nvcc, or grade without a GPU: -DKIT_BACKEND=CPU.")
    endif()
    set(KIT_USE GPU)
    set(why "as asked")
elseif(nvcc AND gpus)
    set(KIT_USE GPU)
    set(why "found ${nvcc} and a GPU of sm_${gpu_names}")
else()
    set(KIT_USE CPU)
    if(nvcc)
        set(why "found ${nvcc}, but no GPU that it can see")
    else()
        set(why "no nvcc found")
    endif()
endif()
message(STATUS "Backend: ${KIT_USE} (${why}). To choose: -DKIT_BACKEND=GPU or -DKIT_BACKEND=CPU")

# The options for CUDA code: kit_cuda, and kit_cuda_unchecked for the kit's own code, which needs neither the executor's checks nor a
# debugger. Both begin with kit_cuda_common, which is enough for code whose lines no report names.
add_library(kit_cuda_common INTERFACE)
add_library(kit_cuda_unchecked INTERFACE)
add_library(kit_cuda INTERFACE)
target_link_libraries(kit_cuda_unchecked INTERFACE kit_cuda_common)
target_link_libraries(kit_cuda INTERFACE kit_cuda_common)
target_include_directories(kit_cuda_common INTERFACE ${KIT_ROOT}/common ${KIT_ROOT}/tests)
target_compile_definitions(kit_cuda_common INTERFACE KIT_GRADER_COMPILED)  # see common/grader.cuh and kit_shared.cmake

set(kit_grader_options "")
if(KIT_USE STREQUAL "GPU")
    if(NOT CMAKE_CUDA_ARCHITECTURES)
        if(gpus)
            set(CMAKE_CUDA_ARCHITECTURES "${gpus}")
        else()
            set(CMAKE_CUDA_ARCHITECTURES "75;90")
        endif()
    endif()
    if(NOT gpus)
        message(STATUS "No GPU is visible, so everything is built for sm ${CMAKE_CUDA_ARCHITECTURES}, and tests are skipped")
    endif()
    set(CMAKE_CUDA_COMPILER "${nvcc}")
    enable_language(CUDA)
    target_compile_options(kit_cuda_common INTERFACE
        $<$<COMPILE_LANGUAGE:CUDA>:-O2 -lineinfo -Xcompiler=-Wall,-Wextra>
        $<$<COMPILE_LANGUAGE:CXX>:-O2 -g -Wall -Wextra>)
    set(kit_werror_options $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings> $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
else()
    include(CheckLinkerFlag)
    find_package(Boost 1.71 QUIET CONFIG COMPONENTS context)
    find_package(Threads REQUIRED)
    if(NOT TARGET Boost::context)
        message(FATAL_ERROR
            "The CPU backend needs the library Boost.Context, which is not installed. "
            "On Debian and Ubuntu: apt-get install libboost-context-dev. On Fedora: dnf install boost-devel.")
    endif()
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
        message(WARNING "The CPU backend is tested with GCC 12 and newer, but this is ${CMAKE_CXX_COMPILER_ID} "
            "${CMAKE_CXX_COMPILER_VERSION}: to change it, configure with -DCMAKE_CXX_COMPILER=g++-12.")
    endif()
    # Checked code is optimized only slightly, so that a report still names the student's line. Unchecked code is optimized even less, which
    # compiles a third faster and runs as fast. GCC does not know CUDA's pragmas. DWARF 4 is used because binutils 2.40 loses the names
    # given by #line in DWARF 5.
    target_compile_options(kit_cuda_common INTERFACE -fstack-clash-protection -Wall -Wextra -Wno-unknown-pragmas)
    target_compile_options(kit_cuda INTERFACE -O1 -g -gdwarf-4)
    target_compile_options(kit_cuda_unchecked INTERFACE -Og -g1 -gdwarf-4)  # lines only: calls of the runtime are named by them
    set(kit_grader_options -Og)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # A call at the end of a function must return there and not to the caller, because the executor finds lines by return addresses.
        target_compile_options(kit_cuda_common INTERFACE -fno-optimize-sibling-calls)
        # The compiler must keep calls of the C library that move bytes, so that the executor sees them (kit_cpu/bytes.hpp).
        target_compile_options(kit_cuda_common INTERFACE -fno-builtin-memset -fno-builtin-memcpy -fno-builtin-memmove)
        # printf in a kernel calls the executor, which checks strings (src/run/kernel_output.cpp).
        target_compile_options(kit_cuda_common INTERFACE -fno-builtin-printf)
        # A function without its return statement must not continue in the next function: the executor reports it (src/run/thread.cpp).
        target_compile_options(kit_cuda_common INTERFACE -fsanitize=return)
        # `new` in a kernel returns null when the heap is exhausted, and the program may test that.
        target_compile_options(kit_cuda_common INTERFACE -fcheck-new)
        # Without variable tracking, compiling takes a third less time. A debugger still shows the variables that are alive.
        target_compile_options(kit_cuda_common INTERFACE -fno-var-tracking)
        # Every load and store of CUDA code calls the executor's checks (common/cpu/src/run/hooks.cpp).
        # -Wtsan says that the sanitizer's library ignores fences; the executor does not use that library.
        target_compile_options(kit_cuda INTERFACE -fsanitize=thread -Wno-tsan
            "SHELL:--param tsan-instrument-func-entry-exit=0" "SHELL:--param tsan-distinguish-volatile=1")
        # The profile combines the accesses of a warp's lanes at one instruction. So the compiler must not split an access (as it does with
        # a float4), duplicate it for different paths, or move it to another line (as it does with stores that two paths share). Loops stay
        # as they are written (tests/cpu/ncu.md).
        target_compile_options(kit_cuda INTERFACE -fno-tree-sra -fno-thread-jumps -fno-tree-ch -fno-tree-dominator-opts
            -fno-tree-sink -fno-reorder-blocks)
    endif()
    target_compile_definitions(kit_cuda_common INTERFACE KIT_CPU=1)
    include(kit_header_libraries)
    include(kit_std_headers)
    target_include_directories(kit_cuda_common INTERFACE ${KIT_ROOT}/common/cpu/include ${CMAKE_BINARY_DIR}/std_headers)
    include(kit_not_offered)
    target_compile_options(kit_cuda_common INTERFACE "SHELL:-idirafter ${CMAKE_BINARY_DIR}/not_offered")
    target_link_libraries(kit_cuda_common INTERFACE kit_executor)
    # Linking takes half the time, for every program of the kit.
    check_linker_flag(CXX -fuse-ld=gold kit_has_gold)
    if(kit_has_gold)
        target_link_options(kit_cuda_common INTERFACE -fuse-ld=gold)
    endif()
    # The kit's own headers need no translation. The device determines __CUDA_ARCH__.
    set(architectures h200 900 a100 800 t4 750)
    list(FIND architectures ${KIT_DEVICE} found)
    math(EXPR found "${found} + 1")
    list(GET architectures ${found} kit_architecture)
    list(TRANSFORM kit_translated_libraries REPLACE "(.+)" "--library;\\1" OUTPUT_VARIABLE libraries)
    set(kit_translate_options --keep ${KIT_ROOT}/common --arch ${kit_architecture} ${libraries})
    set(kit_werror_options -Werror)
endif()
if(NOT KIT_WERROR)
    set(kit_werror_options "")
endif()
