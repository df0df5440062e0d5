// attack: processes that start processes, without end
// outcome: wrong
// says: started more than
#include <unistd.h>
static void attack() {
    for (;;) fork();
}
