// Correct programs with malloc, free, new and delete in kernels, which rely on CUDA's guarantees for the
// device's heap.
#include <new>

#include "checks.cuh"

namespace {

struct Node {
    int value;
    Node* next;
    __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__global__ void build_list(int n, Node** head) {
    Node* list = nullptr;
    for (int i = 0; i < n; ++i) list = new Node(i, list);
    *head = list;
}
__global__ void sum_list(Node* const* head, int* sum) {
    for (const Node* node = *head; node; node = node->next) *sum += node->value;
}
__global__ void delete_list(Node** head) {
    for (Node* node = *head; node;) {
        Node* const gone = node;
        node = node->next;
        delete gone;
    }
    *head = nullptr;
}

}  // namespace

SILENT("a list lives from one kernel to the next") {
    Buffer<Node*> head(1);
    Buffer<int> sum(1);
    build_list<<<1, 1>>>(100, head);
    sum_list<<<1, 1>>>(head, sum);
    delete_list<<<1, 1>>>(head);
    CHECK_EQUAL(sum.read()[0], 4950);
}

namespace {

__global__ void each_its_own(int* out) {
    const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int* const mine = static_cast<int*>(malloc(8 * sizeof(int)));
    for (int i = 0; i < 8; ++i) mine[i] = t + i;
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += mine[i];
    free(mine);
    float* const again = new float[4]();
    sum += static_cast<int>(again[3]);
    delete[] again;
    out[t] = sum;
}

}  // namespace

SILENT("each thread has blocks of its own, one after another at the same place") {
    Buffer<int> out(128);
    each_its_own<<<2, 64>>>(out);
    CHECK_EQUAL(out.read()[100], 828);
}

namespace {

__global__ void for_the_block(int* out) {
    __shared__ int* tile;
    if (threadIdx.x == 0) tile = new int[64];
    __syncthreads();
    if (!tile) return;
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) delete[] tile;
}

}  // namespace

SILENT("one thread allocates for its block, and frees behind a barrier") {
    Buffer<int> out(256);
    for_the_block<<<4, 64>>>(out);
    CHECK_EQUAL(out.read()[192], 63);
}

namespace {

struct Shape {
    float side;
    __device__ explicit Shape(float s) : side(s) {}
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    __device__ explicit Square(float s) : Shape(s) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    __device__ explicit Circle(float s) : Shape(s) {}
    __device__ float area() const override { return 3 * side * side; }
};

__global__ void make_shapes(Shape** shapes) {
    const float side = static_cast<float>(threadIdx.x);
    if (threadIdx.x % 2)
        shapes[threadIdx.x] = new Square(side);
    else
        shapes[threadIdx.x] = new Circle(side);
}
__global__ void measure_shapes(Shape* const* shapes, float* areas) {
    areas[threadIdx.x] = shapes[31 - threadIdx.x]->area();
}
__global__ void delete_shapes(Shape* const* shapes) {
    delete shapes[threadIdx.x];
}

}  // namespace

SILENT("objects with virtual functions") {
    Buffer<Shape*> shapes(32);
    Buffer<float> areas(32);
    make_shapes<<<1, 32>>>(shapes);
    measure_shapes<<<1, 32>>>(shapes, areas);
    delete_shapes<<<1, 32>>>(shapes);
    CHECK_EQUAL(areas.read()[30], 1.0f);
    CHECK_EQUAL(areas.read()[29], 12.0f);
}

namespace {

__global__ void too_much(int* null) {
    const std::size_t huge = std::size_t{1} << 28;
    double* const plain = static_cast<double*>(malloc(huge));
    char* const made = new char[huge];
    null[0] = plain == nullptr;
    null[1] = made == nullptr;
    free(plain);
    delete[] made;
    int blocks = 0;
    void* kept[16];
    for (int i = 0; i < 16; ++i) {
        kept[i] = malloc(1 << 20);
        blocks += kept[i] != nullptr;
    }
    for (void* block : kept) free(block);
    null[2] = blocks >= 4 && blocks <= 8;
}

}  // namespace

SILENT("a null pointer when the 8 MiB of the heap are exhausted") {
    Buffer<int> null(3);
    too_much<<<1, 1>>>(null);
    CHECK_EQUAL(null.read()[0], 1);
    CHECK_EQUAL(null.read()[1], 1);
    CHECK_EQUAL(null.read()[2], 1);
}

namespace {

struct Large {
    int values[8000];
    int* out;
};
__global__ void sum_parameter(__grid_constant__ const Large large) {
    int sum = 0;
    for (unsigned i = threadIdx.x; i < 8000; i += 32) sum += large.values[i];
    atomicAdd(large.out, sum);
}
__global__ void change_parameter(Large large, int at) {
    large.values[at] += 1;
    __syncthreads();
    large.out[threadIdx.x] = large.values[at];
}

}  // namespace

SILENT("32,000 bytes of parameters") {
    Buffer<int> out(32);
    static Large large;
    for (int i = 0; i < 8000; ++i) large.values[i] = i % 7;
    large.out = out;
    sum_parameter<<<1, 32>>>(large);
    CHECK_EQUAL(out.read()[0], 1142 * 21 + 15);
    change_parameter<<<1, 32>>>(large, 4);
    CHECK_EQUAL(out.read()[31], 5);
}

namespace {

__global__ void placed(int* out) {
    __shared__ __align__(8) unsigned char room[sizeof(Node)];
    if (threadIdx.x == 0) new (room) Node(7, nullptr);
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<Node*>(room)->value;
}

}  // namespace

SILENT("an object that is placed into shared memory") {
    Buffer<int> out(32);
    placed<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[9], 7);
}

CHECKS_MAIN("silent_heap")
