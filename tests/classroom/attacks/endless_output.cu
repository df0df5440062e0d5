// attack: prints without end
// outcome: wrong
// seconds: 5
// says: took longer than 5 s
#include <cstdio>
static void attack() {
    for (;;) std::puts("a line that is repeated until somebody's disk is full of it");
}
