// The instructions of Hopper that CUDA C++ has no functions for, one function each: mbarriers of a cluster, the TMA, wgmma, stmatrix.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "kit.cuh"

namespace hopper {

constexpr int kPanel = 64;  // elements in 128 bytes, the widest row that the TMA swizzles

/// The address of something in the shared memory of this block, as PTX wants it.
__device__ inline std::uint32_t shared_address(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Returns whether this kernel can run: the device has compute capability 9.0, and the kernel was compiled for sm_90a. Otherwise it is
/// empty, and needs few registers.
template <class Kernel>
bool can_run(Kernel* kernel) {
    int device = 0, major = 0, minor = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return major == 9 && minor == 0 && attributes.numRegs > 100;
}

// ---- mbarriers ----

__device__ inline void init(std::uint64_t* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
                 : "memory");
}

/// Makes the initialized barriers visible to the cluster and to the TMA.
__device__ inline void publish_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives, and announces the bytes that the TMA will deliver in this phase.
__device__ inline void arrive_and_expect(std::uint64_t* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/// Arrives at a barrier of this block. All accesses to protect are those of wgmma, which are complete.
__device__ inline void arrive(std::uint64_t* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/// Arrives at the barrier at the same address in block `block` of the cluster. The reads before it are those of wgmma, which are complete,
/// so the arrival needs to order nothing else. With `fence`, all earlier accesses of the thread become visible to the cluster. For that,
/// the compiler puts MEMBAR.ALL.GPU before the arrival: a wait for all earlier accesses of the thread.
template <bool fence>
__device__ void arrive_at(std::uint64_t* barrier, unsigned block) {
    std::uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(barrier)), "r"(block));
    if (fence)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    else
        asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
}

__device__ inline void wait(std::uint64_t* barrier, unsigned parity) {
    asm volatile(
        "{\n.reg .pred done;\n"
        "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(shared_address(barrier)),
        "r"(parity)
        : "memory");
}

/// Waits for all threads of the cluster.
__device__ inline void sync_cluster() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

/// Waits for the 128 threads of a warpgroup. `group` names the barrier: 1 or more, because 0 is __syncthreads().
__device__ inline void sync_warpgroup(int group) {
    asm volatile("bar.sync %0, 128;" ::"r"(group) : "memory");
}

// ---- the TMA ----

/// Copies a box of the matrix to shared memory, and its bytes arrive at the barrier. (column, row) is the first element of the box.
__device__ inline void load(void* to, const CUtensorMap& map, std::uint64_t* barrier, int column, int row) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
        "[%2];" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(barrier)), "r"(column), "r"(row)
        : "memory");
}

/// Does the same with a box of one of several matrices. Elements outside of the matrix are zeros in shared memory.
__device__ inline void load(void* to, const CUtensorMap& map, std::uint64_t* barrier, int column, int row,
                            int matrix) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, "
        "%5}], [%2];" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(barrier)), "r"(column), "r"(row), "r"(matrix)
        : "memory");
}

/// Copies a box to the same place in every block of `blocks`, a bit mask, and arrives at the barrier of each.
__device__ inline void load_for(unsigned blocks, void* to, const CUtensorMap& map, std::uint64_t* barrier,
                                int column, int row) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%3, %4}], [%2], "
        "%5;" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(barrier)), "r"(column), "r"(row),
        "h"(static_cast<std::uint16_t>(blocks))
        : "memory");
}

/// Copies a box from shared memory to the matrix. Elements outside of the matrix are not written.
__device__ inline void store(const CUtensorMap& map, const void* from, int column, int row) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(shared_address(from)), "r"(column), "r"(row)
                 : "memory");
}
__device__ inline void store(const CUtensorMap& map, const void* from, int column, int row, int matrix) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map),
        "r"(shared_address(from)), "r"(column), "r"(row), "r"(matrix)
        : "memory");
}
__device__ inline void commit_stores() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until the TMA has read what this thread has committed, so that the shared memory can be written again.
__device__ inline void wait_until_read() {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
__device__ inline void wait_until_stored() {
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
/// Lets the TMA see what this thread has written to shared memory.
__device__ inline void publish_to_tma() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Describes one or several row-major matrices to the TMA, without gaps between rows and matrices, in boxes of `box_rows` rows and kPanel
/// columns. `sizes` has the number of columns, of rows, and of matrices if the map has three dimensions.
template <int dimensions>
CUtensorMap map_of(const __nv_bfloat16* data, const int (&sizes)[dimensions], int box_rows) {
    static const auto encode = [] {
        void* function = nullptr;
        cudaDriverEntryPointQueryResult result;
        CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                    cudaEnableDefault, &result));
        return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    cuuint64_t extent[dimensions], pitch[dimensions];
    cuuint32_t box[dimensions], every[dimensions];
    for (int i = 0; i < dimensions; ++i) {
        extent[i] = static_cast<cuuint64_t>(sizes[i]);
        pitch[i] = extent[i] * (i > 0 ? pitch[i - 1] : sizeof *data);
        box[i] = i == 0 ? kPanel : i == 1 ? static_cast<cuuint32_t>(box_rows) : 1;
        every[i] = 1;
    }
    CUtensorMap map;
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, dimensions, const_cast<__nv_bfloat16*>(data), extent,
               pitch, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr,
                     "cuTensorMapEncodeTiled refuses %d x %d elements (error %d): a row must be a multiple "
                     "of 16 bytes\n",
                     sizes[1], sizes[0], static_cast<int>(result));
        std::exit(1);
    }
    return map;
}

