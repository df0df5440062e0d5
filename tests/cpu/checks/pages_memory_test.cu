// The examples of lectures/diagnoses about memory: the mistake and the fix.
#include <memory>

#include "pages.cuh"

// ---- address ----

// [address]
__global__ void square_one_too_many(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] *= data[i];  // <-
}
// [/address]
PLANTED("address", "address", "out of bounds") {
    Buffer<float> data(1000, 2.0f);
    square_one_too_many<<<4, 256>>>(data, 1000);
}

// [address_cure]
__global__ void square(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
}
// [/address_cure]
SILENT("address, cured") {
    Buffer<float> data(1000, 2.0f);
    square<<<4, 256>>>(data, 1000);
    CHECK_EQUAL(data.read(), std::vector<float>(1000, 4.0f));
}

// ---- argument ----

// [argument]
void upload_swapped(float* device, std::vector<float>& host) {
    std::size_t bytes = host.size() * sizeof(float);
    cudaMemcpy(host.data(), device, bytes, cudaMemcpyHostToDevice);  // <-
}
// [/argument]
PLANTED("argument", "argument", "the destination is the first argument") {
    Buffer<float> device(16);
    std::vector<float> host(16, 1.0f);
    upload_swapped(device, host);
}

// [argument_cure]
cudaError_t upload(float* device, const std::vector<float>& host) {
    std::size_t bytes = host.size() * sizeof(float);
    return cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice);
}
// [/argument_cure]
SILENT("argument, cured") {
    Buffer<float> device(16);
    const std::vector<float> host(16, 1.0f);
    CHECK_CUDA(upload(device, host), cudaSuccess);
    CHECK_EQUAL(device.read(), host);
}

// ---- host_access ----

ALONE("host_access") {
    // [host_access]
    float* device = nullptr;
    cudaMalloc(&device, sizeof(float));
    cudaMemset(device, 0, sizeof(float));
    std::printf("%g\n", double(device[0]));  // <-
    // [/host_access]
}

// [host_access_cure]
float first(const float* device) {
    float value = 0;
    cudaMemcpy(&value, device, sizeof(float), cudaMemcpyDeviceToHost);
    return value;
}
// [/host_access_cure]
SILENT("host_access, cured") {
    Buffer<float> device(16, 3.0f);
    CHECK_EQUAL(first(device), 3.0f);
}

// ---- host_pointer ----

// [host_pointer]
__global__ void fill(float* data, int n, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value;  // <-
}

void fill_vector_directly(std::vector<float>& host) {
    int n = host.size();
    fill<<<(n + 255) / 256, 256>>>(host.data(), n, 1.0f);
}
// [/host_pointer]
PLANTED("host_pointer", "host_pointer", "this is host memory") {
    std::vector<float> host(1000);
    fill_vector_directly(host);
}

// [host_pointer_cure]
void fill_vector(std::vector<float>& host) {
    int n = host.size();
    float* device = nullptr;
    cudaMalloc(&device, n * sizeof(float));
    fill<<<(n + 255) / 256, 256>>>(device, n, 1.0f);
    cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
}
// [/host_pointer_cure]
SILENT("host_pointer, cured") {
    std::vector<float> host(1000);
    fill_vector(host);
    CHECK_EQUAL(host, std::vector<float>(1000, 1.0f));
}

// ---- misaligned ----

// [misaligned]
__global__ void put_behind_tag_directly(char* record, double value) {
    *reinterpret_cast<double*>(record + 4) = value;  // <-
}
// [/misaligned]
PLANTED("misaligned", "misaligned", "not a multiple of 8") {
    Buffer<char> record(16);
    put_behind_tag_directly<<<1, 1>>>(record, 0.5);
}

// [misaligned_cure]
struct Record {
    int tag;
    double value;  // the compiler puts it at byte 8
};

__global__ void put_behind_tag(Record* record, double value) {
    record->value = value;
}
// [/misaligned_cure]
SILENT("misaligned, cured") {
    Buffer<Record> record(1);
    put_behind_tag<<<1, 1>>>(record, 0.5);
    CHECK_EQUAL(record.read()[0].value, 0.5);
}

// ---- shared_limit ----

#ifdef KIT_CPU  // nvcc does not compile it
// [shared_limit]
__device__ float* scratch() {
    __shared__ float row[200000];
    return row;
}

__global__ void first_of_scratch(float* out) {
    float* row = scratch();
    row[0] = 1;
    *out = row[0];
}
// [/shared_limit]
PLANTED("shared_limit", "shared_limit", "`row` (800000 bytes)") {
    Buffer<float> out(1);
    first_of_scratch<<<1, 1>>>(out);  // <-
}
#endif

// [shared_limit_cure]
__global__ void first_of_scratch_in_memory(float* scratch, int n, float* out) {
    float* row = scratch + blockIdx.x * n;
    row[0] = 1;
    *out = row[0];
}
// [/shared_limit_cure]
SILENT("shared_limit, cured") {
    Buffer<float> scratch(200000), out(1);
    first_of_scratch_in_memory<<<1, 1>>>(scratch, 200000, out);
    CHECK_EQUAL(out.read()[0], 1.0f);
}

// ---- stack ----

// [stack]
__device__ int height(const int2* children, int node) {
    if (node < 0) return 0;
    int left = height(children, children[node].x);
    int right = height(children, children[node].y);
    return 1 + (left > right ? left : right);
}

