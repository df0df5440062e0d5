// kit_make_starters SOLUTION STARTER: writes the starter that belongs to a solution (see starter.hpp).
#include <fstream>
#include <iostream>

#include "starter.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: kit_make_starters SOLUTION STARTER\n";
        return 2;
    }
    const std::string solution = argv[1], starter = argv[2];
    std::ifstream in(solution, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) {
        std::cerr << solution << ": error: cannot be read\n";
        return 1;
    }
    try {
        const std::string made = course::make_starter(text.str());
        std::ofstream out(starter, std::ios::binary);
        if (!(out << made) || !out.flush()) {
            std::cerr << starter << ": error: cannot be written\n";
            return 1;
        }
    } catch (const course::MarkerError& error) {
        std::cerr << solution << ":" << error.what() << "\n";
        return 1;
    }
    return 0;
}
