// attack: never returns
// outcome: wrong
static void attack() {
    for (volatile int i = 0;; ++i) {
    }
}