// ---- registers ----

template <int registers>
__device__ void give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ void take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

/// Writes four 8 x 8 matrices of 16-bit elements. Lane i gives the address of row i % 8 of matrix i / 8.
__device__ inline void store_matrices(void* row, const std::uint32_t (&pairs)[4]) {
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
        "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
        : "memory");
}

// ---- wgmma ----

/// Describes a tile in shared memory for wgmma: rows of 128 bytes, which the TMA has swizzled; `next_8` bytes between groups of eight
/// rows, and `next_panel` bytes between panels of 64 elements.
__device__ inline std::uint64_t describe(const void* tile, int next_panel, int next_8) {
    const auto field = [](std::uint64_t bytes) { return (bytes & 0x3ffff) >> 4; };
    constexpr std::uint64_t swizzled_128 = std::uint64_t{1} << 62;
    return field(shared_address(tile)) | field(next_panel) << 16 | field(next_8) << 32 | swizzled_128;
}

__device__ inline void begin_products() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commit_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most `pending` committed groups of products are unfinished.
template <int pending>
__device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// clang-format off
#define KIT_FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define KIT_SIXTEEN(i) KIT_FOUR(i), KIT_FOUR(i + 4), KIT_FOUR(i + 8), KIT_FOUR(i + 12)
/// d = a b if `add` is 0, and d += a b otherwise: 64 x 16 elements of A, row by row, and 16 x 256 elements of B, row by row, for the 64 x
/// 256 sums of a warpgroup. It only starts; see wait_for_products().
__device__ __forceinline__ void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 1;\n}"
        : KIT_SIXTEEN(0), KIT_SIXTEEN(16), KIT_SIXTEEN(32), KIT_SIXTEEN(48),
          KIT_SIXTEEN(64), KIT_SIXTEEN(80), KIT_SIXTEEN(96), KIT_SIXTEEN(112)
        : "l"(a), "l"(b), "r"(add));
}
#undef KIT_SIXTEEN
#undef KIT_FOUR
// clang-format on

// clang-format off
#define KIT_PIECE(i) "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
#define KIT_PIECES KIT_PIECE(0), KIT_PIECE(1), KIT_PIECE(2), KIT_PIECE(3), KIT_PIECE(4), KIT_PIECE(5), KIT_PIECE(6), KIT_PIECE(7), \
                   KIT_PIECE(8), KIT_PIECE(9), KIT_PIECE(10), KIT_PIECE(11), KIT_PIECE(12), KIT_PIECE(13), KIT_PIECE(14), KIT_PIECE(15)
#define KIT_SUMS \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

/// d = a b^T if `add` is 0, and d += a b^T otherwise: 64 x 16 elements of a and 128 x 16 of b, both row by row in shared memory. It only
/// starts; see wait_for().
__device__ __forceinline__ void multiply_transposed(float (&d)[16][4], std::uint64_t a, std::uint64_t b, int add) {
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " KIT_SUMS ", %64, %65, add, 1, 1, 0, 0;\n}"
                 : KIT_PIECES : "l"(a), "l"(b), "r"(add));
}

/// d = a b if `add` is 0, and d += a b otherwise: 64 x 16 elements of a in registers, and 16 x 128 of b, row by row in shared memory.
__device__ __forceinline__ void multiply(float (&d)[16][4], const unsigned (&a)[4], std::uint64_t b, int add) {
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " KIT_SUMS ", {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n}"
                 : KIT_PIECES : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/// Waits until at most `pending` committed groups of products are unfinished. `d` belongs to a finished one: it is an operand so that the
/// compiler does not move reads of it before the wait.
template <int pending>
__device__ __forceinline__ void wait_for(float (&d)[16][4]) {
    asm volatile("wgmma.wait_group.sync.aligned %64;" : KIT_PIECES : "n"(pending) : "memory");
}
#undef KIT_SUMS
#undef KIT_PIECES
#undef KIT_PIECE
// clang-format on

}  // namespace hopper
