# Finds NCCL, NVSHMEM, cuBLAS, cuRAND and Thrust. They are part of the CUDA toolkit, of the system, or of a Python package (pip install
# nvidia-nccl-cu13 installs files in site-packages/nvidia/nccl). The CPU backend has its own implementations of the first four, with the
# same header names (kit_ranks, kit_blas, kit_executor), and uses the headers of Thrust and CUB (kit_header_libraries.cmake).

# kit_library(name missing): creates the target kit_NAME for a library that a program needs. `missing` is set to the sentence that says what
# to install, or to an empty text if the library exists. kit_find_NAME() below looks for the library once.
function(kit_library name missing)
    set(${missing} "" PARENT_SCOPE)
    if(NOT COMMAND kit_find_${name})
        message(FATAL_ERROR "kit_library(${name}): the library is unknown. Add kit_find_${name} to kit_libraries.cmake.")
    endif()
    if(KIT_USE STREQUAL "CPU")
        set(own kit_ranks)
        if(name STREQUAL "cublas")
            set(own kit_blas)
        elseif(name STREQUAL "thrust" OR name STREQUAL "curand")
            set(own kit_executor)
        endif()
        if(NOT TARGET kit_${name})
            add_library(kit_${name} INTERFACE IMPORTED GLOBAL)
            if(TARGET ${own})
                target_link_libraries(kit_${name} INTERFACE ${own})
            endif()
        endif()
        if(name STREQUAL "thrust")
            if(NOT KIT_CCCL_FOLDER)
                set(${missing} "needs Thrust and CUB: apt-get install libthrust-dev libcub-dev, then configure again" PARENT_SCOPE)
            endif()
        elseif(NOT TARGET ${own})
            set(${missing} "needs a BLAS: apt-get install libopenblas-serial-dev, then configure again" PARENT_SCOPE)
        endif()
        return()
    endif()
    if(NOT TARGET kit_${name})
        find_package(CUDAToolkit REQUIRED)
        add_library(kit_${name} INTERFACE IMPORTED GLOBAL)
        cmake_language(CALL kit_find_${name})
    endif()
    get_target_property(sentence kit_${name} KIT_MISSING)
    if(sentence)
        set(${missing} "${sentence}" PARENT_SCOPE)
    endif()
endfunction()

