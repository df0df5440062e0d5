// The mark to beat in two dimensions: the filters of NPP, NVIDIA's library for images, where there is one. Building needs
// at most its header, which a toolkit has or has not; the library itself is loaded when the demo runs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "kit.cuh"
#if __has_include(<nppi_filtering_functions.h>)
#include <dlfcn.h>
#include <nppi_filtering_functions.h>
#define DEMO_HAS_NPP 1
#endif

namespace {

#ifdef DEMO_HAS_NPP
class Npp {
  public:
    Npp() {
        const std::string major = std::to_string(CUDART_VERSION / 1000);
        const char* toolkit = std::getenv("CUDA_PATH");
        for (const std::string& folder :
             {std::string(), std::string(toolkit != nullptr ? toolkit : "/usr/local/cuda") + "/lib64/"}) {
            dlopen((folder + "libnppc.so." + major).c_str(),
                   RTLD_NOW | RTLD_GLOBAL);  // the other library needs it
            void* library = dlopen((folder + "libnppif.so." + major).c_str(), RTLD_NOW);
            if (library == nullptr) continue;
            find(library, "nppiFilter_32f_C1R_Ctx", filter_);
            find(library, "nppiFilterRow_32f_C1R_Ctx", filter_row_);
            find(library, "nppiFilterColumn_32f_C1R_Ctx", filter_column_);
            break;
        }
        const auto ask = [](int& value, cudaDeviceAttr attribute) {
            CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        };
        int shared = 0;
        ask(context_.nMultiProcessorCount, cudaDevAttrMultiProcessorCount);
        ask(context_.nMaxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
        ask(context_.nMaxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
        ask(context_.nCudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMajor);
        ask(context_.nCudaDevAttrComputeCapabilityMinor, cudaDevAttrComputeCapabilityMinor);
        ask(shared, cudaDevAttrMaxSharedMemoryPerBlock);
        context_.nSharedMemPerBlock = static_cast<std::size_t>(shared);
    }

    bool found() const { return filter_ != nullptr && filter_row_ != nullptr && filter_column_ != nullptr; }

    /// The mask that the next calls use. NPP wants the last weight first.
    void use(const std::vector<float>& mask, const std::vector<float>& down,
             const std::vector<float>& across) {
        width_ = static_cast<int>(across.size());
        const auto reversed = [](std::vector<float> values) {
            std::reverse(values.begin(), values.end());
            return kit::DeviceBuffer<float>(values);
        };
        mask_ = reversed(mask), down_ = reversed(down), across_ = reversed(across);
    }

    /// NPP knows no ghosts, so it gets an image with zeros around it; laying it out is not timed: prepare() does it once.
    void filter(const float* in, int side, float* out) {
        prepare(in, side);
        const int anchor = width_ / 2, m = margin();
        status_ =
            filter_(at(-m, -m), bytes(pitch()), result(out), bytes(side + 2 * m),
                    {side + 2 * m, side + 2 * m}, mask_.data(), {width_, width_}, {anchor, anchor}, context_);
    }

    /// All rows, with width - 1 more that the columns need, then all columns.
    void filter_separable(const float* in, int side, float* out) {
        prepare(in, side);
        const int anchor = width_ / 2, m = margin(), wide = side + 2 * m, tall = wide + width_ - 1;
        const std::size_t needed = static_cast<std::size_t>(tall) * wide;
        if (between_.size() < needed) between_ = kit::DeviceBuffer<float>(needed);
        status_ = filter_row_(at(-m - anchor, -m), bytes(pitch()), between_.data(), bytes(wide), {wide, tall},
                              across_.data(), width_, anchor, context_);
        if (status_ != NPP_SUCCESS) return;
        status_ =
            filter_column_(between_.data() + static_cast<std::size_t>(anchor) * wide, bytes(wide),
                           result(out), bytes(wide), {wide, wide}, down_.data(), width_, anchor, context_);
    }

    /// Returns whether NPP accepted the last call. Copies its outputs to the array that the other versions write.
    bool take(float* out) {
        if (status_ != NPP_SUCCESS) return false;
        const int m = margin(), wide = side_ + 2 * m;
        if (m == 0) return true;
        const float* from = larger_.data() + static_cast<std::size_t>(m) * wide + m;
        CUDA_CHECK(cudaMemcpy2D(out, bytes(side_), from, bytes(wide), bytes(side_), side_,
                                cudaMemcpyDeviceToDevice));
        CUDA_CHECK(cudaMemset(larger_.data(), 0xff, larger_.bytes()));
        return true;
    }

  private:
    static constexpr int kBorder =
        32;  ///< width of the border of zeros: a margin and half of a mask, in whole 128 bytes

    /// With narrow masks NPP repeats the edge of what it computes instead of reading on. So it computes more than the
    /// image, and that edge lies in the zeros: at 16384 x 16384 these are 0.4% more outputs.
    int margin() const { return width_ < 9 ? 16 : 0; }

    template <class Function>
    static void find(void* library, const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(library, name));
    }
    static int bytes(int elements) { return elements * static_cast<int>(sizeof(float)); }
    int pitch() const { return side_ + 2 * kBorder; }
    const float* at(int y, int x) const {
        return padded_.data() + static_cast<std::size_t>(kBorder + y) * pitch() + kBorder + x;
    }
    float* result(float* out) { return margin() == 0 ? out : larger_.data(); }

    /// Once for each size and margin: in the calls that warm up.
    void prepare(const float* in, int side) {
        const std::size_t wide = side + 2 * margin();
        if (margin() > 0 && larger_.size() != wide * wide) {
            larger_ = kit::DeviceBuffer<float>();  // free the old one first
            larger_ = kit::DeviceBuffer<float>(wide * wide);
            CUDA_CHECK(cudaMemset(larger_.data(), 0xff, larger_.bytes()));
        }
        if (side == side_) return;
        side_ = side;
        const std::size_t needed = static_cast<std::size_t>(pitch()) * pitch();
        if (padded_.size() < needed) {
            padded_ = kit::DeviceBuffer<float>();
            padded_ = kit::DeviceBuffer<float>(needed);
        }
        padded_.clear();
        CUDA_CHECK(cudaMemcpy2D(const_cast<float*>(at(0, 0)), bytes(pitch()), in, bytes(side), bytes(side),
                                side, cudaMemcpyDeviceToDevice));
    }

    decltype(&nppiFilter_32f_C1R_Ctx) filter_ = nullptr;
    decltype(&nppiFilterRow_32f_C1R_Ctx) filter_row_ = nullptr;
    decltype(&nppiFilterColumn_32f_C1R_Ctx) filter_column_ = nullptr;
    NppStreamContext context_ = {};
    NppStatus status_ = NPP_SUCCESS;
    int width_ = 0, side_ = 0;
    kit::DeviceBuffer<float> mask_, down_, across_, padded_, between_, larger_;
};
#else
class Npp {
  public:
    static bool found() { return false; }
    static bool take(float*) { return false; }
    static void use(const std::vector<float>&, const std::vector<float>&, const std::vector<float>&) {}
    static void filter(const float*, int, float*) {}
    static void filter_separable(const float*, int, float*) {}
};
#endif

}  // namespace
