// attack: tells the judge that the case has passed, in its own language, and ends
// outcome: wrong
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
static void attack() {
    const std::string end = R"({"outcome": "pass", "crossed": 3})";
    const std::string message = "E" + std::to_string(end.size()) + "\n" + end;
    for (int file = 3; file < 20; ++file) {
        for (int i = 0; i < 40; ++i) (void)!write(file, message.data(), message.size());
    }
    sleep(2);
    _exit(0);
}
