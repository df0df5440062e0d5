// For a program that contains several submissions of an exercise: the name with which it is started selects
// the submission. `kit_join choose` writes a source file that includes this file and defines these macros:
//
//   KIT_SUBMISSIONS   SUBMISSION("tree.missing_barrier") ...     the names of the submissions
//   KIT_CALLS         CALL(number, "symbol") ...                 the functions that the test calls, numbered from 0
//   KIT_FUNCTIONS     FUNCTION("symbol") ...                     for each submission, its function for each of the calls
//
// The functions that the test calls have no definition in C++. Each is a jump to the selected submission's
// function, whatever its type.
/// @cond the reference shows no assembly
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CALL(number, symbol) +1
constexpr int kit_calls = 0 KIT_CALLS;
#undef CALL

extern "C" {
extern const void* const kit_functions[][kit_calls];
__attribute__((visibility("hidden"))) const void* kit_chosen[kit_calls];
}

#define FUNCTION(symbol) "    .quad " symbol "\n"
asm(".pushsection .data.rel.ro, \"aw\"\n    .balign 8\nkit_functions:\n" KIT_FUNCTIONS ".popsection\n");

#if defined(__x86_64__)
#define CALL(number, symbol) "    .globl " symbol "\n" symbol ":\n    jmp *kit_chosen+8*" #number "(%rip)\n"
#elif defined(__aarch64__)
#define CALL(number, symbol)                                                  \
    "    .globl " symbol "\n" symbol ":\n    adrp x16, kit_chosen+8*" #number \
    "\n    ldr x16, [x16, #:lo12:kit_chosen+8*" #number "]\n    br x16\n"
#else
#error "How this processor jumps to an address in memory is not told here yet."
#endif
asm(".pushsection .text\n" KIT_CALLS ".popsection\n");

// Selects the submission before any code calls it, which is possible because the C library passes the
// arguments of main() to constructors. Tests that start their own program again start /proc/self/exe.
__attribute__((constructor)) static void kit_choose(int, char** argv, char**) {
#define SUBMISSION(name) name,
    const char* const names[] = {KIT_SUBMISSIONS};
    const char* const slash = std::strrchr(argv[0], '/');
    const char* const wanted[] = {slash ? slash + 1 : argv[0], std::getenv("KIT_CHOSEN")};
    for (const char* name : wanted) {
        for (std::size_t row = 0; name && row < sizeof(names) / sizeof(*names); ++row) {
            if (std::strcmp(names[row], name) != 0) continue;
            setenv("KIT_CHOSEN", name, 1);
            std::memcpy(kit_chosen, kit_functions[row], sizeof(kit_chosen));
            return;
        }
    }
    std::fprintf(stderr, "%s holds several submissions, and is started by one of their names:\n", argv[0]);
    for (const char* name : names) std::fprintf(stderr, "    %s\n", name);
    std::_Exit(2);
}
/// @endcond
