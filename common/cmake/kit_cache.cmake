# Compiles through ccache where it is installed, so that a folder takes from the cache what another folder has compiled.
#
# Objects of two folders are equal only if they do not contain the folder's name. So paths in them are relative to the root of the
# course; the executor completes them again (kit_cpu's source_lines.cpp), and a debugger that is started there finds them.
option(KIT_CCACHE "Use ccache if it is installed" ON)

# kit_relative_paths(): __FILE__ and debug information name files of the course from its root, whether or not there is a cache.
macro(kit_relative_paths)
    cmake_path(IS_PREFIX KIT_ROOT ${CMAKE_BINARY_DIR} NORMALIZE kit_builds_inside)
    if(kit_builds_inside)
        cmake_path(RELATIVE_PATH CMAKE_BINARY_DIR BASE_DIRECTORY ${KIT_ROOT} OUTPUT_VARIABLE folder)
        # The last option that fits decides. ccache reads a precompiled header's name from the preprocessed text, and GCC makes the paths of
        # system headers absolute without the other option.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-canonical-system-headers>)
        endif()
        add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${KIT_ROOT}/=;-ffile-prefix-map=${CMAKE_BINARY_DIR}=.;-ffile-prefix-map=${CMAKE_BINARY_DIR}/=${folder}/;-fpch-preprocess>")
    endif()
endmacro()

# kit_use_cache(): sets the launcher of the C++ and CUDA compilers, unless the user has set one. nvcc cannot make paths relative, so
# two folders share its objects only if nobody runs them (kit_accepted.cmake sets kit_shared_cache for those).
macro(kit_use_cache)
    find_program(ccache ccache NO_CACHE)
    find_program(env env NO_CACHE)
    set(kit_shared_cache "")
    if(KIT_CCACHE AND ccache AND env AND kit_builds_inside AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(sloppiness CCACHE_SLOPPINESS=pch_defines,time_macros)
        set(kit_shared_cache ${env} CCACHE_BASEDIR=${KIT_ROOT} CCACHE_NOHASHDIR=1 ${sloppiness} ${ccache})
        set(CMAKE_CXX_COMPILER_LAUNCHER ${kit_shared_cache})
        set(CMAKE_CUDA_COMPILER_LAUNCHER ${env} ${sloppiness} ${ccache})
        message(STATUS "Cache: ${ccache} keeps what is compiled. To compile everything: -DKIT_CCACHE=OFF")
    endif()
endmacro()

# kit_precompile_headers(target header...): gives the target a precompiled header, and makes it again correctly through ccache.
function(kit_precompile_headers target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(kit_shared_cache)
        set_target_properties(${target} PROPERTIES
            CXX_COMPILER_LAUNCHER "sh;${KIT_ROOT}/common/cmake/without_old_header.sh;${kit_shared_cache}")
    endif()
endfunction()
