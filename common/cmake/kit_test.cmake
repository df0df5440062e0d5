# Tests are run through run_test.sh, which does not trust the exit status alone.

set(KIT_RESULTS_DIR ${CMAKE_BINARY_DIR}/results)
file(MAKE_DIRECTORY ${KIT_RESULTS_DIR} ${CMAKE_BINARY_DIR}/notes)

# kit_add_checked_test(NAME name TARGET target [MODE pass|open|wrong|memcheck|racecheck|initcheck|synccheck]
#                      [SUBMISSION file] [NOTES prefix] [AGAIN command] [ARGS argument...] [LABELS label...] [TIMEOUT seconds])
# pass: must end in RESULT pass. open: must be reported as open. wrong: must fail with the diagnosis that the submission
# names. The sanitizer modes: must pass under that tool of compute-sanitizer.
function(kit_add_checked_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;MODE;SUBMISSION;NOTES;AGAIN;TIMEOUT" "ARGS;LABELS")
    kit_refuse_unknown("kit_add_checked_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(options --root ${KIT_ROOT} --results ${KIT_RESULTS_DIR} --backend ${KIT_USE} --name ${arg_NAME})
    foreach(option IN ITEMS MODE SUBMISSION NOTES AGAIN)
        if(arg_${option})
            string(TOLOWER ${option} flag)
            list(APPEND options --${flag} ${arg_${option}})
        endif()
    endforeach()
    add_test(NAME ${arg_NAME}
        COMMAND sh ${KIT_ROOT}/common/cmake/run_test.sh ${options} -- $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
    kit_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()

# kit_add_message_test(NAME name STATUS status EXPECT text... COMMAND command... [LABELS label...] [TIMEOUT seconds])
# The command must end with that exit status (a number, or "not 0") and print each of the texts. Exit 77 with a line
# RESULT skip is a skip.
function(kit_add_message_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;STATUS;TIMEOUT" "EXPECT;COMMAND;LABELS")
    kit_refuse_unknown("kit_add_message_test(${arg_NAME})" ${arg_UNPARSED_ARGUMENTS})
    set(options --root ${KIT_ROOT} --results ${KIT_RESULTS_DIR} --name ${arg_NAME} --mode message --status ${arg_STATUS})
    foreach(text IN LISTS arg_EXPECT)
        list(APPEND options --expect ${text})
    endforeach()
    add_test(NAME ${arg_NAME} COMMAND sh ${KIT_ROOT}/common/cmake/run_test.sh ${options} -- ${arg_COMMAND})
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

# Every test has a time limit, and the first word of its name as a label.
function(kit_test_properties name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
    kit_refuse_unknown("kit_test_properties(${name})" ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    string(REGEX REPLACE "\\..*" "" kind ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${kind};${arg_LABELS}")
endfunction()
