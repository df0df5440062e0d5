# kitcc, the compiler driver for any CUDA program (common/cpu/kitcc), and build/course/kitcc.settings, the file with the compiler options of
# the course's own programs. All options come from the target kit_cuda, so the two cannot differ. `cmake --install` copies kitcc with its
# headers, libraries and pages to a folder, which can then be moved.

# kit_settings_lines(result word prefix values): the lines "WORD PREFIXVALUE" of a settings file, as a generator expression; no lines
# without values.
function(kit_settings_lines result word prefix values)
    set(${result} "$<$<BOOL:${values}>:${word} ${prefix}$<JOIN:$<REMOVE_DUPLICATES:${values}>,\n${word} ${prefix}>>" PARENT_SCOPE)
endfunction()

set(kit_settings_words flag unchecked)
set(kit_settings_targets kit_cuda kit_cuda_unchecked)

function(kit_add_kitcc)
    file(GLOB sources CONFIGURE_DEPENDS ${KIT_ROOT}/common/cpu/kitcc/*.cpp)
    add_executable(kitcc EXCLUDE_FROM_ALL ${sources})
    set_target_properties(kitcc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    target_compile_options(kitcc PRIVATE -O0 -Wall -Wextra ${kit_werror_options})
    target_include_directories(kitcc PRIVATE ${KIT_ROOT}/common ${KIT_ROOT}/common/cpu/include)
    target_link_libraries(kitcc PRIVATE kit_translator)
    kit_compile_together(kitcc 8)
    # The first command builds kitcc, and the first use of kitcc builds the libraries that its programs need.
    kit_precompile(kit_program_header cuda_runtime.h kit_cuda)
    add_custom_target(kitcc_runtime)
    add_dependencies(kitcc_runtime kit_executor kit_ranks kit_program_header)
    set(blas "")
    if(TARGET kit_blas)
        add_dependencies(kitcc_runtime kit_blas)
        set(blas "flag -DKIT_BLAS" "unchecked -DKIT_BLAS" "link -Wl,--as-needed" "link $<TARGET_FILE:kit_blas>")
    endif()

    list(TRANSFORM kit_translated_libraries PREPEND "library " OUTPUT_VARIABLE libraries)
    set(lines "compiler ${CMAKE_CXX_COMPILER}" ${libraries} "link -Wl,-rpath,$<TARGET_FILE_DIR:kit_executor>"
        ${blas} "link -Wl,--as-needed" "link $<TARGET_FILE:kit_ranks>" "link -Wl,--no-as-needed" "link $<TARGET_FILE:kit_executor>"
        "keep ${KIT_ROOT}/common" "pages ${KIT_ROOT}/lectures/diagnoses" "build ${CMAKE_BINARY_DIR}"
        "architecture ${kit_architecture}" "header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/kit_program_header.dir/cmake_pch.hxx")
    foreach(word target IN ZIP_LISTS kit_settings_words kit_settings_targets)
        set(property "$<TARGET_PROPERTY:${target},INTERFACE_")
        kit_settings_lines(options ${word} "" "${property}COMPILE_OPTIONS>")
        kit_settings_lines(definitions ${word} -D "${property}COMPILE_DEFINITIONS>")
        kit_settings_lines(folders ${word} -I "${property}INCLUDE_DIRECTORIES>")
        list(APPEND lines "${options}" "${definitions}" "${folders}")
    endforeach()
    list(JOIN lines "\n" lines)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/kitcc.settings CONTENT "${lines}\n")
    if(NOT KIT_PREBUILT)
        kit_install_kitcc()
    endif()
endfunction()

# kit_install_library(target objects [linked...]): a copy of the library without a soname. A program that g++ links with it then contains
# the whole path, because no loader looks into the folder of the installation.
function(kit_install_library target from)
    add_library(${target} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${from}>)
    kit_compile_as_executor(${target})
    target_link_libraries(${target} PRIVATE Threads::Threads ${ARGN})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX NO_SONAME ON OUTPUT_NAME ${from}
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/installed BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
endfunction()

function(kit_install_kitcc)
    kit_install_library(kit_executor_installed kit_executor)
    kit_install_library(kit_ranks_installed kit_ranks kit_executor_installed)
    add_custom_target(kitcc_installed DEPENDS kitcc kit_executor_installed kit_ranks_installed)
    set(blas "")
    if(TARGET kit_blas)
        kit_install_library(kit_blas_installed kit_blas kit_executor_installed ${KIT_BLAS_LIBRARY})
        add_dependencies(kitcc_installed kit_blas_installed)
        set(blas "flag -DKIT_BLAS" "unchecked -DKIT_BLAS" "link -Wl,--as-needed" "link {root}/lib/libkit_blas.so")
        install(FILES $<TARGET_FILE:kit_blas_installed> DESTINATION lib)
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/installed/libcublas.so CONTENT "INPUT(libkit_blas.so)\n")
    endif()

    set(lines "compiler ${CMAKE_CXX_COMPILER}" ${blas} "link -Wl,--as-needed" "link {root}/lib/libkit_ranks.so" "link -Wl,--no-as-needed"
        "link {root}/lib/libkit_executor.so" "keep {root}/include" "pages {root}/share/kitcc/diagnoses"
        "architecture ${kit_architecture}")
    foreach(word target IN ZIP_LISTS kit_settings_words kit_settings_targets)
        set(property "$<TARGET_PROPERTY:${target},INTERFACE_")
        kit_settings_lines(options ${word} "" "$<FILTER:${property}COMPILE_OPTIONS>,EXCLUDE,idirafter|isystem>")
        kit_settings_lines(definitions ${word} -D "${property}COMPILE_DEFINITIONS>")
        # Reports skip lines of the executor's own headers, which have this path.
        list(APPEND lines "${options}" "${definitions}" "${word} -ffile-prefix-map={root}/include/=/kitcc/common/cpu/include/"
            "${word} SHELL:-isystem {root}/include" "${word} SHELL:-idirafter {root}/share/kitcc/not_offered")
        if(KIT_CCCL_FOLDER)
            list(APPEND lines "${word} SHELL:-isystem {root}/share/kitcc/header_libraries")
            if(KIT_CCCL_OPTION)
                list(APPEND lines "${word} ${KIT_CCCL_OPTION}")
            endif()
        endif()
    endforeach()
    if(KIT_CCCL_FOLDER)
        list(APPEND lines "library {root}/share/kitcc/header_libraries" "library ${KIT_CCCL_FOLDER}")
        install(DIRECTORY ${KIT_CCCL_WRAPPERS} DESTINATION share/kitcc)
    endif()
    list(JOIN lines "\n" lines)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/installed/kitcc.settings CONTENT "${lines}\n")
    # g++ finds this with -L FOLDER/lib -lcudart, as with a CUDA toolkit: the linker reads the name of the library in it.
    foreach(name IN ITEMS cudart cudart_static cudadevrt curand nccl nvshmem_host nvshmem_device)
        set(library kit_executor)
        if(name MATCHES "^n")
            set(library kit_ranks)
        endif()
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/installed/lib${name}.so CONTENT "INPUT(lib${library}.so)\n")
    endforeach()

    # This is one command, so that it works in a build folder that has graded nothing yet.
    install(CODE "
        execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" -t kitcc_installed RESULT_VARIABLE failed)
        if(failed)
            message(FATAL_ERROR \"kitcc was not built\")
        endif()")
    install(PROGRAMS ${CMAKE_BINARY_DIR}/kitcc DESTINATION bin)
    install(FILES $<TARGET_FILE:kit_executor_installed> $<TARGET_FILE:kit_ranks_installed> DESTINATION lib)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/installed/ DESTINATION lib FILES_MATCHING PATTERN "libcuda*.so" PATTERN "libn*.so")
    install(CODE "file(CREATE_LINK lib \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib64\" SYMBOLIC)")
    install(DIRECTORY ${KIT_ROOT}/common/cpu/include/ DESTINATION include)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/std_headers/ DESTINATION include)
    install(FILES ${CMAKE_BINARY_DIR}/installed/kitcc.settings DESTINATION share/kitcc)
    install(DIRECTORY ${KIT_ROOT}/lectures/diagnoses DESTINATION share/kitcc)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/not_offered DESTINATION share/kitcc)
endfunction()
