# Declares the exercises of a topic, and what is built and tested of each.

# The files that every exercise must have; a missing one is named at once.
function(kit_require_files topic exercise)
    foreach(file IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${KIT_ROOT} OUTPUT_VARIABLE path)
        if(NOT EXISTS ${path})
            message(FATAL_ERROR "Exercise ${topic}/${exercise} has no ${file}.")
        endif()
    endforeach()
endfunction()

# kit_add_topics (kit_manifest.cmake) calls this for each topic of the manifest:
# kit_add_topic(07_reduction EXERCISES tree_divergent tree... [VARIANTS exercise:DEFINITION...] [NEEDS exercise:library...]
#               [DEMO_RUNS_SOLUTIONS] [DEVICE_LAUNCH] [DEMO_DEVICE_LAUNCH])
# An exercise NAME has exercises/TOPIC/NAME.cu, solutions/TOPIC/NAME.cu, tests/TOPIC/NAME_test.cu and tests/TOPIC/NAME.submissions. A
# variant is the same exercise built and graded once more with that definition; a submission that is graded only in a variant says so
# in its entry: variant: DEFINITION.
# With DEMO_RUNS_SOLUTIONS the topic's demo is linked with its solutions and calls them through the contract.
# NEEDS names the library of kit_libraries.cmake that an exercise is linked with; where there is none on the GPU backend, its tests
# are skipped with the sentence that says what to install, and a demo that runs solutions is built with KIT_WITHOUT_LIBRARY, and
# without these solutions. The CPU backend has all of them.
# With DEVICE_LAUNCH its kernels launch kernels, see kit_add_cuda_executable; with DEMO_DEVICE_LAUNCH those of the demo do.
function(kit_add_topic topic)
    cmake_parse_arguments(PARSE_ARGV 1 arg "DEMO_RUNS_SOLUTIONS;DEVICE_LAUNCH;DEMO_DEVICE_LAUNCH" "" "EXERCISES;VARIANTS;NEEDS")
    kit_refuse_unknown("kit_add_topic(${topic})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_EXERCISES)
        message(FATAL_ERROR "kit_add_topic(${topic}): a topic needs EXERCISES.")
    endif()
    foreach(variant IN LISTS arg_VARIANTS)
        string(REGEX MATCH "^([a-z0-9_]+):([A-Z0-9_]+)$" matches "${variant}")
        if(NOT matches OR NOT CMAKE_MATCH_1 IN_LIST arg_EXERCISES)
            message(FATAL_ERROR "kit_add_topic(${topic}): VARIANTS ${variant} is not exercise:DEFINITION.")
        endif()
        list(APPEND variants_of_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endforeach()

    foreach(need IN LISTS arg_NEEDS)
        string(REGEX MATCH "^([a-z0-9_]+):([a-z0-9_]+)$" matches "${need}")
        if(NOT matches OR NOT CMAKE_MATCH_1 IN_LIST arg_EXERCISES)
            message(FATAL_ERROR "kit_add_topic(${topic}): NEEDS ${need} is not exercise:library.")
        endif()
        set(needs_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})  # read by kit_add_graded and kit_add_demo
    endforeach()

    set(device_launch "")  # read by kit_add_graded and kit_add_demo
    if(arg_DEVICE_LAUNCH)
        set(device_launch DEVICE_LAUNCH)
    endif()
    foreach(exercise IN LISTS arg_EXERCISES)
        set(origin solutions/${topic}/${exercise}.cu)  # of its starter
        if(KIT_FOR_STUDENTS)
            set(origin tests/${topic}/${exercise}.starter)
        endif()
        kit_require_files(${topic} ${exercise} tests/${topic}/${exercise}_test.cu ${origin})
        kit_make_starter(${topic} ${exercise} ${KIT_ROOT}/${origin})
        foreach(variant IN ITEMS "" ${variants_of_${exercise}})
            kit_add_exercise(${topic} ${exercise} "${variant}")
            if(KIT_FOR_STUDENTS)
                continue()
            endif()
            kit_add_solution(${topic} ${exercise} "${variant}")
            kit_add_submissions(${topic} ${exercise} "${variant}")
        endforeach()
        if(NOT KIT_FOR_STUDENTS)
            kit_add_proof(${topic} ${exercise})
        endif()
    endforeach()
    if(KIT_FOR_STUDENTS)  # demos show what exercises ask for
        return()
    endif()
    if(NOT arg_DEMO_RUNS_SOLUTIONS)
        set(arg_EXERCISES "")
    endif()
    if(arg_DEMO_DEVICE_LAUNCH)
        set(device_launch DEVICE_LAUNCH)
    endif()
    kit_add_demo(${topic} ${arg_EXERCISES})
endfunction()

# kit_add_graded(kind topic exercise variant SOURCES file | OBJECTS target [WRITTEN_BY_STUDENT])
# Builds KIND.TOPIC.EXERCISE[.VARIANT]: a submission, and the exercise's test, which is compiled once. The name is left in the
# caller's variable `program`.
function(kit_add_graded kind topic exercise variant)
    cmake_parse_arguments(PARSE_ARGV 4 arg "WRITTEN_BY_STUDENT" "" "SOURCES;OBJECTS")
    kit_refuse_unknown("kit_add_graded(${topic}/${exercise})" ${arg_UNPARSED_ARGUMENTS})
    set(suffix "")
    if(variant)
        set(suffix .${variant})
    endif()
    set(written_by_student "")
    if(arg_WRITTEN_BY_STUDENT)
        set(written_by_student WRITTEN_BY_STUDENT)
    endif()
    set(test test.${topic}.${exercise}${suffix})
    if(NOT TARGET ${test})
        kit_add_cuda_objects(${test} SOURCES ${KIT_ROOT}/tests/${topic}/${exercise}_test.cu DEFINITIONS ${variant}
            NEEDS ${needs_${exercise}})
    endif()
    set(name ${kind}.${topic}.${exercise}${suffix})
    kit_add_cuda_executable(${name} SOURCES ${arg_SOURCES} OBJECTS ${arg_OBJECTS} ${test} DEFINITIONS ${variant}
        OUTPUT ${kind}/${topic}/${exercise}${suffix} NEEDS ${needs_${exercise}} ${device_launch} ${written_by_student})
    kit_lock_of_library(${name})
    set(program ${name} PARENT_SCOPE)
endfunction()

# A PE's kernels wait for another PE's: two such programs would take turns.
function(kit_lock_of_library target)
    if(KIT_USE STREQUAL "GPU" AND "${needs_${exercise}}" STREQUAL "nvshmem")
        set_target_properties(${target} PROPERTIES KIT_LOCK nvshmem)
    endif()
endfunction()

# Built by its own test, and only if somebody has edited it. The others go on when one does not compile.
function(kit_add_exercise topic exercise variant)
    set(submission ${KIT_EXERCISES_DIR}/${topic}/${exercise}.cu)
    set(source ${submission})
    if(NOT EXISTS ${source})  # its test says so; a target needs some source
        set(source ${CMAKE_BINARY_DIR}/starters/${topic}/${exercise}.cu)
    endif()
    kit_add_graded(exercise ${topic} ${exercise} "${variant}" SOURCES ${source} WRITTEN_BY_STUDENT)
    kit_add_checked_test(NAME ${program} TARGET ${program} TIER exercise MODE exercise SUBMISSION ${submission}
        LABELS ${topic} TIMEOUT 600)
endfunction()

# The solution is compiled once, for its test and for the topic's demo. One test for each tool of compute-sanitizer; a test that
# makes an error on purpose says so at its top: // sanitizer.memcheck: why not
function(kit_add_solution topic exercise variant)
    set(source ${KIT_ROOT}/solutions/${topic}/${exercise}.cu)
    set(objects solved.${topic}.${exercise})
    if(variant)
        string(APPEND objects .${variant})
    endif()
    kit_add_cuda_objects(${objects} SOURCES ${source} DEFINITIONS ${variant} NEEDS ${needs_${exercise}} WRITTEN_BY_STUDENT
        ${device_launch})
    kit_add_graded(solution ${topic} ${exercise} "${variant}" OBJECTS ${objects})
    kit_add_checked_test(NAME ${program} TIER quick TARGET ${program} SUBMISSION ${source} LABELS ${topic})
    if(KIT_USE STREQUAL "GPU")
        string(REPLACE "solution." "" name ${program})
        foreach(tool IN ITEMS memcheck racecheck initcheck synccheck)
            kit_add_checked_test(NAME sanitize.${tool}.${name} TIER sanitize TARGET ${program} MODE ${tool}
                SUBMISSION ${KIT_ROOT}/tests/${topic}/${exercise}_test.cu LABELS ${topic} ${tool} TIMEOUT 900)
        endforeach()
    endif()
endfunction()

function(kit_make_starter topic exercise origin)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/starters/${topic})
    set(starter ${CMAKE_BINARY_DIR}/starters/${topic}/${exercise}.cu)
    add_custom_command(OUTPUT ${starter} COMMAND kit_course starter ${topic} ${exercise} ${starter}
        DEPENDS ${origin} kit_course COMMENT "Making the starter ${topic}/${exercise}.cu" VERBATIM)
