# Writes the lists that kit_course reads about this build folder, and adds the targets for authors.

function(kit_finish_course)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/course.txt @ONLY CONTENT
        "root @KIT_ROOT@\nbuild @CMAKE_BINARY_DIR@\nsubmitted @KIT_EXERCISES_DIR@\nbackend @KIT_USE@\nchosen @KIT_TOPICS@\n")
    get_property(tests GLOBAL PROPERTY KIT_TESTS)
    list(JOIN tests "\n" tests)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests.txt @ONLY CONTENT "@tests@\n")
    # In every run of ctest, `begin` runs before the tests and builds the targets that exercises share, and `scoreboard` runs after them.
    list(JOIN kit_course_command "\\\" \\\"" program)
    set(program "\\\"${program}\\\"")
    file(WRITE ${CMAKE_BINARY_DIR}/CTestCustom.cmake "set(CTEST_CUSTOM_PRE_TEST \"${program} begin\")
set(CTEST_CUSTOM_POST_TEST \"${program} scoreboard\")\n")
    # The targets that are built by a student's first command.
    add_custom_target(kit_start)
    add_dependencies(kit_start kit_course)
    if(TARGET kitcc)
        add_dependencies(kit_start kitcc)
    endif()
    # For students: grades an exercise after each save. The environment variable KIT_EXERCISE names the first exercise.
    add_custom_target(watch COMMAND kit_course --course ${CMAKE_BINARY_DIR}/course.txt watch VERBATIM USES_TERMINAL
        COMMENT "Watching: q quits")
    # For students: gives the next bug hunt.
    kit_add_hunts()
    add_custom_target(hunt COMMAND kit_course --course ${CMAKE_BINARY_DIR}/course.txt hunt VERBATIM USES_TERMINAL
        WORKING_DIRECTORY ${KIT_ROOT} COMMENT "Choosing a bug hunt")
    if(NOT KIT_FOR_STUDENTS)
        kit_add_author_targets()
    endif()
endfunction()

# For authors: targets that write into the checkout. `starters` generates exercises/*/*.cu from the solutions, except files that contain a
# student's work. `pages` writes the lists, code, numbers and tables in pages. Both first write the lines of solutions and contracts that
# follow from other files (author/written.hpp). `results` runs every demo and writes the records, and the
# numbers and charts that follow from the records. `student` creates the copy of the course for students.
function(kit_add_author_targets)
    add_custom_target(starters COMMAND kit_author written --write COMMAND kit_author starters VERBATIM USES_TERMINAL COMMENT "Generating all starters")
    add_custom_target(pages COMMAND kit_author written --write COMMAND kit_author lists --write COMMAND kit_author code --write COMMAND kit_author numbers --write
        VERBATIM USES_TERMINAL COMMENT "Writing the tables, code and numbers of pages")
    add_custom_target(student COMMAND kit_author student ${KIT_STUDENT_FOLDER} VERBATIM COMMENT "Copying the course for students")
    get_property(demos GLOBAL PROPERTY KIT_DEMOS)
    if(demos)
        add_custom_target(results USES_TERMINAL VERBATIM COMMENT "Recording the demos"
            COMMAND sh ${KIT_ROOT}/common/cmake/results.sh ${KIT_ROOT} ${CMAKE_BINARY_DIR}/demo $<TARGET_FILE:kit_author> ${demos})
        add_dependencies(results kit_author kit_demos)
    endif()
endfunction()
