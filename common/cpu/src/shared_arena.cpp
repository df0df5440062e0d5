// Shared memory of a block: placing, guards and their inspection.
#include "shared_arena.hpp"

#include <cstdint>
#include <cstring>

namespace kit::cpu {
namespace {

constexpr std::size_t kGuard = 128;
constexpr std::size_t kAlign = 1024;
constexpr unsigned char kGuardByte = 0x5A;
constexpr unsigned char kFreshByte = 0xCB;  // as a float -2.67e7, as an int -875836469: hard to overlook

std::size_t round_up(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

}  // namespace

void SharedArena::reset(std::size_t dynamic) {
    if (!memory_) {
        storage_ = std::make_unique<char[]>(kCapacity + kAlign);
        memory_ = reinterpret_cast<char*>(round_up(reinterpret_cast<std::uintptr_t>(storage_.get()), kAlign));
    }
    pieces_.clear();
    end_ = asked_ = 0;
    dynamic_ = dynamic;
    if (dynamic) add(nullptr, "extern __shared__", dynamic, kAlign);
}

void SharedArena::add(const void* key, const char* name, std::size_t size, std::size_t align) {
    const std::size_t begin = round_up(end_, align);
    std::memset(memory_ + begin, kFreshByte, size);
    std::memset(memory_ + begin + size, kGuardByte, kGuard);
    pieces_.push_back({key, name, begin, size});
    end_ = round_up(begin + size + kGuard, 4);
    asked_ = round_up(asked_, align) + size;
}

void* SharedArena::variable(const void* key, const char* name, std::size_t size, std::size_t align) {
    for (const Piece& piece : pieces_)
        if (piece.key == key) return memory_ + piece.begin;
    if (end_ + align + size + kGuard > kCapacity) return nullptr;
    add(key, name, size, align);
    return memory_ + pieces_.back().begin;
}

std::string SharedArena::damaged() const {
    unsigned char whole[kGuard];
    std::memset(whole, kGuardByte, kGuard);
    for (const Piece& piece : pieces_)
        if (std::memcmp(memory_ + piece.begin + piece.size, whole, kGuard) != 0)
            return "`" + std::string(piece.name) + "` (shared, " + std::to_string(piece.size) + " bytes)";
    return {};
}

}  // namespace kit::cpu
