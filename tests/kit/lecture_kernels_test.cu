// Tests kernels that only demos of lectures have, at the edges of tiles and strips, which the sizes of the
// demos do not test.
#include <numeric>

#include "../../lectures/04_shared_memory/versions.cuh"
#include "../../lectures/05_convolution/lean_factors.cuh"
#include "../../lectures/07_reduction/floor.cuh"
#include "../../lectures/08_scan/compact_once.cuh"
#include "../../lectures/08_scan/prefetched.cuh"
#include "grader.cuh"

namespace {

/// The words and the ticket that v8 needs: all are 0 before the first call.
struct Workspace {
    kit::DeviceBuffer<scan::Word> words{64}, ticket{1};
    Workspace() {
        words.clear();
        ticket.clear();
    }
    scan::PassWorkspace get() { return {words.data(), ticket.data()}; }
};

std::vector<int> small_ints(kit::Random& random, int n) {
    std::vector<int> values(n);
    for (int& value : values) value = static_cast<int>(random.integer(-9, 9));
    return values;
}

void scan_by_v10(kit::Case& test, int n, int shift) {
    const std::vector<int> values = small_ints(test.random(), n + shift);
    std::vector<int> want(n);
    std::exclusive_scan(values.begin() + shift, values.end(), want.begin(), 0);
    Workspace workspace;
    auto in = test.input("in", values);
    for (int call = 0; call < 3; ++call) {  // a call must not use words of the previous call
        auto out = test.output<int>("out", n);
        test.call([&] { scan_demo::prefetched(in.data() + shift, n, out.data(), workspace.get()); });
        test.expect(out, want);
    }
}

void compact_by_v9(kit::Case& test, int n) {
    const std::vector<int> values = small_ints(test.random(), n);
    std::vector<int> want;
    for (int value : values) {
        if (value > 0) want.push_back(value);
    }
    const int kept = static_cast<int>(want.size());
    Workspace workspace;
    auto in = test.input("in", values);
    auto out = test.output<int>("out", kept);
    auto count = test.output<int>("count", 1);
    test.call([&] { scan_demo::compact_once(in.data(), n, out.data(), count.data(), workspace.get()); });
    test.expect(count, std::vector<int>{kept});
    test.expect(out, want);
}

std::vector<float> weights(kit::Random& random, int count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(2 * random.unit() - 1);
    return values;
}

/// Computes the convolution from its definition, in double. `mask` is the whole mask.
std::vector<float> convolved(const std::vector<float>& in, int rows, int columns,
                             const std::vector<float>& mask, int width) {
    std::vector<float> out(in.size());
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            double sum = 0;
            for (int p = 0; p < width; ++p) {
                for (int q = 0; q < width; ++q) {
                    const int row = y + p - width / 2, column = x + q - width / 2;
                    if (row >= 0 && row < rows && column >= 0 && column < columns)
                        sum += static_cast<double>(mask[p * width + q]) * in[row * columns + column];
                }
            }
            out[y * columns + x] = static_cast<float>(sum);
        }
    }
    return out;
}

void convolve(kit::Case& test, int rows, int columns, int width, bool product) {
    const std::vector<float> image = weights(test.random(), rows * columns);
    const std::vector<float> down = weights(test.random(), width), across = weights(test.random(), width);
    std::vector<float> mask;
    for (float d : down) {
        for (float a : across) mask.push_back(d * a);
    }
    auto in = test.input("in", image);
    auto out = test.output<float>("out", image.size());
    test.call([&] {
        if (product)
            lean::conv2d_separable(in.data(), rows, columns, down.data(), across.data(), width, out.data());
        else
            lean::conv2d(in.data(), rows, columns, mask.data(), width, out.data());
    });
    test.expect(out, convolved(image, rows, columns, mask, width), kit::Tolerance{1e-4, 1e-5});
}

