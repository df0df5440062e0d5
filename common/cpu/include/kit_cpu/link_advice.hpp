// A variable to which every object of kitcc refers and that only the executor defines. If objects are linked
// without the executor, the linker prints the variable's name, which is the advice.
#pragma once

#define KIT_LINK_ADVICE                                                                                     \
    "kitcc has compiled this object for the CPU executor: link with kitcc, or with -L FOLDER/lib -lcudart " \
    "after cmake --install"
