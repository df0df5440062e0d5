# The documents: functions for all of their targets, and the site. Slides and charts are in kit_slides.cmake. Targets:
#   site        every page, the search and the reference; checks links, anchors, pictures and accessibility
#   site_check  the tests of the site's tools, with pages that the checks must reject
# Scripts (common/docs/site) make the pages from Markdown and sources, with the model that kit_author prints. Doxygen makes the reference.
# Packages of npm (in exact versions, common/docs/package-lock.json) are installed in the build folder, never in the source. If a tool is
# missing on this machine, the target that needs it says so.

# kit_docs_target(name missing [DEPENDS file...] [COMMAND ...]...)
# Adds a target. If something is missing, the target fails with a message.
function(kit_docs_target name missing)
    if(missing)
        file(WRITE ${docs_work}/no_${name}.cmake "message(FATAL_ERROR \"${name} was not built. Slides, charts, site and their checks ${missing}. "
            "Then configure again: cmake --preset docs. No exercise needs any of it, and every page can be read as it is.\")\n")
        add_custom_target(${name} COMMAND ${CMAKE_COMMAND} -P ${docs_work}/no_${name}.cmake VERBATIM)
    else()
        add_custom_target(${name} ${ARGN} WORKING_DIRECTORY ${docs_work} VERBATIM)
    endif()
endfunction()

# Looks for node, npm and Chromium. Installs packages and copies scripts when a target needs them. Sets node, browser (the start of a
# command that may need Chromium), no_npm and no_chromium (what is missing, or empty).
macro(kit_find_docs_tools)
    find_program(node NAMES node nodejs NO_CACHE)
    find_program(npm npm NO_CACHE)
    find_program(chromium NAMES chromium chromium-browser google-chrome google-chrome-stable NO_CACHE)
    if(DEFINED ENV{CHROME_PATH})
        set(chromium $ENV{CHROME_PATH})
    endif()
    set(no_npm "")
    if(NOT node OR NOT npm)
        set(no_npm "need node and npm, and not both are in PATH: apt-get install nodejs && (command -v npm || apt-get install npm)")
    else()
        execute_process(COMMAND ${node} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT version MATCHES "^v([0-9]+)" OR CMAKE_MATCH_1 LESS 18)
            set(no_npm "need node 18 or later, and ${node} is ${version}")
        endif()
    endif()
    set(no_chromium "${no_npm}")
    if(NOT no_npm AND NOT EXISTS "${chromium}")
        set(no_chromium "need Chromium, which is neither in PATH nor named by CHROME_PATH: apt-get install chromium")
    endif()
    set(browser ${CMAKE_COMMAND} -E env CHROME_PATH=${chromium} ${node})

    # Scripts look for packages in the folders above their own folder, so copies of them run next to node_modules.
    set(docs_source ${KIT_ROOT}/common/docs)
    file(MAKE_DIRECTORY ${docs_work})
    file(GLOB_RECURSE docs_scripts CONFIGURE_DEPENDS ${docs_source}/* ${KIT_ROOT}/tests/docs/*)
    add_custom_command(OUTPUT ${docs_work}/npm.stamp DEPENDS ${docs_source}/package.json ${docs_source}/package-lock.json
        COMMAND ${CMAKE_COMMAND} -E copy ${docs_source}/package.json ${docs_source}/package-lock.json ${docs_work}
        COMMAND ${npm} ci --ignore-scripts --no-audit --no-fund --loglevel=error
        COMMAND ${CMAKE_COMMAND} -E touch ${docs_work}/npm.stamp
        WORKING_DIRECTORY ${docs_work} VERBATIM COMMENT "Installing the packages of common/docs/package-lock.json")
    add_custom_command(OUTPUT ${docs_work}/scripts.stamp DEPENDS ${docs_work}/npm.stamp ${docs_scripts}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${docs_work}/common ${docs_work}/tests
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${docs_source} ${docs_work}/common/docs
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${KIT_ROOT}/tests/docs ${docs_work}/tests/docs
        COMMAND ${CMAKE_COMMAND} -E touch ${docs_work}/scripts.stamp
        VERBATIM COMMENT "Copying the scripts of the documents")
endmacro()

function(kit_add_site)
    find_program(doxygen doxygen NO_CACHE)
    set(missing "${no_chromium}")
    if(NOT missing AND NOT doxygen)
        set(missing "need Doxygen, which is not in PATH: apt-get install doxygen")
    endif()
    set(pages ${CMAKE_BINARY_DIR}/site)
    file(GLOB inputs CONFIGURE_DEPENDS ${KIT_ROOT}/tests/[0-9]*_*/[0-9]*_*.hpp)
    list(APPEND inputs ${KIT_ROOT}/common/kit.cuh ${KIT_ROOT}/common/grader.cuh ${KIT_ROOT}/common/grader
        ${docs_source}/site/reference.dox)
    list(JOIN inputs "\" \"" inputs)
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Doxyfile.in ${docs_work}/Doxyfile @ONLY)
    file(WRITE ${docs_work}/Doxyfile.html "@INCLUDE = Doxyfile\nGENERATE_XML = NO\nGENERATE_HTML = YES\n"
        "OUTPUT_DIRECTORY = \"${pages}\"\nHTML_HEADER = \"${pages}.header\"\nHTML_FOOTER = \"${pages}.footer\"\n")
    # Lectures that show profiles of their kernels. Their demos are run for that, so this needs the executor and all of these topics.
    set(profiled "")
    set(demos "")
    set(without ", without the profiles in lectures, which need the CPU backend")
    if(KIT_USE STREQUAL "CPU")
        set(profiled 03_memory_access 04_shared_memory 05_convolution 06_histogram 07_reduction 08_scan 09_warp_primitives 12_l2_cache
            15_work_queues 19_roofline)
        list(TRANSFORM profiled REPLACE "(.+)" "demo.\\1.program" OUTPUT_VARIABLE programs)
        set(demos ${CMAKE_BINARY_DIR}/demo)
        set(without "")
        foreach(program IN LISTS programs)
            if(NOT TARGET ${program})
                set(profiled "")
                set(programs "")
                set(demos "")
                set(without ", without the profiles in lectures, because KIT_TOPICS leaves out a topic")
                break()
            endif()
        endforeach()
    endif()
    kit_docs_target(site "${missing}"
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${docs_work}/xml
        COMMAND ${doxygen} Doxyfile
        COMMAND ${node} common/docs/site/build.mjs $<TARGET_FILE:kit_author> xml ${pages} ${demos}
        COMMAND ${doxygen} Doxyfile.html
        COMMAND ${browser} common/docs/site/check.mjs ${pages} ${KIT_ROOT}/slides ${profiled}
        COMMAND ${CMAKE_COMMAND} -E echo "The site: ${pages}/index.html${without}"
        DEPENDS kit_author ${programs} ${docs_work}/scripts.stamp COMMENT "Making the site")
    kit_docs_target(site_check "${no_chromium}"
        COMMAND ${browser} --test tests/docs/site_test.mjs DEPENDS ${docs_work}/scripts.stamp)
endfunction()

set(docs_work ${CMAKE_BINARY_DIR}/docs_work)  # packages, scripts, and intermediate files
kit_find_docs_tools()
cmake_language(DEFER CALL kit_add_site)  # when the demos are known
