// The examples of lectures/diagnoses about the L2 cache: discarded, persisting.
#include <cuda/annotated_ptr>

#include "pages.cuh"

// ---- discarded ----

// [discarded]
__global__ void norm_of_rows(const float* in, float* scratch, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    scratch[i] = in[i] * in[i];
    __syncwarp();
    if (i % 32 == 0) {
        float sum = 0;
        for (int k = 0; k < 32; ++k) sum += scratch[i + k];
        cuda::discard_memory(scratch + i, 32 * sizeof(float));
        out[i / 32] = sqrtf(sum / scratch[i]);  // <-
    }
}
// [/discarded]
PLANTED("discarded", "discarded", "but it was discarded at line") {
    Buffer<float> in(64, 3.0f), scratch(64), out(2);
    norm_of_rows<<<1, 64>>>(in, scratch, out);
}

// [discarded_cure]
__global__ void norm_of_rows_in_time(const float* in, float* scratch, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    scratch[i] = in[i] * in[i];
    __syncwarp();
    if (i % 32 == 0) {
        float sum = 0, first = scratch[i];
        for (int k = 0; k < 32; ++k) sum += scratch[i + k];
        cuda::discard_memory(scratch + i, 32 * sizeof(float));  // no thread reads the line after this
        out[i / 32] = sqrtf(sum / first);
    }
}
// [/discarded_cure]
SILENT("discarded, cured") {
    Buffer<float> in(64, 3.0f), scratch(64), out(2);
    norm_of_rows_in_time<<<1, 64>>>(in, scratch, out);
    CHECK_EQUAL(out.read(), std::vector<float>(2, sqrtf(32.0f)));
}

// ---- persisting ----

__global__ void look_up(const float* table, const int* keys, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[keys[i]];
}

// [persisting]
void look_up_and_forget(float* table, std::size_t bytes, const int* keys, float* out, int n) {
    cudaStreamAttrValue attribute = {};
    attribute.accessPolicyWindow = {table, bytes, 1.0f, cudaAccessPropertyPersisting,
                                    cudaAccessPropertyStreaming};
    cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &attribute);  // <-
    look_up<<<(n + 255) / 256, 256>>>(table, keys, out, n);                              // <-
    cudaDeviceSynchronize();
}
// [/persisting]
ALONE("persisting") {
    static float* table = nullptr;  // still there when the program ends
    cudaMalloc(&table, 4096);
    cudaMemset(table, 0, 4096);
    const Buffer<int> keys(100);
    const Buffer<float> out(100);
    look_up_and_forget(table, 4096, keys, out, 100);
}

// [persisting_cure]
void look_up_and_reset(float* table, std::size_t bytes, const int* keys, float* out, int n) {
    cudaStreamAttrValue attribute = {};
    attribute.accessPolicyWindow = {table, bytes, 1.0f, cudaAccessPropertyPersisting,
                                    cudaAccessPropertyStreaming};
    cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &attribute);
    look_up<<<(n + 255) / 256, 256>>>(table, keys, out, n);
    attribute.accessPolicyWindow.num_bytes = 0;  // the kernels to come have no window
    cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &attribute);
    cudaDeviceSynchronize();          // the last kernel that needs the lines has ended
    cudaCtxResetPersistingL2Cache();  // they are lines like all others
}
// [/persisting_cure]
SILENT("persisting, cured") {
    const Buffer<float> table(1024, 2.0f), out(100);
    const Buffer<int> keys(100, 7);
    look_up_and_reset(table, 4096, keys, out, 100);
    CHECK_EQUAL(out.read(), std::vector<float>(100, 2.0f));
#ifdef KIT_CPU
    CHECK(kit::cpu::left_persisting().empty());
#endif
}

PAGES_MAIN("pages_cache")
