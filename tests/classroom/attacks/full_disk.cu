// attack: fills every folder that can be written to; ends at the limit of a file
// outcome: wrong
#include <cstdio>
#include <vector>
static void attack() {
    static bool done = false;
    if (done) return;
    done = true;
    const std::vector<char> block(1 << 20, 'x');
    std::size_t written = 0;
    for (const char* path : {"/tmp/full", "/dev/shm/full", "/var/tmp/full", "/full", "/usr/full"}) {
        std::FILE* file = std::fopen(path, "w");
        if (!file) continue;
        while (std::fwrite(block.data(), 1, block.size(), file) == block.size() && written < (4ull << 30))
            written += block.size();
        std::fclose(file);
        std::remove(path);
    }
    if (written > (512ull << 20)) std::puts("ATTACK WORKED: a file of more than 512 MB");
}
