# Writes the files that an editor with clangd needs to show no false errors: build/course/compile_commands.json for the kit's C++ files,
# which CMake writes, and build/course/clangd/compile_commands.json for .cu files. In .cu files, clang itself parses CUDA, with the
# executor's headers (common/cpu/include/kit_cpu/clangd.hpp) and without a CUDA toolkit. The file .clangd says which of the two a file uses.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

function(kit_add_clangd)
    set(flags clang++ -xcuda -nocudainc -nocudalib --cuda-host-only -std=c++17 -Xclang -fcuda-allow-variadic-functions
        -DKIT_CPU=1 -I${KIT_ROOT}/common -I${KIT_ROOT}/tests -I${KIT_ROOT}/tests/kit -I${KIT_ROOT}/common/cpu/include -I${CMAKE_BINARY_DIR}/std_headers
        -include kit_cpu/clangd.hpp -fsyntax-only
        -Wall -Wno-unknown-pragmas -Wno-cuda-compat -Wno-unknown-cuda-version -Wno-unused-lambda-capture -Wno-unused-const-variable)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${KIT_EXERCISES_DIR}/*.cu ${KIT_ROOT}/common/*.cu ${KIT_ROOT}/lectures/*.cu
        ${KIT_ROOT}/solutions/*.cu ${KIT_ROOT}/tests/*.cu)
    set(entries "")
    foreach(source IN LISTS sources)
        set(words ${flags} ${source})
        list(TRANSFORM words REPLACE "([\"\\\\])" "\\\\\\1")
        list(JOIN words "\", \"" words)
        list(APPEND entries "{\"directory\": \"${KIT_ROOT}\", \"file\": \"${source}\", \"arguments\": [\"${words}\"]}")
    endforeach()
    list(JOIN entries ",\n" entries)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/clangd/compile_commands.json CONTENT "[\n${entries}\n]\n" @ONLY)
endfunction()
