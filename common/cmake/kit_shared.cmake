# Compiles the shared parts once for all programs: the grader's own code (kit_grader), and kit.cuh and grader.cuh as precompiled headers.

# kit_import(target EXECUTABLE|SHARED|STATIC path): imports a target from the folder KIT_PREBUILT.
function(kit_import target kind path)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${KIT_PREBUILT})
    if(NOT EXISTS ${path})
        message(FATAL_ERROR "KIT_PREBUILT: there is no ${path}. Build it there first: cmake --build ${KIT_PREBUILT} -t kit_shared")
    endif()
    if(kind STREQUAL "EXECUTABLE")
        add_executable(${target} IMPORTED GLOBAL)
    else()
        add_library(${target} ${kind} IMPORTED GLOBAL)
    endif()
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${path})
endfunction()

# kit_precompile(target header options): creates an object library with the precompiled header for targets that link `options`. Only the CPU
# backend's compiler can use such a header.
function(kit_precompile target header options)
    if(KIT_USE STREQUAL "CPU")
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shared/${target}.cpp CONTENT "// Holds the precompiled header of ${header}.\n")
        add_library(${target} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/shared/${target}.cpp)
        target_link_libraries(${target} PRIVATE ${options})
        kit_precompile_headers(${target} <${header}>)
    endif()
endfunction()

# The target kit_first builds what every exercise needs, so the first verdict waits for it. kit_shared builds what KIT_PREBUILT needs:
# kit_first, and targets that only some exercises need.
function(kit_add_shared)
    # The first proof waits for all shared parts, so it says what it builds. Ninja shows the output of a command, and
    # starts with this one, because it is the first one in the build file.
    set(said ${CMAKE_BINARY_DIR}/said_first.stamp)
    add_custom_command(OUTPUT ${said} VERBATIM COMMENT "First build in this folder"
        COMMAND ${CMAKE_COMMAND} -E echo "Building once for this folder: the executor, the grader, the translator, kit_course, kit_join, and precompiled headers. This takes about a minute on two cores."
        COMMAND ${CMAKE_COMMAND} -E touch ${said})
    add_custom_target(kit_said_first DEPENDS ${said})
    add_custom_target(kit_first)
    add_custom_target(kit_shared)
    add_dependencies(kit_shared kit_first)
    if(KIT_USE STREQUAL "CPU")
        kit_precompile(kit_submission_header kit.cuh kit_cuda)
        kit_precompile(kit_test_header grader.cuh kit_cuda_unchecked)
        kit_precompile(kit_checked_test_header grader.cuh kit_cuda)
        add_dependencies(kit_first kit_executor kit_translate kit_submission_header kit_test_header)
        add_dependencies(kit_shared kit_ranks)
    endif()
    if(KIT_PREBUILT)
        kit_import(kit_grader STATIC libkit_grader.a)
    else()
        add_library(kit_grader STATIC EXCLUDE_FROM_ALL)
        set(source ${KIT_ROOT}/common/grader/implementation.cu)
        if(KIT_USE STREQUAL "CPU")  # this test launches nothing, so it is plain C++ and needs no translator
            set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
        endif()
        kit_add_cuda_sources(kit_grader SOURCES ${source} AS kit_cuda_common HEADER none)
        target_compile_options(kit_grader PRIVATE ${kit_grader_options} ${kit_werror_options})
        set_target_properties(kit_grader PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    endif()
    add_dependencies(kit_first kit_grader)
endfunction()
