// `program --profile`, or KIT_PROFILE=1: the table of what its kernels did is printed when the program ends. The executor takes the
// option itself, so that a program need not know it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/profile.hpp>

#include "profiler.hpp"

namespace kit::cpu {
namespace {

void print_profile() {
    std::fflush(stdout);
    std::fputs(in_words(profiler().take_kept()).c_str(), stdout);
    std::fflush(stdout);
}

/// The C library hands the arguments of main() to constructors, too.
__attribute__((constructor)) void look_for_option(int count, char** arguments) {
    const char* const wanted = std::getenv("KIT_PROFILE");
    bool on = wanted && std::strcmp(wanted, "0") != 0;
    for (int i = 1; i < count; ++i) on |= std::strcmp(arguments[i], "--profile") == 0;
    if (!on) return;
    profiler().begin();
    profiler().keep();
    std::atexit(print_profile);
}

}  // namespace
}  // namespace kit::cpu
