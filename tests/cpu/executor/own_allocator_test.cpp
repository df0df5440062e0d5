// A program that defines operator new. Every block that this operator allocates must be returned to it,
// including blocks of the executor and of the C++ library. Reports about copies must not mention such blocks.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

constexpr std::size_t header = 64;  // the C library would abort if it got an address that it has not returned
const char mark[] = "own allocator";
long live = 0, made = 0;

}  // namespace

void* operator new(std::size_t bytes) {
    char* const block = static_cast<char*>(std::malloc(bytes + header));
    if (!block) throw std::bad_alloc();
    std::snprintf(block, header, "%s", mark);
    ++live, ++made;
    return block + header;
}

void operator delete(void* begin) noexcept {
    if (!begin) return;
    char* const block = static_cast<char*>(begin) - header;
    if (std::string_view(block) != mark) {
        std::fputs("freed what was not allocated here\n", stderr);
        std::abort();
    }
    --live;
    std::free(block);
}

void operator delete(void* begin, std::size_t) noexcept {
    operator delete(begin);
}

int main() {
    const long before = live;
    int* data = nullptr;
    bool right = cudaMalloc(&data, 400) == cudaSuccess;
    {
        std::vector<int> host(100, 7), back(100);
        const std::unique_ptr<int[]> many(new int[100]), maybe(new (std::nothrow) int[100]);
        const std::unique_ptr<std::string> one(new (std::nothrow) std::string(100, 'x'));
        right = right && cudaMemcpy(data, host.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess;
        right = right && cudaMemcpy(many.get(), data, 400, cudaMemcpyDeviceToHost) == cudaSuccess;
        right = right && cudaMemcpy(maybe.get(), data, 400, cudaMemcpyDeviceToHost) == cudaSuccess;
        right =
            right && cudaMemcpyAsync(back.data(), data, 400, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess;
        right = right && cudaDeviceSynchronize() == cudaSuccess;
        right = right && many[99] == 7 && maybe[99] == 7 && back == host && live >= before + 6;
    }
    right = right && cudaFree(data) == cudaSuccess && made > 6;
    std::puts(right ? "all checks hold" : "something is wrong");
    return !right;
}
