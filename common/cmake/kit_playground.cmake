# exercises/playground: the students' own programs. Each file NAME.cu has the target playground.NAME, which builds and runs it. The target
# playground builds and runs all of these programs. They are not graded, and no other target builds them.
function(kit_add_playground)
    file(GLOB sources CONFIGURE_DEPENDS ${KIT_EXERCISES_DIR}/playground/*.cu)
    add_custom_target(playground)
    kit_find_ranks(uses_ranks)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM LAST_ONLY name)
        if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
            message(WARNING "${source} is not built: its name has characters that a target cannot have. Rename the file.")
            continue()
        endif()
        set(program playground.${name}.program)
        add_executable(${program} EXCLUDE_FROM_ALL)
        kit_add_cuda_sources(${program} SOURCES ${source} AS kit_cuda HEADER kit_program_header)
        if(uses_ranks)
            target_link_libraries(${program} PRIVATE -Wl,--as-needed kit_ranks -Wl,--no-as-needed)
        endif()
        set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/playground OUTPUT_NAME ${name}
            CUDA_SEPARABLE_COMPILATION ON)
        add_custom_target(playground.${name} USES_TERMINAL VERBATIM WORKING_DIRECTORY ${KIT_EXERCISES_DIR}/playground
            COMMAND sh -c "\"$0\" || echo \"${name} ended with exit status $?\"" $<TARGET_FILE:${program}>
            COMMENT "Running exercises/playground/${name}.cu")
        add_dependencies(playground playground.${name})
    endforeach()
endfunction()

# kit_find_ranks(result): whether a file of the playground includes NCCL or NVSHMEM, so that programs need kit_ranks. Building this library
# takes several seconds, which the first program of most students need not wait for. A build searches the files that have changed, and
# configures again only if the answer differs.
function(kit_find_ranks result)
    set(${result} FALSE PARENT_SCOPE)
    if(NOT KIT_USE STREQUAL "CPU")
        return()
    endif()
    file(GLOB files CONFIGURE_DEPENDS ${KIT_EXERCISES_DIR}/playground/*.cu ${KIT_EXERCISES_DIR}/playground/*.h*)
    set(found ${CMAKE_BINARY_DIR}/playground/uses_ranks.txt)  # the lines that include them; empty if there are none
    set(search sh -c "grep -hE '^ *# *include *.(nccl|nvshmem)' \"$@\" </dev/null >\"$0\" || true" ${found}.new ${files})
    set(keep ${CMAKE_COMMAND} -E copy_if_different ${found}.new ${found})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/playground)
    execute_process(COMMAND ${search})
    execute_process(COMMAND ${keep})
    add_custom_command(OUTPUT ${found} COMMAND ${search} COMMAND ${keep} DEPENDS ${files} VERBATIM
        COMMENT "Looking for NCCL and NVSHMEM in exercises/playground")
    add_custom_target(playground_uses_ranks DEPENDS ${found})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
    file(READ ${found} lines)
    if(lines)
        set(${result} TRUE PARENT_SCOPE)
    endif()
endfunction()