# kit_python_packages(variable folder): finds this folder in each place where Python stores packages; empty without Python.
function(kit_python_packages variable folder)
    set(places "")
    find_program(KIT_PYTHON NAMES python3 python)
    mark_as_advanced(KIT_PYTHON)
    if(KIT_PYTHON)
        execute_process(COMMAND ${KIT_PYTHON} -c "import site; print(';'.join(site.getsitepackages() + [site.getusersitepackages()]))"
            OUTPUT_VARIABLE places OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    list(TRANSFORM places APPEND /${folder})
    set(${variable} "${places}" PARENT_SCOPE)
endfunction()

# kit_library_found(name INCLUDE folder LIBRARY file MISSING sentence) Completes the target kit_NAME. If only the header exists, programs
# are compiled but not linked (KIT_COMPILES). If neither header nor library exists, programs are not built.
function(kit_library_found name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE;LIBRARY;MISSING" "")
    kit_refuse_unknown("kit_library_found(${name})" ${arg_UNPARSED_ARGUMENTS})
    if(arg_INCLUDE)
        target_include_directories(kit_${name} INTERFACE ${arg_INCLUDE})
        set_target_properties(kit_${name} PROPERTIES KIT_COMPILES TRUE)
    endif()
    if(arg_INCLUDE AND arg_LIBRARY)
        add_library(kit_${name}_file SHARED IMPORTED GLOBAL)
        set_target_properties(kit_${name}_file PROPERTIES IMPORTED_LOCATION ${arg_LIBRARY})
        target_link_libraries(kit_${name} INTERFACE kit_${name}_file)
        cmake_path(GET arg_LIBRARY PARENT_PATH folder)  # where programs find the library when they run, even in the toolkit's own folder
        target_link_options(kit_${name} INTERFACE $<HOST_LINK:LINKER:-rpath=${folder}>)
    else()
        set_target_properties(kit_${name} PROPERTIES KIT_MISSING "${arg_MISSING}")
    endif()
endfunction()

function(kit_find_nccl)
    kit_python_packages(packages nvidia/nccl)
    find_path(KIT_NCCL_INCLUDE nccl.h HINTS ${packages} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
    find_library(KIT_NCCL_LIBRARY NAMES nccl libnccl.so.2 NAMES_PER_DIR HINTS ${packages} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib)
    mark_as_advanced(KIT_NCCL_INCLUDE KIT_NCCL_LIBRARY)
    kit_library_found(nccl INCLUDE "${KIT_NCCL_INCLUDE}" LIBRARY "${KIT_NCCL_LIBRARY}" MISSING
        "needs NCCL: pip install nvidia-nccl-cu${CUDAToolkit_VERSION_MAJOR}, or apt-get install libnccl-dev, then configure anew")
endfunction()

# Device code also calls NVSHMEM, so its programs are compiled with -rdc=true and linked with a static library for the device.
function(kit_find_nvshmem)
    kit_python_packages(packages nvidia/nvshmem)
    find_path(KIT_NVSHMEM_INCLUDE nvshmem.h HINTS ${packages} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
    find_library(KIT_NVSHMEM_HOST NAMES nvshmem_host libnvshmem_host.so.3 NAMES_PER_DIR HINTS ${packages} ${CUDAToolkit_LIBRARY_DIR}
        PATH_SUFFIXES lib)
    find_library(KIT_NVSHMEM_DEVICE NAMES libnvshmem_device.a HINTS ${packages} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib)
    mark_as_advanced(KIT_NVSHMEM_INCLUDE KIT_NVSHMEM_HOST KIT_NVSHMEM_DEVICE)
    set(library "")
    if(KIT_NVSHMEM_DEVICE)
        set(library "${KIT_NVSHMEM_HOST}")
        target_link_libraries(kit_nvshmem INTERFACE ${KIT_NVSHMEM_DEVICE})  # must precede the host library, which it needs
    endif()
    kit_library_found(nvshmem INCLUDE "${KIT_NVSHMEM_INCLUDE}" LIBRARY "${library}" MISSING
        "needs NVSHMEM: pip install nvidia-nvshmem-cu${CUDAToolkit_VERSION_MAJOR}, then configure anew")
    set_target_properties(kit_nvshmem PROPERTIES KIT_SEPARABLE TRUE)
endfunction()

# Thrust and CUB are headers that nvcc finds.
function(kit_find_thrust)
endfunction()

function(kit_find_cublas)
    find_path(KIT_CUBLAS_INCLUDE cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(KIT_CUBLAS_LIBRARY NAMES cublas HINTS ${CUDAToolkit_LIBRARY_DIR})
    mark_as_advanced(KIT_CUBLAS_INCLUDE KIT_CUBLAS_LIBRARY)
    kit_library_found(cublas INCLUDE "${KIT_CUBLAS_INCLUDE}" LIBRARY "${KIT_CUBLAS_LIBRARY}" MISSING
        "needs cuBLAS: install the whole CUDA toolkit, then configure anew")
endfunction()

function(kit_find_curand)
    find_path(KIT_CURAND_INCLUDE curand.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(KIT_CURAND_LIBRARY NAMES curand HINTS ${CUDAToolkit_LIBRARY_DIR})
    mark_as_advanced(KIT_CURAND_INCLUDE KIT_CURAND_LIBRARY)
    kit_library_found(curand INCLUDE "${KIT_CURAND_INCLUDE}" LIBRARY "${KIT_CURAND_LIBRARY}" MISSING
        "needs cuRAND: install the whole CUDA toolkit, then configure anew")
endfunction()
