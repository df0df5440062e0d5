# Refuses a version of CMake that is too old, with one message. It is included before cmake_minimum_required, whose message is longer.
if(NOT KIT_CMAKE_VERSION)
    set(KIT_CMAKE_VERSION ${CMAKE_VERSION})  # a test sets an older version
endif()
if(KIT_CMAKE_VERSION VERSION_LESS 3.25)
    message(FATAL_ERROR
        "The kit needs CMake 3.25 or newer, but this is CMake ${KIT_CMAKE_VERSION}. "
        "Debian 12 and Ubuntu 24.04 have it (apt-get install cmake); for other systems see https://cmake.org/download.")
endif()
