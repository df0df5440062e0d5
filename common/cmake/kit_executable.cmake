# Builds CUDA sources for the chosen backend: with nvcc, or with the translator and the C++ compiler. Also compiles the kit's own C++.

# kit_add_cuda_sources(target SOURCES file... AS kit_cuda|kit_cuda_unchecked|kit_cuda_common HEADER target|none)
# Adds CUDA and C++ sources to a target. On the CPU backend, a .cu file is translated, unless its LANGUAGE is CXX. AS is the target with the
# options (kit_backend.cmake), and HEADER the precompiled header with which the sources begin (kit_shared.cmake).
function(kit_add_cuda_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "AS;HEADER" "SOURCES")
    kit_refuse_unknown("kit_add_cuda_sources(${target})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT TARGET "${arg_AS}")
        message(FATAL_ERROR "kit_add_cuda_sources(${target}): AS must name the options of the sources, for example AS kit_cuda.")
    endif()
    foreach(source IN LISTS arg_SOURCES)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        cmake_path(GET source EXTENSION LAST_ONLY extension)
        get_source_file_property(language ${source} LANGUAGE)
        if(extension STREQUAL ".cu" AND KIT_USE STREQUAL "CPU" AND NOT language STREQUAL "CXX")
            cmake_path(GET source PARENT_PATH folder)
            kit_translate_source(${target} ${source})
            # An #include with quotes is searched next to the file that the student wrote.
            set_source_files_properties(${translated} PROPERTIES COMPILE_OPTIONS "-iquote;${folder};-iquote;${KIT_ROOT}")
            set(source ${translated})
        endif()
        target_sources(${target} PRIVATE ${source})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY KIT_CUDA_TARGETS ${target})
    target_link_libraries(${target} PRIVATE ${arg_AS})
    if(KIT_USE STREQUAL "CPU" AND arg_SOURCES AND NOT arg_HEADER STREQUAL "none")
        target_precompile_headers(${target} REUSE_FROM ${arg_HEADER})
    endif()
endfunction()

# kit_translate_source(target source [option...]): translates the source for this target, with these additional options. Sets `translated`
# to the name of the C++ file.
function(kit_translate_source target source)
    cmake_path(GET source FILENAME name)
    set(translated ${CMAKE_CURRENT_BINARY_DIR}/translated/${target}/${name}.cpp)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/translated/${target})
    # The translation of the kit's own files is the same in every checkout, so ccache need not preprocess it. For a student's file, compiler
    # messages show the whole path.
    set(root "")
    cmake_path(IS_PREFIX KIT_ROOT ${source} NORMALIZE in_course)
    cmake_path(IS_PREFIX KIT_EXERCISES_DIR ${source} NORMALIZE by_student)
    if(in_course AND kit_builds_inside AND NOT by_student)
        set(root --root ${KIT_ROOT})
    endif()
    add_custom_command(OUTPUT ${translated} DEPENDS ${source} kit_translate DEPFILE ${translated}.d
        COMMAND kit_translate ${kit_translate_options} ${root} ${ARGN} --depfile ${translated}.d ${source} ${translated}
        COMMENT "Translating ${name}" VERBATIM)
    set(translated ${translated} PARENT_SCOPE)
endfunction()

# kit_add_cuda_objects(target SOURCES file... [DEFINITIONS name[=value]...] [NEEDS library] [WRITTEN_BY_STUDENT] [DEVICE_LAUNCH])
# Compiles the kit's own sources once, for several programs. The executor checks only sources with WRITTEN_BY_STUDENT. The other options are
# those of kit_add_cuda_executable.
function(kit_add_cuda_objects target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "WRITTEN_BY_STUDENT;DEVICE_LAUNCH" "NEEDS" "SOURCES;DEFINITIONS")
    kit_refuse_unknown("kit_add_cuda_objects(${target})" ${arg_UNPARSED_ARGUMENTS})
    kit_add_target(${target} KIND OBJECT NEEDS ${arg_NEEDS})
    if(cannot_compile)
        return()
    endif()
    set(header kit_test_header)
    set(compiled_as kit_cuda_unchecked)
    if(arg_WRITTEN_BY_STUDENT)
        set(header kit_submission_header)
        set(compiled_as kit_cuda)
    endif()
    if(arg_DEFINITIONS)
        set(header none)  # compiled without the precompiled header
    endif()
    kit_add_cuda_sources(${target} SOURCES ${arg_SOURCES} AS ${compiled_as} HEADER ${header})
    if(arg_DEVICE_LAUNCH)
        set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    endif()
    target_compile_options(${target} PRIVATE ${kit_werror_options})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
