# Builds CUDA sources for the chosen backend: with nvcc, or through the translator and the C++ compiler.

# kit_add_cuda_sources(target SOURCES file... [OPTIONS option...] [KEEP_GOING notes])
# Adds CUDA and C++ sources to a target. With KEEP_GOING a file that does not compile leaves a note instead of stopping
# the build, and the test that would have run the program shows the note. OPTIONS are the CPU backend's.
function(kit_add_cuda_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "KEEP_GOING" "SOURCES;OPTIONS")
    kit_refuse_unknown("kit_add_cuda_sources(${target})" ${arg_UNPARSED_ARGUMENTS})
    set(launcher "")
    if(arg_KEEP_GOING)
        set(launcher sh ${KIT_ROOT}/common/cmake/keep_going.sh)
    endif()
    foreach(source IN LISTS arg_SOURCES)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        cmake_path(GET source EXTENSION LAST_ONLY extension)
        if(extension STREQUAL ".cu" AND KIT_USE STREQUAL "CPU")
            cmake_path(GET source FILENAME name)
            cmake_path(GET source PARENT_PATH folder)
            set(translated ${CMAKE_CURRENT_BINARY_DIR}/translated/${target}/${name}.cpp)
            file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/translated/${target})
            set(command $<TARGET_FILE:kit_translate> ${source} ${translated})
            if(launcher)
                set(command ${launcher} translate ${arg_KEEP_GOING} ${translated} ${command})
            endif()
            add_custom_command(OUTPUT ${translated} COMMAND ${command} DEPENDS ${source} kit_translate
                COMMENT "Translating ${name}" VERBATIM)
            # A quoted include is looked for beside the file that the student wrote.
            set_source_files_properties(${translated} PROPERTIES COMPILE_OPTIONS "-iquote;${folder};${arg_OPTIONS}")
            set(source ${translated})
        endif()
        target_sources(${target} PRIVATE ${source})
    endforeach()
    target_link_libraries(${target} PRIVATE kit_cuda)
    if(launcher)
        set(quoted "sh \"${KIT_ROOT}/common/cmake/keep_going.sh\"")
        set_target_properties(${target} PROPERTIES
            RULE_LAUNCH_COMPILE "${quoted} compile \"${arg_KEEP_GOING}\" <OBJECT>"
            RULE_LAUNCH_LINK "${quoted} link \"${arg_KEEP_GOING}\" <TARGET>")
    else()
        target_compile_options(${target} PRIVATE ${kit_werror_options})
    endif()
endfunction()

# kit_add_cuda_objects(target SOURCES file... [DEFINITIONS name[=value]...])
# Compiles the kit's own sources once, for several programs. Nobody debugs them, and without -g they compile faster.
function(kit_add_cuda_objects target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEFINITIONS")
    kit_refuse_unknown("kit_add_cuda_objects(${target})" ${arg_UNPARSED_ARGUMENTS})
    add_library(${target} OBJECT)
    # What the grader does itself needs no checks and no debugger.
    kit_add_cuda_sources(${target} SOURCES ${arg_SOURCES} OPTIONS -g0 -fno-sanitize=thread)
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
endfunction()

# kit_add_cuda_executable(target SOURCES file... [OBJECTS target...] [DEFINITIONS name[=value]...]
#                         [OUTPUT folder/name] [KEEP_GOING notes] [DEVICE_LAUNCH])
# OUTPUT is below the build folder; without it the program lies where CMake puts it. With DEVICE_LAUNCH kernels may launch
# kernels: nvcc needs -rdc=true for that, a second link of the device code, and cudadevrt, which CMake adds.
function(kit_add_cuda_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "DEVICE_LAUNCH" "OUTPUT;KEEP_GOING" "SOURCES;OBJECTS;DEFINITIONS")
    kit_refuse_unknown("kit_add_cuda_executable(${target})" ${arg_UNPARSED_ARGUMENTS})
    add_executable(${target})
    kit_add_cuda_sources(${target} SOURCES ${arg_SOURCES} KEEP_GOING ${arg_KEEP_GOING})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
    if(arg_DEVICE_LAUNCH)
        set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    endif()
    foreach(objects IN LISTS arg_OBJECTS)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
    if(arg_OUTPUT)
        cmake_path(GET arg_OUTPUT PARENT_PATH folder)
        cmake_path(GET arg_OUTPUT FILENAME name)
        set_target_properties(${target} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder} OUTPUT_NAME ${name})
    endif()
endfunction()
