# The target `site`: Doxygen over lectures, exercise pages, contracts and headers, then our own frame around its pages, then
# a check of every link, anchor and picture. A warning is an error, and so is a complaint.

# kit_add_site_tool(): kit_site, which does what Doxygen does not (common/cmake/site).
function(kit_add_site_tool)
    if(NOT TARGET kit_site)
        file(GLOB sources CONFIGURE_DEPENDS ${KIT_ROOT}/common/cmake/site/*.cpp)
        add_executable(kit_site ${sources})
        target_compile_options(kit_site PRIVATE -O1 -Wall -Wextra ${kit_werror_options})
    endif()
endfunction()

find_program(doxygen doxygen NO_CACHE)
if(doxygen)
    kit_add_site_tool()
    set(kit_site_folder ${CMAKE_CURRENT_LIST_DIR}/site)
    set(kit_site ${CMAKE_BINARY_DIR}/kit_site)
    file(GLOB contracts CONFIGURE_DEPENDS ${KIT_ROOT}/tests/[0-9]*_*/[0-9]*_*.hpp)
    set(kit_site_input "")
    foreach(input IN ITEMS README.md lectures exercises common/kit.cuh common/grader.cuh common/grader common/cpu/README.md
            tests/kit/README.md slides/README.md
            common/cmake/site/namespaces.dox)
        if(EXISTS ${KIT_ROOT}/${input})
            list(APPEND kit_site_input "\"${KIT_ROOT}/${input}\"")
        endif()
    endforeach()
    list(TRANSFORM contracts REPLACE "(.+)" "\"\\1\"")
    list(APPEND kit_site_input ${contracts})
    list(JOIN kit_site_input " \\\n    " kit_site_input)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${CMAKE_BINARY_DIR}/Doxyfile @ONLY)
    set(pages ${CMAKE_BINARY_DIR}/site)
    add_custom_target(site
        COMMAND kit_site contrast ${kit_site_folder}/site.css
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
        COMMAND ${doxygen} ${CMAKE_BINARY_DIR}/Doxyfile
        COMMAND kit_site finish ${KIT_ROOT} ${kit_site_folder} ${pages}
        COMMAND kit_site check ${pages} ${KIT_ROOT}/slides
        COMMAND ${CMAKE_COMMAND} -E echo "The site: ${pages}/index.html"
        DEPENDS kit_site WORKING_DIRECTORY ${KIT_ROOT} VERBATIM COMMENT "Making the site")
endif()
