// attack: prints without end
// outcome: wrong
#include <cstdio>
static void attack() {
    for (;;) std::puts("a line that is repeated until somebody's disk is full of it");
}
