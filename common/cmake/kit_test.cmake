# Declares tests. Every test is judged by kit_course judge, which does not trust an exit status alone, and every test states its tier:
#
#   TIER quick      the quick proof (preset solutions), and the full proof as well
#   TIER full       the full proof only (preset proof; on a GPU, preset gpu)
#   TIER sanitize   under compute-sanitizer (preset sanitize)
#   TIER exercise   a student's exercise (preset exercises): no proof runs it, and its own test builds it
#
# `ctest -L quick`, `ctest -L full` and so on run the tests of a tier; kit_quick, kit_proof and kit_sanitized build their programs.
add_custom_target(kit_quick)
add_custom_target(kit_proof)
add_custom_target(kit_sanitized)
add_dependencies(kit_proof kit_quick)

# kit_build_for(tier [target...]): builds these targets for the tests of this tier. Refuses a tier that does not exist.
function(kit_build_for tier)
    set(builds_quick kit_quick)
    set(builds_full kit_proof)
    set(builds_sanitize kit_sanitized)
    if(NOT tier STREQUAL "exercise" AND NOT builds_${tier})
        message(FATAL_ERROR "The tier of a test must be TIER quick, full, sanitize or exercise, not \"${tier}\".")
    endif()
    if(ARGN AND builds_${tier})
        add_dependencies(${builds_${tier}} ${ARGN})
    endif()
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/results)
set(kit_tools ${CMAKE_BINARY_DIR})
if(KIT_PREBUILT)
    set(kit_tools ${KIT_PREBUILT})
endif()
set(kit_course_command sh ${KIT_ROOT}/common/cmake/run_kit_course.sh ${kit_tools} ${CMAKE_BINARY_DIR}/course.txt)
set(kit_judge ${kit_course_command} judge)

