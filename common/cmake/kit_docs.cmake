# The target `site`: Doxygen over contracts, headers, lecture notes and exercise pages; a warning is an error.
if(KIT_STAGE STREQUAL "docs")
    find_program(doxygen doxygen NO_CACHE)
    if(NOT doxygen)
        message(FATAL_ERROR "The site is made with Doxygen, which is not installed: apt-get install doxygen. "
            "The lectures and exercises can also be read as they are, from README.md on.")
    endif()
    file(GLOB figures CONFIGURE_DEPENDS ${KIT_ROOT}/lectures/*/figures ${KIT_ROOT}/exercises/*/figures)
    list(TRANSFORM figures REPLACE "(.+)" "\"\\1\"")
    list(JOIN figures " " figures)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${CMAKE_BINARY_DIR}/Doxyfile @ONLY)
    add_custom_target(site
        COMMAND ${doxygen} ${CMAKE_BINARY_DIR}/Doxyfile
        COMMAND ${CMAKE_COMMAND} -E echo "The site: ${CMAKE_BINARY_DIR}/site/index.html"
        WORKING_DIRECTORY ${KIT_ROOT} VERBATIM COMMENT "Making the site")
endif()
