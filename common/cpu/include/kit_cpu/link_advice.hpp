// A variable that only the executor defines and every object of kitcc refers to. If objects are linked without the executor, the
// linker prints its name as advice.
#pragma once

#define KIT_LINK_ADVICE                                                                                     \
    "kitcc has compiled this object for the CPU executor: link with kitcc, or with -L FOLDER/lib -lcudart " \
    "after cmake --install"
