// attack: sends forged values to the judge, says that the case has passed, and ends
// outcome: wrong
#include <unistd.h>

#include <string>
static std::string packed(std::initializer_list<std::string> texts) {
    std::string all;
    for (const std::string& text : texts) all += std::to_string(text.size()) + ' ' + text;
    return all;
}
static void attack() {
    const std::string value = packed({"block_sums", std::string(4, '\0')}), end = "{\"outcome\": \"pass\"}";
    std::string message;
    for (int run = 0; run < 3; ++run) message += "V" + std::to_string(value.size()) + "\n" + value;
    message += "E" + std::to_string(end.size()) + "\n" + end;
    (void)!write(3, message.data(), message.size());
    usleep(100000);
    _exit(0);
}