endfunction()

# A submission is an entry of tests/TOPIC/EXERCISE.submissions (common/course/submissions.hpp), which says what its verdict must be. The
# starter, as generated from the solution, must be reported as open. Each is a link to a program that holds several of them:
# wrong/TOPIC/EXERCISE.MISTAKE[.VARIANT], right/TOPIC/EXERCISE.WAY and starter/TOPIC/EXERCISE. The quick proof runs the starter and the
# first wrong submission that this backend can reject, which are a program of their own; the full proof runs all.
function(kit_add_submissions topic exercise variant)
    kit_find_submissions(${topic} ${exercise} "${variant}")
    kit_add_submissions_program(${topic} ${exercise} "${variant}" quick ${first})
    list(REMOVE_ITEM submissions "${first}")
    kit_add_submissions_program(${topic} ${exercise} "${variant}" full ${submissions})
endfunction()

# kit_add_submissions_program(topic exercise variant tier wrong.MISTAKE|right.WAY...): the program of the submissions that belong to this
# tier, and their tests. compute-sanitizer runs those of the caller's list `only_cpu`, whose results are not always wrong on a GPU.
function(kit_add_submissions_program topic exercise variant tier)
    set(starter ${CMAKE_BINARY_DIR}/starters/${topic}/${exercise}.cu)
    set(suffix "")
    set(program ${exercise})
    if(variant)
        set(suffix .${variant})
        string(APPEND program .${variant})
    endif()
    set(parts ${ARGN})
    if(tier STREQUAL "quick")
        string(APPEND program .first)
        list(PREPEND parts ${starter})
    endif()
    if(NOT parts)
        return()
    endif()
    set(name submissions.${topic}.${program})
    set(source ${CMAKE_BINARY_DIR}/submissions/${topic}/${program}.cu)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/submissions/${topic})
    add_custom_command(OUTPUT ${source} COMMAND kit_author together ${topic} ${exercise} ${source} ${parts}
        DEPENDS ${file_of_submissions} ${KIT_ROOT}/solutions/${topic}/${exercise}.cu ${starter} kit_author
        DEPFILE ${source}.d
        COMMENT "Making the submissions of ${topic}/${program}" VERBATIM)
    kit_add_choosing(${name} SOURCE ${source} TEST test.${topic}.${exercise}${suffix} NAMES ${exercise}.%${suffix}
        OUTPUT submissions/${topic}/${program} DEFINITIONS ${variant} NEEDS ${needs_${exercise}} ${device_launch})
    kit_lock_of_library(${name})

    if(tier STREQUAL "quick")
        kit_add_submission(starter/${topic}/${exercise}${suffix} MODE open SUBMISSION ${KIT_ROOT}/solutions/${topic}/${exercise}.cu)
    endif()
    foreach(entry IN LISTS ARGN)
        string(REGEX MATCH "^(wrong|right)[.](.*)" matches ${entry})
        set(submission ${CMAKE_MATCH_1}/${topic}/${exercise}.${CMAKE_MATCH_2}${suffix})
        set(text ${CMAKE_BINARY_DIR}/${CMAKE_MATCH_1}/${topic}/${exercise}/${CMAKE_MATCH_2}.cu)
        kit_add_submission(${submission} MODE submission SUBMISSION ${text})
        if(KIT_USE STREQUAL "GPU" AND entry IN_LIST only_cpu)
            kit_add_checked_test(NAME sanitize.${test_name} TIER sanitize TARGET ${name} PROGRAM ${CMAKE_BINARY_DIR}/${submission}
                MODE sanitize_wrong SUBMISSION ${text} LABELS ${topic} wrong TIMEOUT 900)
        endif()
    endforeach()
