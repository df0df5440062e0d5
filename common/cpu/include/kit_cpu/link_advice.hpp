// What the linker prints when it links objects of kitcc without the executor: the name of a variable that only the executor has, and
// to which every object refers.
#pragma once

#define KIT_LINK_ADVICE                                                                                     \
    "kitcc has compiled this object for the CPU executor: link with kitcc, or with -L FOLDER/lib -lcudart " \
    "after cmake --install"
