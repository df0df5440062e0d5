// The sparse products of the source [D], with its own matrices and children. Rows have 10 to 12 or 0 to 1024 entries. Each row of
// more than 32 entries gets a child, with a block of 32 threads for each 32 entries. For comparison, a host that knows the rows
// in advance launches the same kernels.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solutions_compared.hpp"

namespace contest {

constexpr int kSourceDense = 32;

/// Each thread multiplies one entry, and each block of 32 threads adds its sum to the row's.
__global__ void source_row(nested::Csr a, const float* x, float* y, int row) {
    const int k = a.row_start[row] + static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x);
    float sum = k < a.row_start[row + 1] ? a.value[k] * x[a.column[k]] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) atomicAdd(&y[row], sum);
}

/// Each thread takes one row. A dense row gets a child if `launches`; otherwise it is left to the host.
__global__ void source_rows(nested::Csr a, const float* x, float* y, bool launches) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= a.rows) return;
    const int begin = a.row_start[row], end = a.row_start[row + 1];
    y[row] = 0;  // a child sees the writes of its launching thread before the launch
    if (end - begin > kSourceDense) {
        if (!launches) return;
        source_row<<<kit::ceil_div(end - begin, 32), 32, 0, cudaStreamFireAndForget>>>(a, x, y, row);
        if (cudaGetLastError() == cudaSuccess) return;
    }
    float sum = 0;
    for (int k = begin; k < end; ++k) sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
}

/// Eight streams that wait for the default stream, which in turn waits for them.
class Streams {
  public:
    Streams() {
        for (cudaStream_t& stream : streams_) CUDA_CHECK(cudaStreamCreate(&stream));
    }
    ~Streams() {
        for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    }
    Streams(const Streams&) = delete;
    cudaStream_t of(std::size_t k) const { return streams_[k % streams_.size()]; }

  private:
    std::array<cudaStream_t, 8> streams_;
};

inline Matrix source_matrix(const std::string& kind, const std::string& title, int rows) {
    kit::Random random(16);
    Matrix m;
    m.kind = kind;
    m.title = title;
    for (int row = 0; row < rows; ++row) {
        const int length = static_cast<int>(kind == "few" ? random.integer(10, 12) : random.integer(0, 1024));
        for (int k = 0; k < length; ++k) m.column.push_back(static_cast<int>(random.integer(0, rows - 1)));
        m.row_start.push_back(static_cast<int>(m.column.size()));
        m.dense += length > kSourceDense;
        m.longest = std::max(m.longest, length);
    }
    return m;
}

inline void show_source_matrices(Demo& demo) {
    // There must not be more rows than pending launches (main sets 8192): nearly every row of the second matrix is dense.
    const int rows = on_gpu ? 8000 : 400;
    const std::pair<const char*, const char*> kinds[] = {{"few", "10 to 12 entries a row"},
                                                         {"spread", "0 to 1024 entries a row"}};
    for (const auto& [kind, title] : kinds) {
        const std::string table = std::string("spmv_source_") + kind;
        if (!demo.part(table)) continue;
        const Matrix m = source_matrix(kind, title, rows);
        const Product product(m);
        std::vector<int> dense;
        for (int row = 0; row < rows; ++row)
            if (m.row_start[static_cast<std::size_t>(row) + 1] - m.row_start[static_cast<std::size_t>(row)] >
                kSourceDense)
                dense.push_back(row);
        const Streams streams;
        const int blocks = kit::ceil_div(rows, nested::kBlock);
        std::vector<Version> versions = product.in_four_ways();
        versions.push_back({"source", "the source's children",
                            "Like v3, from 33 entries on, with a block of 32 threads for each 32 entries.",
                            [&](long long) {
                                source_rows<<<blocks, nested::kBlock>>>(product.a, product.x.data(),
                                                                        product.y.data(), true);
                                CUDA_CHECK_LAUNCH();
                            },
                            product.right()});
        versions.push_back({"streams", "the same, by the host",
                            "The same children, in 8 streams of a host that knows the rows beforehand.",
                            [&](long long) {
                                source_rows<<<blocks, nested::kBlock>>>(product.a, product.x.data(),
                                                                        product.y.data(), false);
                                CUDA_CHECK_LAUNCH();
                                for (std::size_t k = 0; k < dense.size(); ++k) {
                                    const auto row = static_cast<std::size_t>(dense[k]);
                                    const int entries = m.row_start[row + 1] - m.row_start[row];
                                    source_row<<<kit::ceil_div(entries, 32), 32, 0, streams.of(k)>>>(
                                        product.a, product.x.data(), product.y.data(), dense[k]);
                                    CUDA_CHECK_LAUNCH();
                                }
                            },
                            product.right()});
        run(demo, table, "sparse product of the source, " + product.title, product.work(), versions);
    }
}

}  // namespace contest