endfunction()

# kit_add_submission(KIND/TOPIC/NAME option...): the link by which the caller's program `name` is this submission, and its test in the
# caller's tier. The test's name is left in the caller's variable `test_name`.
function(kit_add_submission submission)
    cmake_path(GET submission PARENT_PATH folder)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
    file(CREATE_LINK ../../submissions/${topic}/${program} ${CMAKE_BINARY_DIR}/${submission} SYMBOLIC)
    string(REPLACE "/" "." test_name ${submission})
    add_custom_target(${test_name} DEPENDS ${name})
    kit_add_checked_test(NAME ${test_name} TIER ${tier} TARGET ${name} PROGRAM ${CMAKE_BINARY_DIR}/${submission} LABELS ${topic} ${ARGN})
    set(test_name ${test_name} PARENT_SCOPE)
endfunction()

# kit_find_submissions(topic exercise variant): sets variables of the caller. `file_of_submissions` is the file, which a new exercise does
# not have yet. `submissions` are the entries that are graded in this variant, as wrong.MISTAKE or right.WAY. `first` is the first wrong
# one that this backend can reject, and `only_cpu` are the wrong ones that only the CPU backend can reject.
function(kit_find_submissions topic exercise variant)
    file(GLOB file CONFIGURE_DEPENDS ${KIT_ROOT}/tests/${topic}/${exercise}.submissions)
    set(lines "")
    if(file)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        file(STRINGS ${file} lines REGEX "^(== |variant: |backends: )")
    endif()
    set(submissions "")
    set(only_cpu "")
    set(only_gpu "")
    set(entry "")
    foreach(line IN LISTS lines ITEMS "== end of_file")
        if(line MATCHES "^== ([a-z]+) ([A-Za-z0-9_]+)")
            set(next ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
            if(entry AND "${in_variant}" STREQUAL "${variant}")
                list(APPEND submissions ${entry})
            endif()
            set(entry ${next})
            set(in_variant "")
        elseif(line MATCHES "^variant: +([A-Z0-9_]+)")
            set(in_variant ${CMAKE_MATCH_1})
        elseif(line MATCHES "^backends: +([a-z]+)")
            list(APPEND only_${CMAKE_MATCH_1} ${entry})
        endif()
    endforeach()
    list(FILTER only_cpu INCLUDE REGEX "^wrong")
    set(possible ${submissions})
    list(FILTER possible INCLUDE REGEX "^wrong")
    if(KIT_USE STREQUAL "GPU")
        list(REMOVE_ITEM possible ${only_cpu} "")
    else()
        list(REMOVE_ITEM possible ${only_gpu} "")
    endif()
    set(first "")
    if(possible)
        list(GET possible 0 first)
    endif()
    set(file_of_submissions ${file} PARENT_SCOPE)
    set(submissions ${submissions} PARENT_SCOPE)
    set(only_cpu ${only_cpu} PARENT_SCOPE)
    set(first ${first} PARENT_SCOPE)
endfunction()

# The target proof.TOPIC.EXERCISE builds and runs all that proves this exercise: its solution, starter, wrong and right
# submissions.
function(kit_add_proof topic exercise)
    get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER programs INCLUDE REGEX "^(solution|submissions)\\.${topic}\\.${exercise}(\\.|$)")
    add_custom_target(proof.${topic}.${exercise} USES_TERMINAL VERBATIM WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
        COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure -j 2 --no-tests=error
            -R "^(solution|starter|wrong|right)[.]${topic}[.]${exercise}([.]|$)"
        COMMENT "Proving ${topic}/${exercise}")
    add_dependencies(proof.${topic}.${exercise} ${programs} kit_course)
