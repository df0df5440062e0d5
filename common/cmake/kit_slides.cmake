# Slides and charts, in the stage docs. Targets:
#   slides        slides/TOPIC.md -> slides/TOPIC.html and TOPIC.pdf in the build folder, and index.html
#   slides_html   the same without PDF
#   slides_check  every slide measured in Chromium; committed charts compared with their records; the tools' own tests
#   plots         lectures/*/figures/chart_*.svg drawn anew from lectures/*/results/*.json
# Tools and packages are those of all documents, see kit_docs.cmake.

function(kit_add_slides)
    set(source ${KIT_ROOT}/slides)
    set(work ${docs_work})
    set(out ${CMAKE_BINARY_DIR}/slides)

    file(MAKE_DIRECTORY ${work} ${out})
    file(GLOB scripts CONFIGURE_DEPENDS ${source}/build/*.mjs ${source}/build/test/*)
    file(GLOB tests RELATIVE ${source} CONFIGURE_DEPENDS ${source}/build/*_test.mjs)
    file(GLOB themes CONFIGURE_DEPENDS ${source}/theme/*.css)
    file(GLOB decks CONFIGURE_DEPENDS ${source}/[0-9][0-9]_*.md)

    set(tools ${work}/tools.stamp)
    add_custom_command(OUTPUT ${tools} DEPENDS ${work}/scripts.stamp ${scripts}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${work}/build
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/build ${work}/build
        COMMAND ${CMAKE_COMMAND} -E touch ${tools}
        VERBATIM COMMENT "Copying the scripts of the slides")
    add_custom_command(OUTPUT ${work}/theme.css DEPENDS ${tools} ${themes}
        COMMAND ${node} build/theme.mjs ${source}/theme ${work}/theme.css
        WORKING_DIRECTORY ${work} VERBATIM COMMENT "Putting the theme together")

    set(expanded "")
    set(pages "")
    set(prints "")
    foreach(deck ${decks})
        get_filename_component(name ${deck} NAME_WE)
        add_custom_command(OUTPUT ${work}/${name}.md DEPENDS ${deck} ${tools} DEPFILE ${work}/${name}.d
            COMMAND ${node} build/expand.mjs ${KIT_ROOT} slides/${name}.md ${work}/${name}.md ${work}/${name}.d
            WORKING_DIRECTORY ${work} VERBATIM COMMENT "Putting code, output and figures into slides/${name}.md")
        foreach(format html pdf)
            add_custom_command(OUTPUT ${out}/${name}.${format} DEPENDS ${work}/${name}.md ${work}/theme.css
                COMMAND ${browser} build/convert.mjs ${work}/${name}.md ${out}/${name}.${format} ${work}/theme.css
                WORKING_DIRECTORY ${work} VERBATIM COMMENT "Making slides/${name}.${format}")
        endforeach()
        list(APPEND expanded ${work}/${name}.md)
        list(APPEND pages ${out}/${name}.html)
        list(APPEND prints ${out}/${name}.pdf)
    endforeach()

    set(index COMMAND ${node} build/index.mjs ${KIT_ROOT} ${out} ${work}/theme.css ${expanded})
    kit_docs_target(slides_html "${no_npm}" ${index} DEPENDS ${pages})
    kit_docs_target(slides "${no_chromium}" ${index} DEPENDS ${pages} ${prints})
    kit_docs_target(slides_check "${no_chromium}"
        COMMAND ${CMAKE_COMMAND} -E env KIT_ROOT=${KIT_ROOT} ${browser} --test ${tests}
        COMMAND ${node} build/plots.mjs ${KIT_ROOT} --check
        COMMAND ${browser} build/check.mjs ${KIT_ROOT} ${pages}
        DEPENDS ${pages} ${prints})
    kit_docs_target(plots "${no_npm}" COMMAND ${node} build/plots.mjs ${KIT_ROOT} DEPENDS ${tools})
endfunction()

if(KIT_STAGE STREQUAL "docs")
    kit_add_slides()
endif()
