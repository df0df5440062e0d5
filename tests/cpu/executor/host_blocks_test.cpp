// Tests of the records of heap blocks: the exact size, found from any address in the block, for every
// function that allocates. The functions must still allocate correctly.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory/host_blocks.hpp>
#include <new>
#include <thread>
#include <vector>

using kit::cpu::BlockWatch;
using kit::cpu::find_host_block;
using kit::cpu::HostBlock;
using kit::cpu::Maker;

namespace {

// Hides from the compiler where an address comes from, because the test looks up freed memory on purpose.
template <class T>
T* hidden(T* address) {
    asm volatile("" : "+r"(address));
    return address;
}

int failures = 0;

void check(bool holds, int line, const char* text) {
    if (holds) return;
    std::printf("host_blocks_test.cpp:%d: not true: %s\n", line, text);
    ++failures;
}
#define CHECK(...) check(__VA_ARGS__, __LINE__, #__VA_ARGS__)

/// Checks that the block is found from the address of each of its bytes, before and after all bytes are
/// written.
bool is_block(void* begin, std::size_t bytes, Maker maker) {
    std::memset(begin, 0x5a, bytes);
    for (std::size_t at = 0; at < bytes; at += 1 + bytes / 64) {
        const HostBlock block = find_host_block(static_cast<char*>(begin) + at);
        if (block.begin != begin || block.bytes != bytes || block.maker != maker) return false;
    }
    return bytes == 0 || find_host_block(static_cast<char*>(begin) + bytes - 1).begin == begin;
}

void sizes() {
    for (std::size_t n = 1; n < 5000; n += 1 + n / 16) {
        void* const plain = std::malloc(n);
        CHECK(is_block(plain, n, Maker::malloc));
        CHECK(malloc_usable_size(plain) == n);
        auto* const zeros = static_cast<unsigned char*>(std::calloc(n, 3));
        CHECK(zeros[0] == 0 && zeros[3 * n - 1] == 0);
        CHECK(is_block(zeros, 3 * n, Maker::calloc));
        void* const aligned = std::aligned_alloc(256, n);
        CHECK(reinterpret_cast<std::uintptr_t>(aligned) % 256 == 0);
        CHECK(is_block(aligned, n, Maker::aligned_alloc));
        void* posix = nullptr;
        CHECK(posix_memalign(&posix, 64, n) == 0);
        CHECK(is_block(posix, n, Maker::posix_memalign));
        char* const one = static_cast<char*>(::operator new(n));
        CHECK(is_block(one, n, Maker::operator_new));
        char* const many = new char[n];
        CHECK(is_block(many, n, Maker::operator_new_array));
        void* const wide = ::operator new(n, std::align_val_t(512));
        CHECK(reinterpret_cast<std::uintptr_t>(wide) % 512 == 0);
        CHECK(is_block(wide, n, Maker::operator_new));
        for (void* const block : {plain, static_cast<void*>(zeros), aligned, posix}) {
            void* const gone = hidden(block);
            std::free(block);
            CHECK(find_host_block(gone).begin != gone);
        }
        ::operator delete(one);
        delete[] many;
        void* const gone = hidden(wide);
        ::operator delete(wide, std::align_val_t(512));
        CHECK(find_host_block(gone).begin != gone);
    }
    // Has its own pages, of which only the last one is accessed.
    void* const large = std::malloc(std::size_t(200) << 20);
    CHECK(find_host_block(static_cast<char*>(large) + (std::size_t(200) << 20) - 1).begin == large);
    std::free(large);
    CHECK(find_host_block(&failures).begin == nullptr);
}

void reallocation() {
    char* block = static_cast<char*>(std::realloc(nullptr, 10));
    std::strcpy(block, "nine long");
    for (std::size_t n = 10; n < (std::size_t(1) << 20); n *= 3) {
        block = static_cast<char*>(std::realloc(block, n));
        CHECK(std::strcmp(block, "nine long") == 0);
        CHECK(find_host_block(block + n - 1).bytes == n);
    }
    block = static_cast<char*>(std::realloc(block, 10));
    CHECK(std::strcmp(block, "nine long") == 0);
    CHECK(find_host_block(block).bytes == 10);
    volatile std::size_t too_many = SIZE_MAX / 2;
    char* const same = hidden(block);
    CHECK(std::realloc(hidden(block), too_many) == nullptr);
    CHECK(find_host_block(same).bytes == 10);  // realloc failed, and the block is unchanged
    CHECK(reallocarray(hidden(block), too_many, 4) == nullptr && errno == ENOMEM);
    CHECK(std::realloc(hidden(block), 0) == nullptr);
    CHECK(find_host_block(same).begin != same);
}

void refusals() {
    volatile std::size_t too_many = SIZE_MAX - 5;
    for (int way = 0; way < 4; ++way) {
        errno = 0;
        void* const none = way == 0   ? std::malloc(too_many)
                           : way == 1 ? std::calloc(too_many, 2)
                           : way == 2 ? std::calloc(1, too_many)
                                      : std::aligned_alloc(64, too_many);
        CHECK(none == nullptr && errno == ENOMEM);
    }
    void* none = &none;
    CHECK(posix_memalign(&none, 3, 10) == EINVAL && none == &none);
    CHECK(::operator new(too_many, std::nothrow) == nullptr);
    bool thrown = false;
    try {
        ::operator delete(::operator new(too_many));
    } catch (const std::bad_alloc&) {
        thrown = true;
    }
    CHECK(thrown);
    void* const empty = std::malloc(0);
    CHECK(find_host_block(empty).begin == empty && find_host_block(empty).bytes == 0);
    std::free(empty);
}

void watching() {
    char* block = static_cast<char*>(std::malloc(40));
    std::memset(block, 0, 40);
    const BlockWatch watch(find_host_block(block + 20));
    block = static_cast<char*>(std::realloc(block, 36));
    // If the same address is used again, the new block is alive.
    CHECK(watch.freed() == (watch.block().begin != block));
    std::free(block);
    CHECK(watch.freed());
}

void threads() {
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t)
        all.emplace_back([t] {
            std::vector<char*> blocks(64);
            for (int i = 0; i < 20000; ++i) {
                char*& slot = blocks[static_cast<std::size_t>(i * 7 + t) % blocks.size()];
                delete[] slot;
                slot = new char[static_cast<std::size_t>(i % 3000 + 1)];
                if (i % 16 == 0) CHECK(find_host_block(slot + i % 3000).begin == slot);
            }
            for (char* const slot : blocks) delete[] slot;
        });
    for (std::thread& thread : all) thread.join();
}

/// Tests child processes, which may be created while another thread looks up a block.
void children() {
    std::atomic<bool> stop{false};
    char* const block = new char[100];
    std::thread looker([&] {
        while (!stop) CHECK(find_host_block(block + 50).bytes == 100);
    });
    for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            delete[] new char[50];
            _exit(find_host_block(block + 99).begin == block ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    stop = true;
    looker.join();
    delete[] block;
}

}  // namespace

int main() {
    sizes();
    reallocation();
    refusals();
    watching();
    threads();
    children();
    std::printf(failures ? "%d checks failed\n" : "all checks hold\n", failures);
    return failures != 0;
}
