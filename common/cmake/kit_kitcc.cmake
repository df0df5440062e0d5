# kitcc, the compiler driver for any CUDA program (common/cpu/kitcc), and the file that tells it how the course's own programs
# are compiled: build/course/kitcc.settings. All of it comes from the target kit_cuda, so the two cannot differ.
function(kit_add_kitcc)
    file(GLOB sources CONFIGURE_DEPENDS ${KIT_ROOT}/common/cpu/kitcc/*.cpp)
    add_executable(kitcc EXCLUDE_FROM_ALL ${sources})
    set_target_properties(kitcc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    target_compile_options(kitcc PRIVATE -O1 -Wall -Wextra ${kit_werror_options})
    target_link_libraries(kitcc PRIVATE kit_translator)
    kit_precompile(kit_program_header cuda_runtime.h kit_cuda)
    add_dependencies(kitcc kit_executor kit_ranks kit_program_header)

    set(lines "compiler ${CMAKE_CXX_COMPILER}" "link -Wl,-rpath,$<TARGET_FILE_DIR:kit_executor>"
        "link -Wl,--as-needed" "link $<TARGET_FILE:kit_ranks>" "link -Wl,--no-as-needed" "link $<TARGET_FILE:kit_executor>" "keep ${KIT_ROOT}/common"
        "architecture ${kit_architecture}" "header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/kit_program_header.dir/cmake_pch.hxx")
    foreach(part IN ITEMS "COMPILE_OPTIONS|" "COMPILE_DEFINITIONS|-D" "INCLUDE_DIRECTORIES|-I")
        string(REPLACE "|" ";" part "${part}")
        list(GET part 0 property)
        list(GET part 1 prefix)
        foreach(flags IN ITEMS "flag kit_cuda" "unchecked kit_cuda_unchecked")
            string(REPLACE " " ";" flags "${flags}")
            list(GET flags 0 word)
            list(GET flags 1 target)
            set(values "$<TARGET_PROPERTY:${target},INTERFACE_${property}>")
            list(APPEND lines
                "$<$<BOOL:${values}>:${word} ${prefix}$<JOIN:$<REMOVE_DUPLICATES:${values}>,\n${word} ${prefix}>>")
        endforeach()
    endforeach()
    list(JOIN lines "\n" lines)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/kitcc.settings CONTENT "${lines}\n")
endfunction()
