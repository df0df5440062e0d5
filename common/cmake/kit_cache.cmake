# Compiles through ccache if it is installed, so that one folder can reuse what another folder has compiled.
#
# Objects of two folders are equal only if they do not contain the name of the folder. So paths are relative to the root of the course. The
# executor completes them (source_lines.cpp), and a debugger finds the files if it is started in the root.
option(KIT_CCACHE "Use ccache if it is installed" ON)

# kit_relative_paths(): makes __FILE__ and debug information name files of the course relative to its root, with or without ccache.
macro(kit_relative_paths)
    cmake_path(IS_PREFIX KIT_ROOT ${CMAKE_BINARY_DIR} NORMALIZE kit_builds_inside)
    if(kit_builds_inside)
        cmake_path(RELATIVE_PATH CMAKE_BINARY_DIR BASE_DIRECTORY ${KIT_ROOT} OUTPUT_VARIABLE folder)
        # The last matching option counts. ccache reads the name of a precompiled header from the preprocessed text. Without the second
        # option, GCC would make the paths of system headers absolute.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-canonical-system-headers>)
        endif()
        add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${KIT_ROOT}/=;-ffile-prefix-map=${CMAKE_BINARY_DIR}=.;-ffile-prefix-map=${CMAKE_BINARY_DIR}/=${folder}/;-fpch-preprocess>")
    endif()
endmacro()

# kit_use_cache(): makes ccache start the C++ and CUDA compilers, unless the user has set a launcher. nvcc cannot make paths relative, so
# two folders share its objects only if they are never linked into a program (kit_accepted.cmake sets kit_shared_cache for these).
macro(kit_use_cache)
    find_program(ccache ccache NO_CACHE)
    find_program(env env NO_CACHE)
    set(kit_shared_cache "")
    if(KIT_CCACHE AND ccache AND env AND kit_builds_inside AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(sloppiness CCACHE_SLOPPINESS=pch_defines,time_macros)
        set(kit_shared_cache ${env} CCACHE_BASEDIR=${KIT_ROOT} CCACHE_NOHASHDIR=1 ${sloppiness} ${ccache})
        set(CMAKE_CXX_COMPILER_LAUNCHER ${kit_shared_cache})
        set(CMAKE_CUDA_COMPILER_LAUNCHER ${env} ${sloppiness} ${ccache})
        message(STATUS "Cache: ${ccache} keeps compiled files. To compile everything: -DKIT_CCACHE=OFF")
    endif()
endmacro()

# kit_precompile_headers(target header...): gives the target a precompiled header. ccache must be able to reuse it correctly.
function(kit_precompile_headers target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(kit_shared_cache)
        set_target_properties(${target} PROPERTIES
            CXX_COMPILER_LAUNCHER "sh;${KIT_ROOT}/common/cmake/precompile.sh;${KIT_ROOT};${kit_shared_cache}")
    endif()
endfunction()