endfunction()

# kit_add_target(target KIND OBJECT|PROGRAM NEEDS [library])
# Adds the target, and links the library that it needs. If the library is missing (kit_library), a program becomes an object library, which
# is compiled but not linked. If its header is also missing, `cannot_compile` is set and the target is empty. In both cases, the property
# KIT_MISSING of the target says what to install, and its tests are skipped with that sentence (kit_test.cmake).
function(kit_add_target target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "NEEDS")
    kit_refuse_unknown("kit_add_target(${target})" ${arg_UNPARSED_ARGUMENTS})
    set(cannot_compile FALSE PARENT_SCOPE)
    set(missing "")
    if(arg_NEEDS)
        kit_library(${arg_NEEDS} missing)
    endif()
    set(compiles TRUE)
    if(missing)
        get_target_property(compiles kit_${arg_NEEDS} KIT_COMPILES)
    endif()
    if(NOT compiles)
        set(cannot_compile TRUE PARENT_SCOPE)
    endif()
    if(missing)
        file(TOUCH ${CMAKE_BINARY_DIR}/nothing.cpp)
        add_library(${target} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/nothing.cpp)
    elseif(arg_KIND STREQUAL "OBJECT")
        add_library(${target} OBJECT EXCLUDE_FROM_ALL)
    else()
        add_executable(${target} EXCLUDE_FROM_ALL)
    endif()
    set_target_properties(${target} PROPERTIES KIT_MISSING "${missing}")
    if(compiles AND TARGET kit_${arg_NEEDS})
        target_link_libraries(${target} PRIVATE kit_${arg_NEEDS})
        kit_separable_with(${target} kit_${arg_NEEDS})
    endif()
endfunction()

# kit_separable_with(target library): adds -rdc=true if device code calls functions of the library.
function(kit_separable_with target library)
    get_target_property(separable ${library} KIT_SEPARABLE)
    if(separable)
        set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    endif()
endfunction()

# kit_add_cuda_executable(target SOURCES file... [OBJECTS target...] [DEFINITIONS name[=value]...]
#                         [OUTPUT folder/name] [NEEDS library] [DEVICE_LAUNCH] [WRITTEN_BY_STUDENT])
# OUTPUT is relative to the build folder; without it, CMake chooses the path. With DEVICE_LAUNCH, kernels may launch kernels. For that, nvcc
# needs -rdc=true, a second link of the device code, and cudadevrt, which CMake adds. A student's own source (WRITTEN_BY_STUDENT) may have
# warnings. If a program has no OBJECTS, its SOURCES include grader.cuh. NEEDS is a library of kit_libraries.cmake, which may be missing.
function(kit_add_cuda_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "DEVICE_LAUNCH;WRITTEN_BY_STUDENT" "OUTPUT;NEEDS" "SOURCES;OBJECTS;DEFINITIONS")
    kit_refuse_unknown("kit_add_cuda_executable(${target})" ${arg_UNPARSED_ARGUMENTS})
    kit_add_target(${target} KIND PROGRAM NEEDS ${arg_NEEDS})
    if(cannot_compile)
        return()
    endif()
    set(header kit_checked_test_header)
    if(arg_OBJECTS)
        set(header kit_submission_header)
    endif()
    if(arg_DEFINITIONS)
        set(header none)
    endif()
    kit_add_cuda_sources(${target} SOURCES ${arg_SOURCES} AS kit_cuda HEADER ${header})
    target_link_libraries(${target} PRIVATE kit_grader)
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
    if(NOT arg_WRITTEN_BY_STUDENT)
        target_compile_options(${target} PRIVATE ${kit_werror_options})
    endif()
    if(arg_DEVICE_LAUNCH)
        set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    endif()
    get_target_property(kind ${target} TYPE)
    if(NOT kind STREQUAL "EXECUTABLE")
        foreach(objects IN LISTS arg_OBJECTS)
            add_dependencies(${target} ${objects})
        endforeach()
        return()
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