__global__ void height_by_recursion(const int2* children, int* out) {
    *out = height(children, 0);
}
// [/stack]
ALONE("stack") {
    std::vector<int2> list;
    for (int i = 1; i <= 10000; ++i) list.push_back({i < 10000 ? i : -1, -1});
    Buffer<int2> children(list);
    Buffer<int> out(1);
    height_by_recursion<<<1, 1>>>(children, out);
}

// [stack_cure]
__global__ void height_by_climbing(const int* parent, int n, int* out) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n) return;
    int depth = 0;
    for (; node >= 0; node = parent[node]) ++depth;
    atomicMax(out, depth);
}
// [/stack_cure]
SILENT("stack, cured") {
    std::vector<int> list;
    for (int i = 0; i < 300; ++i) list.push_back(i - 1);
    Buffer<int> parent(list), out(1);
    height_by_climbing<<<2, 256>>>(parent, 300, out);
    CHECK_EQUAL(out.read()[0], 300);
}

// ---- uninitialised ----

// [uninitialised]
__global__ void add(const int* in, int n, int* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);  // <-
}

int sum_from_anything(const int* in, int n) {
    int *sum = nullptr, result = 0;
    cudaMalloc(&sum, sizeof(int));
    add<<<(n + 255) / 256, 256>>>(in, n, sum);
    cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return result;
}
// [/uninitialised]
PLANTED("uninitialised", "uninitialised", "but nothing has written") {
    Buffer<int> in(1000, 1);
    sum_from_anything(in, 1000);
}

// [uninitialised_cure]
int sum_from_zero(const int* in, int n) {
    int *sum = nullptr, result = 0;
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    add<<<(n + 255) / 256, 256>>>(in, n, sum);
    cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return result;
}
// [/uninitialised_cure]
SILENT("uninitialised, cured") {
    Buffer<int> in(1000, 1);
    CHECK_EQUAL(sum_from_zero(in, 1000), 1000);
}

// ---- constant ----

__constant__ float weights[16];

#ifdef KIT_CPU  // nvcc warns
// [constant]
__global__ void divide_weights(float sum) {
    float* w = const_cast<float*>(weights);
    w[threadIdx.x] /= sum;  // <-
}
// [/constant]
PLANTED("constant", "constant", "__constant__ variable") {
    const std::vector<float> host(16, 1.0f);
    cudaMemcpyToSymbol(weights, host.data(), 16 * sizeof(float));
    divide_weights<<<1, 16>>>(16.0f);
}
#endif

__global__ void use_weights(float* out) {
    out[threadIdx.x] = weights[threadIdx.x];
}
// [constant_cure]
cudaError_t set_weights(std::vector<float> host) {
    float sum = 0;
    for (float w : host) sum += w;
    for (float& w : host) w /= sum;
    return cudaMemcpyToSymbol(weights, host.data(), host.size() * sizeof(float));
}
// [/constant_cure]
SILENT("constant, cured") {
    Buffer<float> out(16);
    CHECK_CUDA(set_weights(std::vector<float>(16, 1.0f)), cudaSuccess);
    use_weights<<<1, 16>>>(out);
    CHECK_EQUAL(out.read(), std::vector<float>(16, 0.0625f));
}

// ---- leak ----

// [leak]
void fill_and_forget(int n) {
    float* data = nullptr;
    cudaMalloc(&data, n * sizeof(float));  // <-
    fill<<<(n + 255) / 256, 256>>>(data, n, 1.0f);
}
// [/leak]
ALONE("leak") {
    fill_and_forget(1000);
}

// [leak_cure]
struct Free {
    void operator()(void* memory) const { cudaFree(memory); }
};

void fill_and_free(int n) {
    float* data = nullptr;
    cudaMalloc(&data, n * sizeof(float));
    std::unique_ptr<float, Free> owner(data);  // frees it on every way out
    fill<<<(n + 255) / 256, 256>>>(data, n, 1.0f);
}
// [/leak_cure]
SILENT("leak, cured") {
    std::size_t before = 0, after = 0, total = 0;
    cudaMemGetInfo(&before, &total);
    fill_and_free(1000);
    cudaMemGetInfo(&after, &total);
    CHECK_EQUAL(after, before);
}

// ---- address, in the host's memory ----

// [address_host]
void download_bytes(const float* device, std::size_t bytes) {
    std::vector<char> picture(bytes / sizeof(float));
    cudaMemcpy(picture.data(), device, bytes, cudaMemcpyDeviceToHost);  // <-
}
// [/address_host]
PLANTED("address/host", "address", "768 bytes past the end") {
    Buffer<float> device(256, 1.0f);
    download_bytes(device, 256 * sizeof(float));
}

// [address_host_cure]
std::vector<float> download(const float* device, std::size_t n) {
    std::vector<float> picture(n);
    cudaMemcpy(picture.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
    return picture;
}
// [/address_host_cure]
SILENT("address/host, cured") {
    Buffer<float> device(256, 1.0f);
    CHECK_EQUAL(download(device, 256), std::vector<float>(256, 1.0f));
}

// ---- host_access/managed ----

#ifdef KIT_CPU
#include <kit_cpu/managed_pages.hpp>

__global__ void count_up(int* data) {
    data[threadIdx.x] += 1;
}
ALONE("host_access/managed") {
    kit::cpu::set_concurrent_managed_access(false);
    // [managed]
    int* data = nullptr;
    cudaMallocManaged(&data, 64 * sizeof(int));
    count_up<<<1, 64>>>(data);
    std::printf("%d\n", data[0]);  // <-
    // [/managed]
}
#endif

PAGES_MAIN("pages_memory")