# kit_add_checked_test(NAME name TIER tier TARGET target [PROGRAM path] [MODE mode] [SUBMISSION file] [ARGS argument...] [LABELS label...]
#                      [TIMEOUT seconds])
# PROGRAM is a different name of the program that the target builds.
# MODE  pass            must end in RESULT pass (this is the default)
#       exercise        the same; the target is built first, unless SUBMISSION is still the starter
#       open            must be reported as open
#       submission      must get the verdict that its entry in tests/TOPIC/NAME.submissions states
#       wrong           a wrong program of the kit's tests: must be rejected with the texts of its lines "// diagnosis: TEXT"
#       memcheck racecheck initcheck synccheck     must pass under that tool of compute-sanitizer
#       sanitize_wrong  the four tools must find the errors that the entry states
# If a library is missing that the target needs, the test is skipped with the sentence that says what to install.
function(kit_add_checked_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIER;TARGET;PROGRAM;MODE;SUBMISSION;TIMEOUT" "ARGS;LABELS")
    kit_refuse_unknown("kit_add_checked_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_MODE)
        set(arg_MODE pass)
    endif()
    set(options --name ${arg_NAME} --mode ${arg_MODE})
    if(arg_SUBMISSION)
        list(APPEND options --submission ${arg_SUBMISSION})
    endif()
    if(arg_MODE STREQUAL "exercise")
        list(APPEND options --target ${arg_TARGET})
    endif()
    kit_build_for("${arg_TIER}" ${arg_TARGET})
    if(NOT arg_PROGRAM)
        set(arg_PROGRAM $<TARGET_FILE:${arg_TARGET}>)
    endif()
    get_target_property(missing ${arg_TARGET} KIT_MISSING)
    if(missing)
        add_test(NAME ${arg_NAME} COMMAND ${kit_judge} --name ${arg_NAME} --mode message --status 0
            -- sh -c "echo 'RESULT skip: this ${missing}'; exit 77")
    else()
        add_test(NAME ${arg_NAME} COMMAND ${kit_judge} ${options} -- ${arg_PROGRAM} ${arg_ARGS})
    endif()
    kit_test_properties(${arg_NAME} TIER ${arg_TIER} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
    get_target_property(lock ${arg_TARGET} KIT_LOCK)
    if(lock)
        set_tests_properties(${arg_NAME} PROPERTIES RESOURCE_LOCK ${lock})
    endif()
endfunction()

# kit_add_message_test(NAME name TIER tier STATUS status EXPECT text... COMMAND command... [LABELS label...] [TIMEOUT seconds])
# The command must end with that exit status (a number, or "not 0") and print each of the texts. Exit 77 with a line
# RESULT skip is a skip.
function(kit_add_message_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIER;STATUS;TIMEOUT" "EXPECT;COMMAND;LABELS")
    kit_refuse_unknown("kit_add_message_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(options --name ${arg_NAME} --mode message --status ${arg_STATUS})
    foreach(text IN LISTS arg_EXPECT)
        list(APPEND options --expect ${text})
    endforeach()
    add_test(NAME ${arg_NAME} COMMAND ${kit_judge} ${options} -- ${arg_COMMAND})
    kit_test_properties(${arg_NAME} TIER ${arg_TIER} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()

# kit_add_program_test(NAME name TIER tier TARGET target [ARGS argument...])
# The exit status of a program of the kit is the verdict. If the program is not built, one line says what to do.
function(kit_add_program_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIER;TARGET" "ARGS")
    kit_refuse_unknown("kit_add_program_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(advice "${arg_TARGET} is not built: cmake --build ${CMAKE_BINARY_DIR} -t ${arg_TARGET}")
    add_test(NAME ${arg_NAME} COMMAND sh -c "test -x \"$0\" || { echo '${advice}'; exit 1; }; exec \"$0\" \"$@\""
        $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
    kit_build_for("${arg_TIER}" ${arg_TARGET})
    kit_test_properties(${arg_NAME} TIER ${arg_TIER})
endfunction()

# kit_add_unit_tests(program PREFIX name TIER tier LIBRARY target FOLDER folder AT_A_TIME n)
# Adds a program of doctest cases that tests a library of the kit: the test PREFIX.NAME for each NAME_test.cpp in the folder. The files are
# compiled n at a time, so each has a namespace with its name. Without doctest, the program is not built, and its tests are skipped.
function(kit_add_unit_tests program)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TIER;LIBRARY;FOLDER;AT_A_TIME" "")
    kit_refuse_unknown("kit_add_unit_tests(${program})" ${arg_UNPARSED_ARGUMENTS})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/*_test.cpp)
    find_path(doctest_headers doctest/doctest.h)
    if(doctest_headers AND NOT TARGET kit_unit_tests_main)
        add_library(kit_unit_tests_main OBJECT EXCLUDE_FROM_ALL ${KIT_ROOT}/tests/unit_tests_main.cpp)
        target_include_directories(kit_unit_tests_main SYSTEM PUBLIC ${doctest_headers})
        target_compile_definitions(kit_unit_tests_main PUBLIC DOCTEST_CONFIG_SUPER_FAST_ASSERTS)  # they compile faster
    endif()
    if(doctest_headers)
        add_executable(${program} EXCLUDE_FROM_ALL ${sources})
        target_link_libraries(${program} PRIVATE kit_unit_tests_main ${arg_LIBRARY})
        target_compile_options(${program} PRIVATE -Wall -Wextra ${kit_werror_options})
        kit_compile_together(${program} AT_A_TIME ${arg_AT_A_TIME})
    endif()
    foreach(source IN LISTS sources)
        cmake_path(GET source FILENAME file)
        string(REPLACE "_test.cpp" "" name ${file})
        if(doctest_headers)
            kit_add_program_test(NAME ${arg_PREFIX}.${name} TIER ${arg_TIER} TARGET ${program} ARGS --source-file=*${file})
        else()
            add_test(NAME ${arg_PREFIX}.${name} COMMAND sh -c "echo 'doctest is not installed: apt-get install doctest-dev'; exit 77")
            kit_test_properties(${arg_PREFIX}.${name} TIER ${arg_TIER})
        endif()
    endforeach()
endfunction()

# kit_test_properties(name TIER tier [TIMEOUT seconds] [LABELS label...])
# Sets a time limit, and as labels the first word of the test's name and each proof that runs the test. A test that may take long starts
# early. Otherwise, no other test would be left to run at the same time.
function(kit_test_properties name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIER;TIMEOUT" "LABELS")
    kit_refuse_unknown("kit_test_properties(${name})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    kit_build_for("${arg_TIER}")
    string(REGEX REPLACE "\\..*" "" kind ${name})
    set(labels ${kind} ${arg_TIER} ${arg_LABELS})
    if(arg_TIER STREQUAL "quick")
        list(APPEND labels full)
    endif()
    list(REMOVE_DUPLICATES labels)
    set_property(GLOBAL APPEND PROPERTY KIT_TESTS "${arg_TIER} ${name}")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${labels}")
endfunction()

# kit_write_files(source folder result): writes the files in `source`, each of which follows a heading "== NAME", to the folder, if they
# have changed. Sets `result` to the paths of the files. It is for small programs that only one test reads, which need no files in the
# course.
function(kit_write_files source folder result)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} rest)
    set(files "")
    string(FIND "${rest}" "\n== " at)
    while(NOT at EQUAL -1)
        math(EXPR at "${at} + 4")
        string(SUBSTRING "${rest}" ${at} -1 rest)
        string(FIND "${rest}" "\n" end)
        string(SUBSTRING "${rest}" 0 ${end} name)
        math(EXPR end "${end} + 1")
        string(SUBSTRING "${rest}" ${end} -1 rest)
        string(FIND "${rest}" "\n== " at)
        string(SUBSTRING "${rest}" 0 ${at} text)
        file(CONFIGURE OUTPUT ${folder}/${name} CONTENT "${text}" @ONLY)
        list(APPEND files ${folder}/${name})
    endwhile()
    set(${result} ${files} PARENT_SCOPE)
endfunction()
