#define STORE(p, v) ST
#if CS == 1
#undef STORE
#define STORE(p, v) __stcs(p, v)
#define LOAD(p) __ldcs(p)
#elif CS == 2
#undef STORE
#define STORE(p, v) __stcs(p, v)
#define LOAD(p) *(p)
#else
#undef STORE
#define STORE(p, v) (*(p) = (v))
#define LOAD(p) *(p)
#endif
#include "sp.cu"
#include <algorithm>
#include <vector>
#include <cstdio>
#include <cub/cub.cuh>
int main() {
    for (int n : {1 << 28, 1 << 20}) {
        int *in, *out, *ref;
        cudaMalloc(&in, n * 4ul), cudaMalloc(&out, n * 4ul), cudaMalloc(&ref, n * 4ul);
        std::vector<int> h(n);
        for (int i = 0; i < n; ++i) h[i] = i % 7;
        cudaMemcpy(in, h.data(), n * 4ul, cudaMemcpyHostToDevice);
        scan::Word* words;
        std::size_t count = n / scan::kPassTile + 2;
        cudaMalloc(&words, (count + 1) * 8);
        cudaMemset(words, 0, (count + 1) * 8);
        scan::PassWorkspace ws{words, words + count};
        size_t tb = 0; void* tmp;
        cub::DeviceScan::ExclusiveSum(nullptr, tb, in, ref, n); cudaMalloc(&tmp, tb);
        char* flush; cudaMalloc(&flush, 256 << 20);
        cudaEvent_t a, b; cudaEventCreate(&a), cudaEventCreate(&b);
        auto time = [&](auto f) { std::vector<float> t;
            for (int k = 0; k < 25; ++k) { cudaMemset(flush, k, 256 << 20); cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms); }
            std::sort(t.begin(), t.end()); return t[12] * 1000; };
        float cubt = time([&] { cub::DeviceScan::ExclusiveSum(tmp, tb, in, ref, n); });
        float mine = time([&] { scan::single_pass(in, n, out, ws); });
        std::vector<int> x(n), y(n);
        cudaMemcpy(x.data(), out, n * 4ul, cudaMemcpyDeviceToHost), cudaMemcpy(y.data(), ref, n * 4ul, cudaMemcpyDeviceToHost);
        printf("T=%d R=%d NS=%d MB=%d CS=%d n=%d: %.1f us, CUB %.1f, ratio %.3f %s\n", KT, KR, NS, MB, CS, n, mine, cubt, cubt / mine, x == y ? "" : "WRONG");
        cudaFree(in), cudaFree(out), cudaFree(ref), cudaFree(flush);
    }
}
