// attack: sends the judge values until its memory is full
// outcome: wrong
#include <unistd.h>

#include <string>
static void attack() {
    const std::string body = "4 name1048576 " + std::string(1 << 20, 'x');
    const std::string message = "V" + std::to_string(body.size()) + "\n" + body;
    for (;;) {
        if (write(3, message.data(), message.size()) < 0) _exit(1);
    }
}
