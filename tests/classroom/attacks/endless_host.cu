// attack: never returns, and waits without using the processor
// outcome: wrong
#include <unistd.h>
static void attack() {
    for (;;) pause();
}
