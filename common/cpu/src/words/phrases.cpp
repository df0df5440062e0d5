// Numbers in words.
#include "phrases.hpp"

#include <cstdio>

namespace kit::cpu {

std::string count_bytes(std::size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string byte_of(std::size_t offset, const std::string& piece) {
    return "byte " + std::to_string(offset) + " of " + piece;
}

std::string after_end_of(std::size_t past, const std::string& piece) {
    return (past ? count_bytes(past) : "right") + " after the end of " + piece;
}

std::string before_start_of(std::size_t ahead, const std::string& piece) {
    return count_bytes(ahead) + " before the start of " + piece;
}

std::string count_threads(unsigned threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string hexadecimal(std::uint32_t mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

std::string hexadecimal(const void* address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx",
                  static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address)));
    return text;
}

std::string coordinates(const uint3& place) {
    return "(" + std::to_string(place.x) + "," + std::to_string(place.y) + "," + std::to_string(place.z) +
           ")";
}

std::string coordinates(std::uint64_t number, const dim3& size) {
    return coordinates(uint3{static_cast<unsigned>(number % size.x),
                             static_cast<unsigned>(number / size.x % size.y),
                             static_cast<unsigned>(number / size.x / size.y)});
}

}  // namespace kit::cpu
