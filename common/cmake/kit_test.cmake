# Tests are run by kit_course judge, which does not trust the exit status alone. What a test needs is built by the group that
# it belongs to: kit_proof (preset solutions, gpu), kit_sanitized (preset sanitize); an exercise is built by its own test.
add_custom_target(kit_proof)
add_custom_target(kit_sanitized)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/results)
set(kit_judge $<TARGET_FILE:kit_course> --course ${CMAKE_BINARY_DIR}/course.txt judge)

# kit_add_checked_test(NAME name TARGET target [PROGRAM path] [MODE mode] [SUBMISSION file] [ARGS argument...] [LABELS label...]
#                      [TIMEOUT seconds])
# PROGRAM is another name of the target's program.
# MODE  pass            must end in RESULT pass (this is the default)
#       exercise        the same; the target is built first, unless SUBMISSION is still the starter
#       open            must be reported as open
#       wrong           must fail with the diagnosis that SUBMISSION names
#       memcheck racecheck initcheck synccheck     must pass under that tool of compute-sanitizer
#       sanitize_wrong  must get that diagnosis from the four tools
# Where a library is missing that the target needs, the test is skipped with the sentence that says what to install.
function(kit_add_checked_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;PROGRAM;MODE;SUBMISSION;TIMEOUT" "ARGS;LABELS")
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
    elseif(arg_NAME MATCHES "^sanitize")
        add_dependencies(kit_sanitized ${arg_TARGET})
    else()
        add_dependencies(kit_proof ${arg_TARGET})
    endif()
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
    kit_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
    get_target_property(lock ${arg_TARGET} KIT_LOCK)
    if(lock)
        set_tests_properties(${arg_NAME} PROPERTIES RESOURCE_LOCK ${lock})
    endif()
endfunction()

# kit_add_message_test(NAME name STATUS status EXPECT text... COMMAND command... [LABELS label...] [TIMEOUT seconds])
# The command must end with that exit status (a number, or "not 0") and print each of the texts. Exit 77 with a line
# RESULT skip is a skip.
function(kit_add_message_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;STATUS;TIMEOUT" "EXPECT;COMMAND;LABELS")
    kit_refuse_unknown("kit_add_message_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(options --name ${arg_NAME} --mode message --status ${arg_STATUS})
    foreach(text IN LISTS arg_EXPECT)
        list(APPEND options --expect ${text})
    endforeach()
    add_test(NAME ${arg_NAME} COMMAND ${kit_judge} ${options} -- ${arg_COMMAND})
    kit_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()

# kit_add_program_test(NAME name TARGET target [ARGS argument...])
# The exit status of the kit's own program is the verdict. Where it is not built, one line says what to do.
function(kit_add_program_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET" "ARGS")
    kit_refuse_unknown("kit_add_program_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(advice "${arg_TARGET} is not built: cmake --build ${CMAKE_BINARY_DIR} -t ${arg_TARGET}")
    add_test(NAME ${arg_NAME} COMMAND sh -c "test -x \"$0\" || { echo '${advice}'; exit 1; }; exec \"$0\" \"$@\""
        $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
    kit_test_properties(${arg_NAME})
endfunction()

# Every test has a time limit, and the first word of its name as a label. What may take long begins early: at the end there would be
# nothing to run beside it.
function(kit_test_properties name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
    kit_refuse_unknown("kit_test_properties(${name})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    string(REGEX REPLACE "\\..*" "" kind ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${kind};${arg_LABELS}")
endfunction()
