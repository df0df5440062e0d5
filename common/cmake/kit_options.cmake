# The options of the kit. A value that is not offered is refused with the list of those that are.

# kit_choice(NAME default "what it decides" choice...)
function(kit_choice name default help)
    set(${name} "${default}" CACHE STRING "${help} (${ARGN})")
    set_property(CACHE ${name} PROPERTY STRINGS ${ARGN})
    if(NOT "${${name}}" IN_LIST ARGN)
        list(JOIN ARGN ", " offered)
        message(FATAL_ERROR "${name}=${${name}} is not known: choose one of ${offered}.")
    endif()
endfunction()

kit_choice(KIT_BACKEND AUTO "Where CUDA code runs" AUTO GPU CPU)
kit_choice(KIT_DEVICE h200 "The GPU whose limits the CPU backend keeps" h200 a100 t4)
option(KIT_WERROR "Warnings are errors in everything but the exercises" OFF)
set(KIT_EXERCISES_DIR ${PROJECT_SOURCE_DIR}/exercises CACHE PATH "Where the files to be graded lie, as TOPIC/NAME.cu")
set(KIT_TOPICS "" CACHE STRING "Build only these topics (a list such as 07_reduction); empty means all of them")
set(KIT_PREBUILT "" CACHE PATH "A build folder of the same checkout and options: its executor, grader and tools are used")
option(KIT_TOGETHER "The kit's own C++ is compiled several files at a time; OFF for who works on it: a change then compiles one file" ON)
set(KIT_STUDENT_FOLDER ${CMAKE_BINARY_DIR}/student CACHE PATH "Where the target `student` makes the copy of the course for students")
set(KIT_NVCC "" CACHE STRING "The CUDA compiler; empty means look for it, none means do not use one")

# A build without a build type would not be optimised by CMake's defaults, and with one asserts might be removed:
# the kit states its flags itself.
set(KIT_ROOT ${PROJECT_SOURCE_DIR})

# A copy for students (target `student`) has exercises, their tests and starters, and nothing that proves the kit.
set(KIT_FOR_STUDENTS OFF)
if(NOT EXISTS ${KIT_ROOT}/solutions)
    set(KIT_FOR_STUDENTS ON)
endif()

# The word that one unknown argument deserves.
function(kit_refuse_unknown where)
    if(ARGN)
        list(JOIN ARGN " " unknown)
        message(FATAL_ERROR "${where}: unknown or misplaced argument: ${unknown}")
    endif()
endfunction()
