// attack: leaves a process that continues after the run has ended
// outcome: any
#include <unistd.h>

#include <csignal>
static void attack() {
    static bool done = false;
    if (done) return;
    done = true;
    if (fork() != 0) return;
    setsid();
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (fork() != 0) _exit(0);
    for (int file = 0; file < 64; ++file) close(file);
    execl("/bin/sleep", "a_survivor_of_the_grading", "3217", static_cast<char*>(nullptr));
    _exit(1);
}
