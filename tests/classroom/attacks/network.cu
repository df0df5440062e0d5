// attack: asks the network, and this machine's own ports
// outcome: pass
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
static void attack() {
    for (const char* address : {"127.0.0.1", "10.0.0.1", "1.1.1.1"}) {
        const int file = socket(AF_INET, SOCK_DGRAM, 0);
        if (file < 0) continue;
        sockaddr_in to = {};
        to.sin_family = AF_INET;
        to.sin_port = htons(53);
        inet_pton(AF_INET, address, &to.sin_addr);
        if (address[0] != '1' || address[1] == '2') {
            close(file);
            continue;  // its own loop answers, and nobody else is there
        }
        if (sendto(file, "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) == 1)
            std::puts("ATTACK WORKED: a packet was sent");
        close(file);
    }
}
