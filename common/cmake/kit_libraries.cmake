# Libraries for several GPUs that come with the CUDA toolkit, with the system, or with a Python package (pip install nvidia-nccl-cu13:
# its files lie in site-packages/nvidia/nccl). The executor has its own, under the same header names.

# kit_python_packages(variable): folders of Python's packages; empty without Python.
function(kit_python_packages variable)
    set(folders "")
    find_program(KIT_PYTHON NAMES python3 python)
    mark_as_advanced(KIT_PYTHON)
    if(KIT_PYTHON)
        execute_process(COMMAND ${KIT_PYTHON} -c "import site; print(';'.join(site.getsitepackages() + [site.getusersitepackages()]))"
            OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    set(${variable} "${folders}" PARENT_SCOPE)
endfunction()

# kit_library(name missing): the target kit_NAME for a library that a program needs; `missing` is the sentence that says what to
# install where there is none, and otherwise empty.
function(kit_library name missing)
    set(${missing} "" PARENT_SCOPE)
    if(KIT_USE STREQUAL "CPU" OR TARGET kit_${name})
        return()
    endif()
    if(NOT name STREQUAL "nccl")
        message(FATAL_ERROR "kit_library(${name}): nothing is known of this library")
    endif()
    kit_python_packages(packages)
    set(hints "")
    foreach(folder IN LISTS packages)
        list(APPEND hints ${folder}/nvidia/nccl)
    endforeach()
    find_package(CUDAToolkit REQUIRED)
    find_path(KIT_NCCL_INCLUDE nccl.h HINTS ${hints} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
    find_library(KIT_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${hints} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib)
    mark_as_advanced(KIT_NCCL_INCLUDE KIT_NCCL_LIBRARY)
    if(NOT KIT_NCCL_INCLUDE OR NOT KIT_NCCL_LIBRARY)
        set(${missing} "needs NCCL: pip install nvidia-nccl-cu${CUDAToolkit_VERSION_MAJOR}, or apt-get install libnccl-dev"
            PARENT_SCOPE)
        return()
    endif()
    add_library(kit_nccl INTERFACE IMPORTED GLOBAL)
    target_include_directories(kit_nccl INTERFACE ${KIT_NCCL_INCLUDE})
    target_link_libraries(kit_nccl INTERFACE ${KIT_NCCL_LIBRARY})
endfunction()
