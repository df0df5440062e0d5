# exercises/playground: the students' own programs. Each file NAME.cu has the target playground.NAME, which builds and runs it. The target
# playground builds and runs all of these programs. They are not graded, and no other target builds them.
function(kit_add_playground)
    file(GLOB sources CONFIGURE_DEPENDS ${KIT_EXERCISES_DIR}/playground/*.cu)
    add_custom_target(playground)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM LAST_ONLY name)
        if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
            message(WARNING "${source} is not built: its name has characters that a target cannot have. Rename the file.")
            continue()
        endif()
        set(program playground.${name}.program)
        add_executable(${program} EXCLUDE_FROM_ALL)
        kit_add_cuda_sources(${program} SOURCES ${source} AS kit_cuda HEADER kit_program_header)
        if(KIT_USE STREQUAL "CPU")  # such a program may use NCCL or NVSHMEM
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
