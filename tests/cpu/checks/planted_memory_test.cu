// Addresses that a kernel must not access, and copies past the end of an allocation: one planted mistake
// each.
#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

/// Gives a part of device memory a name, as the grader does for its buffers.
struct Name {
#ifdef KIT_CPU
    Name(const void* at, std::size_t bytes, const char* name) : begin(at) {
        kit::cpu::name_buffer(begin, bytes, name);
    }
    ~Name() {
        cudaDeviceSynchronize();
        kit::cpu::forget_buffer(begin);
    }
#else
    Name(const void* at, std::size_t, const char*) : begin(at) {}
#endif
    const void* begin;
};

// ---- global memory ----

__global__ void shift_left(int* data, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) data[n + i] = data[i] + 1;  // <-
}
PLANTED("writes past the end of the array", "address", "after the end of `data` (256 bytes)") {
    Buffer<int> data(192);
    const Name name(data, 256, "data");
    shift_left<<<1, 64>>>(data, 64);
}

__global__ void one_too_many(int* data, int n) {
    if (static_cast<int>(threadIdx.x) <= n) data[threadIdx.x] = 1;  // <-
}
PLANTED("a guard with <= instead of <", "address", "writes 4 bytes") {
    Buffer<int> data(40);
    one_too_many<<<1, 64>>>(data, 40);
}

__global__ void no_guard(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = in[i];  // <-
    if (value > 0 && i < 100) out[i] = value;
}
PLANTED("the load is not guarded, the store is", "address", "reads 4 bytes") {
    Buffer<float> in(100, 1.0f), out(100);
    no_guard<<<2, 64>>>(in, out);
}

__global__ void two_before(const float* in, float* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = in[i - 2] + in[i];  // <-
}
PLANTED("two elements before the second array", "address", "8 bytes before the start of the 256 bytes") {
    Buffer<float> first(128000, 1.0f), in(64, 1.0f), out(64);
    two_before<<<1, 1>>>(in, out);
}

__global__ void load_ragged_tile(const float* in, float* out, int n) {
    __shared__ float tile[16][16];
    const int column = static_cast<int>(blockIdx.x * 16 + threadIdx.x),
              row = static_cast<int>(blockIdx.y * 16 + threadIdx.y);
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];  // <-
    if (row < n && column < n) out[row * n + column] = tile[threadIdx.y][threadIdx.x];
}
PLANTED("a tile at the edge of a matrix, before an array that nobody has written", "address",
        "after the end of the 6400 bytes") {
    const int n = 40;
    Buffer<float> in(n * n, 1.0f);
    float* out = nullptr;
    CHECK_CUDA(cudaMalloc(&out, n * n * sizeof(float)), cudaSuccess);
    load_ragged_tile<<<dim3(3, 3), dim3(16, 16)>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
}

__global__ void before_the_start(int* data) {
    data[static_cast<int>(threadIdx.x) - 1] = 1;  // <-
}
PLANTED("index -1", "address", "out of bounds") {
    Buffer<int> data(64);
    before_the_start<<<1, 32>>>(data);
}

__global__ void far_away(int* data) {
    data[1 << 20] = 1;  // <-
}
PLANTED("four megabytes too far", "address", "out of bounds") {
    Buffer<int> data(64);
    far_away<<<1, 1>>>(data);
}

__global__ void last_byte(char* text, int n) {
    text[n] = 0;  // <-
}
PLANTED("the terminator has no room", "address", "writes 1 byte") {
    Buffer<char> text(13);
    last_byte<<<1, 1>>>(text, 13);
}

__global__ void straddles(double* data) {
    *reinterpret_cast<double*>(reinterpret_cast<char*>(data) + 8) = 1;  // <-
}
PLANTED("a double whose second half lies outside", "address", "out of bounds") {
    Buffer<float> data(3);
    straddles<<<1, 1>>>(reinterpret_cast<double*>(data.data()));
}

__global__ void vector_tail(const float4* in, float* out, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (4 * i < n) {
        const float4 four = in[i];  // <-
        out[i] = four.x + four.y + four.z + four.w;
    }
}
PLANTED("the last float4 of a ragged array", "address", "out of bounds") {
    Buffer<float> in(30, 1.0f), out(8);
    vector_tail<<<1, 32>>>(reinterpret_cast<const float4*>(in.data()), out, 30);
}

__global__ void atomic_beyond(int* bins) {
    atomicAdd(&bins[threadIdx.x], 1);  // <-
}
PLANTED("an atomic beyond the bins", "address", "out of bounds") {
    Buffer<int> bins(16);
    atomic_beyond<<<1, 32>>>(bins);
}

__global__ void unsigned_wraps(int* data) {
    const unsigned i = threadIdx.x - 1u;
    data[i] = 1;  // <-
}
PLANTED("an unsigned index that wraps around", "address", "at line") {
    Buffer<int> data(64);
    unsigned_wraps<<<1, 32>>>(data);
}

