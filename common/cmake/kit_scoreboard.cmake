# What is known only when all topics are declared: the course's list of exercises, the scoreboard, the starters.

function(kit_finish_course)
    get_property(exercises GLOBAL PROPERTY KIT_EXERCISES)
    list(JOIN exercises "\n" text)
    file(WRITE ${CMAKE_BINARY_DIR}/exercises.txt "${text}\n")
    # What kit_course reads: see Course::read.
    get_property(declared GLOBAL PROPERTY KIT_DECLARED)
    list(JOIN declared "\n" declared)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/course.txt @ONLY CONTENT
        "root @KIT_ROOT@\nbuild @CMAKE_BINARY_DIR@\nsubmitted @KIT_EXERCISES_DIR@\nbackend @KIT_USE@\n@declared@\n")
    if(KIT_STAGE STREQUAL "exercises")
        kit_add_scoreboard()
    elseif(KIT_STAGE STREQUAL "solutions")
        kit_add_author_targets()
    elseif(KIT_STAGE STREQUAL "demo")
        kit_add_results_target()
    endif()
endfunction()

# `results` runs every demo and writes the records, and what lectures and charts take from them.
function(kit_add_results_target)
    get_property(demos GLOBAL PROPERTY KIT_DEMOS)
    if(NOT TARGET kit_results OR NOT demos)
        return()
    endif()
    add_custom_target(results USES_TERMINAL VERBATIM COMMENT "Recording the demos"
        COMMAND sh ${KIT_ROOT}/common/cmake/results.sh ${KIT_ROOT} ${CMAKE_BINARY_DIR}/demo $<TARGET_FILE:kit_results>
            $<TARGET_FILE:kit_numbers> ${demos})
    list(TRANSFORM demos REPLACE "(.+)" "demo.\\1.program")
    add_dependencies(results kit_results kit_numbers ${demos})
endfunction()

# A test never grades a stale program: every exercise requires this one, which builds what was edited. The scoreboard is
# printed at the end of each run of ctest.
function(kit_add_scoreboard)
    if(TARGET exercises)
        add_test(NAME exercise.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target exercises)
        kit_test_properties(exercise.build TIMEOUT 1200)
        set_tests_properties(exercise.build PROPERTIES FIXTURES_SETUP kit_exercises_are_built)
    endif()
    get_property(lines GLOBAL PROPERTY KIT_SCOREBOARD)
    list(JOIN lines "\n" text)
    file(WRITE ${CMAKE_BINARY_DIR}/scoreboard.txt "${text}\n")
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CTestCustom.cmake @ONLY CONTENT
        [[set(CTEST_CUSTOM_POST_TEST "sh \"@KIT_ROOT@/common/cmake/scoreboard.sh\" \"@KIT_ROOT@\" \"@KIT_EXERCISES_DIR@\" \"@CMAKE_BINARY_DIR@\" @KIT_USE@")
]])
endfunction()

# For authors. Targets that write into the checkout: `starters` renews exercises/*/*.cu from the solutions (and keeps what somebody
# has worked on), `pages` writes the code that pages show.
function(kit_add_author_targets)
    add_custom_target(starters COMMAND kit_course starters VERBATIM USES_TERMINAL COMMENT "Making all starters")
    add_custom_target(pages COMMAND kit_course code --write VERBATIM USES_TERMINAL COMMENT "Writing what pages take from sources")
endfunction()
