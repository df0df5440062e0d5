# Refuses a CMake that is too old, in one sentence. Included before cmake_minimum_required, so that this is read first.
if(NOT KIT_CMAKE_VERSION)
    set(KIT_CMAKE_VERSION ${CMAKE_VERSION})  # a test sets an older one
endif()
if(KIT_CMAKE_VERSION VERSION_LESS 3.25)
    message(FATAL_ERROR
        "The kit needs CMake 3.25 or newer, but this is CMake ${KIT_CMAKE_VERSION}. "
        "Debian 12 and Ubuntu 24.04 have it (apt-get install cmake); for other systems see https://cmake.org/download.")
endif()
