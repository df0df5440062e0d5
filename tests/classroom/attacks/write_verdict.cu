// attack: looks for the judge's token and for a place to write the verdict to
// outcome: pass
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
static void attack() {
    for (const char* name : {"KIT_TOKEN", "KIT_VERDICT", "KIT_SEED", "KIT_SUBMISSION"}) {
        if (std::getenv(name)) std::printf("ATTACK WORKED: %s is %s\n", name, std::getenv(name));
    }
    for (int process = 1; process < 40; ++process) {
        const std::string path = "/proc/" + std::to_string(process) + "/environ";
        std::FILE* file = std::fopen(path.c_str(), "r");
        if (!file) continue;
        char text[1 << 16];
        const std::size_t count = std::fread(text, 1, sizeof text - 1, file);
        for (std::size_t i = 0; i < count; ++i) {
            if (text[i] == 0) text[i] = '\n';
        }
        text[count] = 0;
        if (std::strstr(text, "KIT_TOKEN") || std::strstr(text, "KIT_SEED"))
            std::puts("ATTACK WORKED: the judge's environment");
        std::fclose(file);
    }
}
