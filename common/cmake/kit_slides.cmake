# Slides and charts, in the stage docs. Targets:
#   slides        makes slides/TOPIC.html and TOPIC.pdf from slides/TOPIC.md, and index.html, in the build folder
#   slides_html   the same without PDF
#   slides_check  measures every slide in Chromium, compares committed charts with their records, runs the tools' own tests
#   plots         draws lectures/*/figures/chart_*.svg again from lectures/*/results/*.json
# kit_author reads the text of a deck (common/course/author/deck.cpp). Marp, charts and checks are scripts (common/docs). Their tools and
# packages are those of all documents (kit_docs.cmake).

function(kit_add_slides)
    set(work ${docs_work})
    set(out ${CMAKE_BINARY_DIR}/slides)
    file(MAKE_DIRECTORY ${out})
    file(GLOB tests RELATIVE ${KIT_ROOT} CONFIGURE_DEPENDS ${KIT_ROOT}/tests/docs/*_test.mjs)
    list(REMOVE_ITEM tests tests/docs/site_test.mjs tests/docs/profile_test.mjs)  # site_check and profile_check run these
    file(GLOB themes CONFIGURE_DEPENDS ${KIT_ROOT}/slides/theme/*.css)
    file(GLOB decks CONFIGURE_DEPENDS ${KIT_ROOT}/slides/[0-9][0-9]_*.md)

    add_custom_command(OUTPUT ${work}/theme.css DEPENDS ${work}/scripts.stamp ${themes}
        COMMAND ${node} common/docs/slides/theme.mjs ${KIT_ROOT}/slides/theme ${work}/theme.css
        WORKING_DIRECTORY ${work} VERBATIM COMMENT "Putting the theme together")

    foreach(deck ${decks})
        get_filename_component(name ${deck} NAME_WE)
        add_custom_command(OUTPUT ${work}/${name}.md DEPENDS ${deck} kit_author DEPFILE ${work}/${name}.d
            COMMAND kit_author deck slides/${name}.md ${work}/${name}.md ${work}/${name}.d
            VERBATIM COMMENT "Putting code and output into slides/${name}.md")
        foreach(format html pdf)
            add_custom_command(OUTPUT ${out}/${name}.${format}
                DEPENDS ${work}/${name}.md ${work}/theme.css ${work}/scripts.stamp
                COMMAND ${browser} common/docs/slides/convert.mjs ${work}/${name}.md ${out}/${name}.${format} ${work}/theme.css
                WORKING_DIRECTORY ${work} VERBATIM COMMENT "Making slides/${name}.${format}")
        endforeach()
        list(APPEND expanded ${work}/${name}.md)
        list(APPEND pages ${out}/${name}.html)
        list(APPEND prints ${out}/${name}.pdf)
    endforeach()

    set(index COMMAND ${node} common/docs/slides/index.mjs ${out} ${work}/theme.css ${expanded})
    kit_docs_target(slides_html "${no_npm}" ${index} DEPENDS ${pages})
    kit_docs_target(slides "${no_chromium}" ${index} DEPENDS ${pages} ${prints})
    kit_docs_target(slides_check "${no_chromium}"
        COMMAND ${browser} --test ${tests}
        COMMAND ${node} common/docs/charts/plots.mjs ${KIT_ROOT} --check
        COMMAND ${browser} common/docs/slides/check.mjs ${pages}
        DEPENDS ${pages} ${prints})
    kit_docs_target(plots "${no_npm}" COMMAND ${node} common/docs/charts/plots.mjs ${KIT_ROOT} DEPENDS ${work}/scripts.stamp)
endfunction()

kit_add_slides()
