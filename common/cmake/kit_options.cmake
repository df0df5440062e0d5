# The options of the kit. An unknown value is refused, with the list of possible values.

# kit_choice(NAME default "what it decides" choice...)
function(kit_choice name default help)
    set(${name} "${default}" CACHE STRING "${help} (${ARGN})")
    set_property(CACHE ${name} PROPERTY STRINGS ${ARGN})
    if(NOT "${${name}}" IN_LIST ARGN)
        list(JOIN ARGN ", " offered)
        message(FATAL_ERROR "${name}=${${name}} is unknown: choose one of ${offered}.")
    endif()
endfunction()

kit_choice(KIT_BACKEND AUTO "Where CUDA code runs" AUTO GPU CPU)
kit_choice(KIT_DEVICE h200 "The GPU whose limits the CPU backend applies" h200 a100 t4)
option(KIT_WERROR "Warnings are errors in everything but the exercises" OFF)
set(KIT_EXERCISES_DIR ${PROJECT_SOURCE_DIR}/exercises CACHE PATH "The folder with the files to grade, as TOPIC/NAME.cu")
set(KIT_TOPICS "" CACHE STRING "Build only these topics (a list such as 07_reduction); empty means all of them")
set(KIT_PREBUILT "" CACHE PATH "Use the executor, grader and tools of this build folder, which has the same checkout and options")
option(KIT_TOGETHER "Compile several of the kit's own C++ files at a time; OFF if you change them, so that a change compiles one file" ON)
set(KIT_STUDENT_FOLDER ${CMAKE_BINARY_DIR}/student CACHE PATH "The folder in which the target `student` makes the copy of the course")
set(KIT_NVCC "" CACHE STRING "The CUDA compiler; empty: look for it, none: do not use one")

# The kit sets its own flags, because CMake would not optimize a build without a build type, and a build type might remove
# asserts.
set(KIT_ROOT ${PROJECT_SOURCE_DIR})

# A copy for students (target `student`) has exercises, their tests and starters, but no tests of the kit.
set(KIT_FOR_STUDENTS OFF)
if(NOT EXISTS ${KIT_ROOT}/solutions)
    set(KIT_FOR_STUDENTS ON)
endif()

# Refuses unknown arguments of a function with one message.
function(kit_refuse_unknown where)
    if(ARGN)
        list(JOIN ARGN " " unknown)
        message(FATAL_ERROR "${where}: unknown or misplaced argument: ${unknown}")
    endif()
endfunction()