endfunction()

# kit_add_demo(topic [exercise...])
# demo.TOPIC builds and runs lectures/TOPIC/demo.cu, linked with common/demo, common/roofs.cu, the solutions of these exercises and
# the libraries that they need. Other programs of the lecture, lectures/TOPIC/NAME.cu, are built as demo/TOPIC.NAME.
function(kit_add_demo topic)
    if(NOT EXISTS ${KIT_ROOT}/lectures/${topic}/demo.cu)
        message(FATAL_ERROR "Topic ${topic} has no lectures/${topic}/demo.cu.")
    endif()
    if(NOT TARGET kit_demos)
        add_custom_target(kit_demos)
        file(GLOB shared CONFIGURE_DEPENDS ${KIT_ROOT}/common/demo/*.cu)
        kit_add_cuda_objects(kit_demo SOURCES ${shared} ${KIT_ROOT}/common/roofs.cu)
    endif()
    set(program demo.${topic}.program)
    set(sources ${KIT_ROOT}/lectures/${topic}/demo.cu)
    set(solutions "")
    set(libraries "")
    set(definitions "")
    foreach(exercise IN LISTS ARGN)
        set(missing "")
        if(needs_${exercise})
            kit_library(${needs_${exercise}} missing)
            string(TOUPPER KIT_WITHOUT_${needs_${exercise}} without)
        endif()
        if(missing)
            list(APPEND definitions ${without})
            continue()
        endif()
        get_target_property(separable solved.${topic}.${exercise} CUDA_SEPARABLE_COMPILATION)
        if(KIT_USE STREQUAL "GPU" AND device_launch AND NOT separable)  # the demo's kernels launch those of the solution
            list(APPEND sources ${KIT_ROOT}/solutions/${topic}/${exercise}.cu)
        else()
            list(APPEND solutions solved.${topic}.${exercise})
        endif()
        if(TARGET kit_${needs_${exercise}})
            list(APPEND libraries kit_${needs_${exercise}})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES definitions)
    list(REMOVE_DUPLICATES libraries)
    kit_add_cuda_executable(${program} SOURCES ${sources} OBJECTS kit_demo ${solutions}
        DEFINITIONS ${definitions} OUTPUT demo/${topic} ${device_launch})
    target_link_libraries(${program} PRIVATE ${libraries})
    foreach(library IN LISTS libraries)
        kit_separable_with(${program} ${library})
    endforeach()
    file(GLOB more CONFIGURE_DEPENDS ${KIT_ROOT}/lectures/${topic}/*.cu)
    list(REMOVE_ITEM more ${KIT_ROOT}/lectures/${topic}/demo.cu)
    foreach(source IN LISTS more)
        cmake_path(GET source STEM name)
        kit_add_cuda_executable(demo.${topic}.${name} SOURCES ${source} OBJECTS kit_demo OUTPUT demo/${topic}.${name} ${device_launch})
        add_dependencies(kit_demos demo.${topic}.${name})
    endforeach()
    add_custom_target(demo.${topic} COMMAND ${program} USES_TERMINAL VERBATIM
        WORKING_DIRECTORY ${KIT_ROOT} COMMENT "Running the demo of ${topic}")
    set_property(GLOBAL APPEND PROPERTY KIT_DEMOS ${topic})
    add_dependencies(kit_demos ${program})
endfunction()