# kit_add_joined_executable(target SOURCES file... OBJECTS target... OUTPUT folder/name [SHARED header...] [NEEDS library]
#                           [DEVICE_LAUNCH])
# Adds a program whose sources are compiled as one file, each in a namespace with the file's name (common/course/author/together.hpp).
# Compiling one file takes half the time. Headers next to a source are in its namespace, except the SHARED ones. A source with a line
# `// alone: WHY` is compiled separately.
function(kit_add_joined_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT" "SOURCES;OBJECTS;SHARED;NEEDS")
    set(alone "")
    set(files "")
    set(named "")
    set(folders "")
    foreach(source IN LISTS arg_SOURCES)
        cmake_path(GET source PARENT_PATH folder)
        list(APPEND folders ${folder})
        file(STRINGS ${source} why_alone LIMIT_COUNT 1 REGEX "^// alone: ")
        if(why_alone)
            list(APPEND alone ${source})
            continue()
        endif()
        cmake_path(GET source STEM name)
        if(KIT_USE STREQUAL "CPU")
            list(TRANSFORM arg_SHARED PREPEND "--keep;" OUTPUT_VARIABLE keep)
            kit_translate_source(${target} ${source} ${keep})
            set(source ${translated})
        endif()
        list(APPEND files ${source})
        list(APPEND named ${name}=${source})
    endforeach()
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}.cu)
    if(KIT_USE STREQUAL "CPU")
        set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}.cpp)
    endif()
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/joined)
    add_custom_command(OUTPUT ${joined} COMMAND kit_join joined ${joined} ${arg_SHARED} ${named}
        DEPENDS ${files} kit_join DEPFILE ${joined}.d COMMENT "Joining the sources of ${target}" VERBATIM)
    set_source_files_properties(${joined} PROPERTIES COMPILE_OPTIONS "-iquote${KIT_ROOT}")
    kit_add_cuda_executable(${target} SOURCES ${joined} ${alone} OBJECTS ${arg_OBJECTS} OUTPUT ${arg_OUTPUT} NEEDS ${arg_NEEDS}
        ${arg_UNPARSED_ARGUMENTS})
    list(REMOVE_DUPLICATES folders)
    target_include_directories(${target} PRIVATE ${folders})
    set_target_properties(${target} PROPERTIES KIT_JOINED "${arg_SOURCES}")
endfunction()

# kit_add_choosing(name SOURCE file TEST objects NAMES pattern OUTPUT folder/name [DEFINITIONS name...] [NEEDS library]
#                  [DEVICE_LAUNCH])
# Adds a program that contains several submissions, which SOURCE joins. The name with which it is started selects one (kit_join choose).
# In NAMES, % stands for the text after wrong_ or right_ in the name of a submission's namespace.
function(kit_add_choosing name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;TEST;NAMES;OUTPUT" "")
    kit_add_cuda_objects(${name}.objects SOURCES ${arg_SOURCE} WRITTEN_BY_STUDENT ${arg_UNPARSED_ARGUMENTS})
    set(choice ${CMAKE_BINARY_DIR}/${arg_OUTPUT}.cpp)
    add_custom_command(OUTPUT ${choice} VERBATIM COMMAND_EXPAND_LISTS
        COMMAND kit_join choose ${choice} ${CMAKE_NM} ${arg_NAMES}
            $<TARGET_OBJECTS:${name}.objects> $<TARGET_OBJECTS:${arg_TEST}>
        DEPENDS kit_join $<TARGET_OBJECTS:${name}.objects> $<TARGET_OBJECTS:${arg_TEST}>
        COMMENT "Finding what the test of ${arg_OUTPUT} calls")
    set_source_files_properties(${choice} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    kit_add_cuda_executable(${name} SOURCES ${choice} OBJECTS ${arg_TEST} ${name}.objects OUTPUT ${arg_OUTPUT}
        ${arg_UNPARSED_ARGUMENTS})
endfunction()

# kit_compile_together(target n): compiles n sources of the target at a time as one file, which takes half the time or less. Names without
# linkage must then differ among these sources.
function(kit_compile_together target at_a_time)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${KIT_TOGETHER} UNITY_BUILD_BATCH_SIZE ${at_a_time})
endfunction()
