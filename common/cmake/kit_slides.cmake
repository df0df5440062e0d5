# Slides and charts, in the stage docs. Targets:
#   slides        slides/TOPIC.md -> slides/TOPIC.html and TOPIC.pdf in the build folder, and index.html
#   slides_html   the same without PDF
#   slides_check  every slide measured in Chromium; committed charts compared with their records; the tools' own tests
#   plots         lectures/*/figures/chart_*.svg drawn anew from lectures/*/results/*.json
# The text of a deck is read by kit_course (common/course/deck.cpp); Marp, charts and checks are scripts (common/docs). npm's
# packages (exact versions, common/docs/package-lock.json) go into the build folder, never into the source. What is missing on this
# machine is said by the target that needs it.

# kit_slides_target(name missing [DEPENDS file...] [COMMAND ...]...)
# A target that says what is missing and fails, where something is.
function(kit_slides_target name missing)
    if(missing)
        file(WRITE ${work}/no_${name}.cmake "message(FATAL_ERROR \"${name} was not built. Slides and charts ${missing}. "
            "Then configure again: cmake --preset docs. No exercise needs any of it.\")\n")
        add_custom_target(${name} COMMAND ${CMAKE_COMMAND} -P ${work}/no_${name}.cmake VERBATIM)
    else()
        add_custom_target(${name} ${ARGN} WORKING_DIRECTORY ${work} VERBATIM)
    endif()
endfunction()

function(kit_add_slides)
    set(source ${KIT_ROOT}/slides)
    set(work ${CMAKE_BINARY_DIR}/slides_work)  # packages, scripts, expanded decks
    set(out ${CMAKE_BINARY_DIR}/slides)

    find_program(node NAMES node nodejs NO_CACHE)
    find_program(npm npm NO_CACHE)
    find_program(chromium NAMES chromium chromium-browser google-chrome google-chrome-stable NO_CACHE)
    if(DEFINED ENV{CHROME_PATH})
        set(chromium $ENV{CHROME_PATH})
    endif()
    set(node_version "")
    if(node)
        execute_process(COMMAND ${node} --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(REGEX REPLACE "^v" "" node_version "${node_version}")
    endif()

    set(no_npm "")
    if(NOT node OR NOT npm)
        set(no_npm "need node and npm, and not both are in PATH: apt-get install nodejs npm")
    elseif(node_version VERSION_LESS 18)
        set(no_npm "need node 18 or later, and ${node} is ${node_version}")
    endif()
    set(no_chromium "${no_npm}")
    if(NOT no_npm AND NOT EXISTS "${chromium}")
        set(no_chromium "need Chromium, which is neither in PATH nor named by CHROME_PATH: apt-get install chromium")
    endif()

    set(browser ${CMAKE_COMMAND} -E env CHROME_PATH=${chromium})

    file(MAKE_DIRECTORY ${work} ${out})
    set(tools ${KIT_ROOT}/common/docs)
    file(GLOB scripts CONFIGURE_DEPENDS ${tools}/*.mjs ${tools}/slides/*.mjs ${tools}/charts/*.mjs ${KIT_ROOT}/tests/docs/*)
    file(GLOB tests RELATIVE ${KIT_ROOT} CONFIGURE_DEPENDS ${KIT_ROOT}/tests/docs/*_test.mjs)
    file(GLOB themes CONFIGURE_DEPENDS ${source}/theme/*.css)
    file(GLOB decks CONFIGURE_DEPENDS ${source}/[0-9][0-9]_*.md)

    # Scripts find packages in a folder above their own: so they run from copies beside node_modules.
    add_custom_command(OUTPUT ${work}/npm.stamp DEPENDS ${tools}/package.json ${tools}/package-lock.json
        COMMAND ${CMAKE_COMMAND} -E copy ${tools}/package.json ${tools}/package-lock.json ${work}
        COMMAND ${npm} ci --ignore-scripts --no-audit --no-fund --loglevel=error
        COMMAND ${CMAKE_COMMAND} -E touch ${work}/npm.stamp
        WORKING_DIRECTORY ${work} VERBATIM COMMENT "Installing the packages of common/docs/package-lock.json")
    add_custom_command(OUTPUT ${work}/scripts.stamp DEPENDS ${work}/npm.stamp ${scripts}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${work}/common ${work}/tests
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${tools} ${work}/common/docs
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${KIT_ROOT}/tests/docs ${work}/tests/docs
        COMMAND ${CMAKE_COMMAND} -E touch ${work}/scripts.stamp
        VERBATIM COMMENT "Copying the scripts of slides and charts")
    add_custom_command(OUTPUT ${work}/theme.css DEPENDS ${work}/scripts.stamp ${themes}
        COMMAND ${node} common/docs/slides/theme.mjs ${source}/theme ${work}/theme.css
        WORKING_DIRECTORY ${work} VERBATIM COMMENT "Putting the theme together")

    set(expanded "")
    set(pages "")
    set(prints "")
    foreach(deck ${decks})
        get_filename_component(name ${deck} NAME_WE)
        add_custom_command(OUTPUT ${work}/${name}.md DEPENDS ${deck} kit_course DEPFILE ${work}/${name}.d
            COMMAND kit_course deck slides/${name}.md ${work}/${name}.md ${work}/${name}.d
            VERBATIM COMMENT "Putting code and output into slides/${name}.md")
        foreach(format html pdf)
            add_custom_command(OUTPUT ${out}/${name}.${format}
                DEPENDS ${work}/${name}.md ${work}/theme.css ${work}/scripts.stamp
                COMMAND ${browser} ${node} common/docs/slides/convert.mjs ${work}/${name}.md ${out}/${name}.${format} ${work}/theme.css
                WORKING_DIRECTORY ${work} VERBATIM COMMENT "Making slides/${name}.${format}")
        endforeach()
        list(APPEND expanded ${work}/${name}.md)
        list(APPEND pages ${out}/${name}.html)
        list(APPEND prints ${out}/${name}.pdf)
    endforeach()

    set(index COMMAND ${node} common/docs/slides/index.mjs ${KIT_ROOT} ${out} ${work}/theme.css ${expanded})
    kit_slides_target(slides_html "${no_npm}" ${index} DEPENDS ${pages})
    kit_slides_target(slides "${no_chromium}" ${index} DEPENDS ${pages} ${prints})
    kit_slides_target(slides_check "${no_chromium}"
        COMMAND ${browser} ${node} --test ${tests}
        COMMAND ${node} common/docs/charts/plots.mjs ${KIT_ROOT} --check
        COMMAND ${browser} ${node} common/docs/slides/check.mjs ${KIT_ROOT} ${pages}
        DEPENDS ${pages} ${prints})
    kit_slides_target(plots "${no_npm}" COMMAND ${node} common/docs/charts/plots.mjs ${KIT_ROOT} DEPENDS ${work}/scripts.stamp)
endfunction()

kit_add_slides()
