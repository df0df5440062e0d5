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
        kit_add_starters_target("${exercises}")
    elseif(KIT_STAGE STREQUAL "demo")
        kit_add_results_target()
    endif()
endfunction()

# `results` runs every demo and writes the records, and what lectures and charts take from them.
function(kit_add_results_target)
    get_property(demos GLOBAL PROPERTY KIT_DEMOS)
    if(NOT demos)
        return()
    endif()
    add_custom_target(results USES_TERMINAL VERBATIM COMMENT "Recording the demos"
        COMMAND sh ${KIT_ROOT}/common/cmake/results.sh ${KIT_ROOT} ${CMAKE_BINARY_DIR}/demo $<TARGET_FILE:kit_course> ${demos})
    list(TRANSFORM demos REPLACE "(.+)" "demo.\\1.program")
    add_dependencies(results kit_course ${demos})
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

# The target `starters` rewrites exercises/*/*.cu from the solutions: for authors, as it overwrites what is there.
function(kit_add_starters_target exercises)
    set(commands "")
    foreach(exercise IN LISTS exercises)
        cmake_path(GET exercise PARENT_PATH topic)
        file(MAKE_DIRECTORY ${KIT_ROOT}/exercises/${topic})
        list(APPEND commands COMMAND kit_make_starters
            ${KIT_ROOT}/solutions/${exercise}.cu ${KIT_ROOT}/exercises/${exercise}.cu)
    endforeach()
    add_custom_target(starters ${commands} VERBATIM COMMENT "Making all starters")
endfunction()