__global__ void into_the_neighbour(int* first) {
    if (threadIdx.x < 40) first[threadIdx.x] = 1;  // <-
}
PLANTED("one named buffer overrun into the next", "address", "the end of `first` (128 bytes)") {
    Buffer<int> both(64);
    const Name first(both.data(), 128, "first"), second(both.data() + 48, 64, "second");
    into_the_neighbour<<<1, 64>>>(both);
}

// Global variables are adjacent in memory, so the checks detect an overrun only if it reaches a gap. There is
// a gap after each of these variables, because all of them have a large alignment.
__device__ alignas(128) int before_table[8];
__device__ alignas(128) int table[8];
__device__ alignas(128) int after_table[8];
__global__ void fill_table() {
    table[threadIdx.x] = 1;  // <-
}
PLANTED("a __device__ array overrun", "address", "right after the end of `table` (32 bytes)") {
    fill_table<<<1, 9>>>();
}

__constant__ int factors[4];
__global__ void write_constant() {
#ifdef KIT_CPU                                   // nvcc detects this mistake itself
    const_cast<int*>(factors)[threadIdx.x] = 1;  // <-
#endif
}
PLANTED("a kernel writes constant memory", "constant", "this is `factors[") {
    write_constant<<<1, 4>>>();
}

__constant__ int offsets[4];
__global__ void read_offsets(int* out) {
    out[threadIdx.x] = offsets[threadIdx.x];
}
PLANTED("host code writes constant memory by its name", "constant",
        "host code assigned to `offsets[1]` by its name") {
    Buffer<int> out(4);
    const int value = 7;
    memcpy(offsets + 1, &value, sizeof value);
    read_offsets<<<1, 4>>>(out);  // <-
    CHECK_EQUAL(out.read()[1], 0);
}

__global__ void memset_in_elements(int* data, int n) {
    if (threadIdx.x == 0) memset(data, 0, 4 * static_cast<std::size_t>(n) * sizeof(int));  // <-
}
PLANTED("memset of four times too much", "address", "the end of") {
    Buffer<int> data(64);
    memset_in_elements<<<1, 32>>>(data, 64);
}

__global__ void copied_without_barrier(int* out) {
    __shared__ int tile[64];
    if (threadIdx.x == 0) memset(tile, 0, sizeof tile);  // <-
    out[threadIdx.x] = tile[threadIdx.x];                // <-
}
PLANTED("memset without a barrier after it", "race", "race on `tile[") {
    Buffer<int> out(64);
    copied_without_barrier<<<1, 64>>>(out);
}

__global__ void negative_shared_index(int* out, int left) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[left];  // <-
}
PLANTED("a negative index into shared memory", "address", "8 bytes before the shared memory of the block") {
    Buffer<int> out(32);
    negative_shared_index<<<1, 32>>>(out, -2);
}

// ---- freeing ----

PLANTED("freed twice", "address", "freed twice, the 64 bytes allocated by cudaMalloc #") {
    int* data = nullptr;
    cudaMalloc(&data, 64);
    cudaFree(data);
    cudaFree(data);  // <-
}

PLANTED("freed from the middle", "argument", "Pass the address of its first byte") {
    int* data = nullptr;
    cudaMalloc(&data, 64);
    cudaFree(data + 4);  // <-
    cudaFree(data);
}

PLANTED("host memory freed as device memory", "argument", "CUDA has not allocated this memory") {
    int data = 0;
    cudaFree(&data);  // <-
}

// ---- pointers of the wrong kind ----

__global__ void use(int* data) {
    *data = 1;  // <-
}
PLANTED("freed memory", "address", "freed") {
    int* data = nullptr;
    cudaMalloc(&data, 64);
    cudaFree(data);
    use<<<1, 1>>>(data);
}

__global__ void use_null(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a null pointer", "address", "null pointer") {
    use_null<<<1, 32>>>(nullptr);
}
__global__ void use_host(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a host array", "host_pointer", "this is host memory") {
    std::vector<int> host(64);
    use_host<<<1, 64>>>(host.data());
}

__global__ void use_host_stack(const int* value, int* out) {
    *out = *value;  // <-
}
PLANTED("the address of a local variable of the host", "host_pointer", "reads 4 bytes") {
    const int value = 3;
    Buffer<int> out(1);
    use_host_stack<<<1, 1>>>(&value, out);
}

struct Job {
    int* data;
};
__global__ void use_member(Job job) {
    job.data[threadIdx.x] = 1;  // <-
}
PLANTED("a host pointer inside a struct", "host_pointer", "cudaMalloc") {
    std::vector<int> host(32);
    use_member<<<1, 32>>>(Job{host.data()});
}

// ---- alignment ----

__global__ void load_four(const float* in, float* out) {
    const float4 four = *reinterpret_cast<const float4*>(in + 1);  // <-
    out[0] = four.x + four.y + four.z + four.w;
}
PLANTED("a float4 one float off, loaded and then used by its members", "misaligned", "not a multiple of 16") {
    Buffer<float> in(16, 1.0f), out(1);
    load_four<<<1, 1>>>(in, out);
}

__global__ void use_four(const float* in, float* out) {
    const float4* const four = reinterpret_cast<const float4*>(in + 1);
    out[0] = four->x + four->y + four->z + four->w;  // <-
}
KNOWN_GAP("a float4 one float off, used by its members where it lies", "these are four loads") {
    Buffer<float> in(16, 1.0f), out(1);
    use_four<<<1, 1>>>(in, out);
}