void sum_by_one_word(kit::Case& test, int blocks) {
    const std::vector<float> values = weights(test.random(), blocks * reduction_demo::kPart);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    kit::DeviceBuffer<unsigned long long> words(blocks);
    kit::DeviceBuffer<unsigned int> ticket(1);
    words.clear();
    ticket.clear();
    auto in = test.input("in", values);
    for (int call = 0; call < 2; ++call) {  // the second call starts with the state that the first one has
                                            // left
        auto out = test.output<float>("out", 1);
        test.call([&] {
            reduction_demo::one_word<<<blocks, reduction_demo::kThreads>>>(in.data(), out.data(),
                                                                           words.data(), ticket.data());
        });
        test.expect(out, std::vector<float>{static_cast<float>(sum)},
                    kit::tolerance_sum<float>(values.size(), values.size()));
    }
}

using Transpose = void (*)(const float* in, int rows, int columns, float* out);

void transpose(kit::Case& test, Transpose function, int rows, int columns) {
    const auto values = kit::permutation<float>(test.random(), static_cast<std::size_t>(rows) * columns);
    std::vector<float> want(values.size());
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            want[column * rows + row] = values[row * columns + column];
    auto in = test.input("in", values);
    auto out = test.output<float>("out", values.size());
    test.call([&] { function(in.data(), rows, columns, out.data()); });
    test.expect(out, want);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("kit", "lecture_kernels", argc, argv);
    constexpr int tile = scan_demo::kAheadTile;
    for (int n : {1, 3, 127, tile - 1, tile, tile + 1, 40 * tile + 5}) {
        grader.add("scan v10, n=" + std::to_string(n), [n](kit::Case& test) { scan_by_v10(test, n, 0); });
    }
    grader.add("scan v10, not aligned", [](kit::Case& test) { scan_by_v10(test, 2 * tile, 1); });
    constexpr int kept = scan_demo::kOnceTile;
    for (int n : {1, kept - 1, kept, 3 * kept + 7}) {
        grader.add("compact v9, n=" + std::to_string(n), [n](kit::Case& test) { compact_by_v9(test, n); });
    }
    struct Image {
        int rows, columns, width;
    };
    for (const Image& i : {Image{1, 4, 9}, Image{7, 516, 9}, Image{3, 1028, 9}, Image{45, 512, 5},
                           Image{33, 132, 15}, Image{70, 260, 15}, Image{31, 128, 11}}) {
        grader.add("convolution v10, " + std::to_string(i.rows) + " x " + std::to_string(i.columns) +
                       ", width " + std::to_string(i.width),
                   [i](kit::Case& test) { convolve(test, i.rows, i.columns, i.width, false); });
    }
    for (const Image& i :
         {Image{1, 4, 31}, Image{40, 256, 31}, Image{21, 260, 17}, Image{3, 520, 31}, Image{75, 40, 31}}) {
        grader.add("convolution v11, " + std::to_string(i.rows) + " x " + std::to_string(i.columns) +
                       ", width " + std::to_string(i.width),
                   [i](kit::Case& test) { convolve(test, i.rows, i.columns, i.width, true); });
    }
    for (int blocks : {1, 2, 33})
        grader.add("one word, blocks=" + std::to_string(blocks),
                   [blocks](kit::Case& test) { sum_by_one_word(test, blocks); });
    struct Matrix {
        int rows, columns;
    };
    const auto add_transpose = [&](const std::string& version, Transpose function, const Matrix& m) {
        grader.add("transpose " + version + ", " + std::to_string(m.rows) + " x " + std::to_string(m.columns),
                   [=](kit::Case& test) { transpose(test, function, m.rows, m.columns); });
    };
    for (const Matrix& m :
         {Matrix{1, 1}, Matrix{5, 3}, Matrix{1, 150}, Matrix{150, 1}, Matrix{64, 64}, Matrix{65, 63},
          Matrix{71, 64}, Matrix{72, 65}, Matrix{73, 130}, Matrix{203, 131}, Matrix{264, 128}}) {
        add_transpose("v3 across", shared_memory_demo::across, m);
        add_transpose("v6", shared_memory_demo::aligned, m);
    }
    for (const Matrix& m : {Matrix{4, 4}, Matrix{4, 200}, Matrix{64, 64}, Matrix{60, 68}, Matrix{132, 200}})
        add_transpose("v7", shared_memory_demo::wide, m);
    return grader.run();
}
