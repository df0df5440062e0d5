// attack: 10 GB of memory, all of it written to
// outcome: wrong
// says: of memory
#include <cstdlib>
#include <cstring>
static void attack() {
    for (int i = 0; i < 160; ++i) {
        char* piece = static_cast<char*>(std::malloc(64 << 20));
        if (piece) std::memset(piece, i + 1, 64 << 20);
    }
}