__global__ void copy_four(const float* in, float4* out) {
    *out = *reinterpret_cast<const float4*>(in + 1);  // <-
}
PLANTED("a float4 one float off, copied whole", "misaligned", "not a multiple of 16") {
    Buffer<float> in(16, 1.0f);
    Buffer<float4> out(1);
    copy_four<<<1, 1>>>(in, out);
}

__global__ void copy_two(const double* in, double2* out) {
    *out = *reinterpret_cast<const double2*>(in + 1);  // <-
}
PLANTED("a double2 one double off, copied whole", "misaligned", "not a multiple of 16") {
    Buffer<double> in(4, 1.0);
    Buffer<double2> out(1);
    copy_two<<<1, 1>>>(in, out);
}

__global__ void store_four(float* out) {
    *reinterpret_cast<float4*>(out + 2) = make_float4(1, 2, 3, 4);  // <-
}
KNOWN_GAP("a float4 made of members is stored two floats off", "the compiler has made four stores of it") {
    Buffer<float> out(16);
    store_four<<<1, 1>>>(out);
}

__global__ void store_double(float* data) {
    *reinterpret_cast<double*>(data + 1) = 1;  // <-
}
PLANTED("a double four bytes off", "misaligned", "not a multiple of 8") {
    Buffer<float> data(16);
    store_double<<<1, 1>>>(data);
}

__global__ void load_int(const char* bytes, int* out) {
    *out = *reinterpret_cast<const int*>(bytes + 2);  // <-
}
PLANTED("an int in the middle of bytes", "misaligned", "not a multiple of 4") {
    Buffer<char> bytes(16);
    Buffer<int> out(1);
    load_int<<<1, 1>>>(bytes, out);
}

__global__ void shared_double(double* out) {
    extern __shared__ char raw[];
    *reinterpret_cast<double*>(raw + 4) = 1;  // <-
    *out = 0;
}
PLANTED("a double in dynamic shared memory, four bytes off", "misaligned", "byte 4 of `raw` (shared)") {
    Buffer<double> out(1);
    shared_double<<<1, 1, 64>>>(out);
}

// ---- shared memory ----

__global__ void halo_too_small(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x + 1] = 1;  // <-
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("a tile without room for its halo", "address", "right after the end of `tile` (shared, 128 bytes)") {
    Buffer<int> out(32);
    halo_too_small<<<1, 32>>>(out);
}

__global__ void into_next_array(int* out) {
    __shared__ int first[8];
    __shared__ int second[8];
    if (threadIdx.x < 8) second[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = second[threadIdx.x % 8];
    first[threadIdx.x] = 1;  // <-
    out[threadIdx.x] += first[threadIdx.x];
}
PLANTED("one shared array runs into the next", "address", "`first[") {
    Buffer<int> out(16);
    into_next_array<<<1, 16>>>(out);
}

__global__ void column_too_far(int* out) {
    __shared__ int tile[4][4];
    const unsigned row = threadIdx.x;
    tile[row][4 - (row < 3)] = 1;  // <-
    if (row == 3) out[row] = tile[row][3];
}
PLANTED("column 4 of the last row of a 4 by 4 tile", "address", "`tile[4][") {
    Buffer<int> out(4);
    column_too_far<<<1, 4>>>(out);
}

__global__ void dynamic_overrun(int* out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = 1;  // <-
    out[threadIdx.x] = 0;
}
PLANTED("dynamic shared memory counted in elements, not bytes", "address",
        "after the end of `cells` (shared, 64 bytes)") {
    Buffer<int> out(64);
    dynamic_overrun<<<1, 64, 64>>>(out);
}

__global__ void dynamic_missing(int* out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = 1;  // <-
    out[threadIdx.x] = 0;
}
PLANTED("dynamic shared memory that was not asked for", "address", "shared") {
    Buffer<int> out(64);
    dynamic_missing<<<1, 64>>>(out);
}

__global__ void shared_read_beyond(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + 1];  // <-
}
PLANTED("the right neighbour of the last element", "address", "reads 4 bytes") {
    Buffer<int> out(32);
    shared_read_beyond<<<1, 32>>>(out);
}

// ---- the host API ----

PLANTED("cudaMemcpy of more than was allocated", "address", "cudaMemcpy") {
    std::vector<int> host(65);
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemcpy(data, host.data(), 65 * sizeof(int), cudaMemcpyHostToDevice);  // <-
}

PLANTED("cudaMemset counts in bytes", "address", "cudaMemset") {
    int* data = nullptr;
    cudaMalloc(&data, 64);
    cudaMemset(data, 0, 64 * sizeof(int));  // <-
}

PLANTED("cudaMemcpy into freed memory", "address", "cudaMemcpy") {
    int value = 1, *data = nullptr;
    cudaMalloc(&data, sizeof(int));
    cudaFree(data);
    cudaMemcpy(data, &value, sizeof(int), cudaMemcpyHostToDevice);  // <-
}

CHECKS_MAIN("planted_memory")
