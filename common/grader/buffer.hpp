// The arrays that the student's function gets: between guard zones, poisoned or filled, checked afterwards.
#pragma once

#include <cuda_runtime.h>

#include <cstdlib>
#include <grader/diagnose.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit::detail {

enum class Space { device, host };
enum class Role { input, output, inout };

/// Wider than what a block that forgets its guard can write past the end; a multiple of any alignment CUDA
/// needs.
constexpr std::size_t guard_bytes = 8192;

/// Tells the executor about a device array: reports then say `in`, and kernels may not touch guard zones.
inline void announce(const char* begin, std::size_t bytes, const std::string& name, bool unwritten) {
#ifdef KIT_CPU
    cpu::name_buffer(begin, bytes, name.c_str());
    if (unwritten) cpu::mark_uninitialised(begin, bytes);
#else
    (void)begin, (void)bytes, (void)name, (void)unwritten;
#endif
}

inline void withdraw(const char* begin) {
#ifdef KIT_CPU
    cpu::forget_buffer(begin);
#else
    (void)begin;
#endif
}

/// One allocation: guard zone, payload, guard zone. Reading a guard zone gives poison, which is NaN for
/// floats.
class Buffer {
  public:
    Buffer(std::string name, Space space, Role role, std::vector<char> content,
           std::vector<char> element_poison)
        : name_(std::move(name)),
          space_(space),
          role_(role),
          content_(std::move(content)),
          poison_(std::move(element_poison)) {
        if (space_ == Space::host) {
            base_ = static_cast<char*>(std::aligned_alloc(256, (total() + 255) / 256 * 256));
        } else {
            void* memory = nullptr;
            error_ = cudaMalloc(&memory, total());
            base_ = static_cast<char*>(memory);
        }
        reset();
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (space_ == Space::host) {
            std::free(base_);
        } else {
            withdraw(payload());
            cudaFree(base_);
        }
    }

    const std::string& name() const { return name_; }
    char* payload() const { return base_ + guard_bytes; }
    cudaError_t error() const { return error_; }

    /// Guard zones and content as they were before the first call.
    void reset() {
        std::vector<char> image(total());
        for (std::size_t i = 0; i < image.size(); ++i) image[i] = poison_at(i);
        std::copy(content_.begin(), content_.end(), image.begin() + guard_bytes);
        write(image);
        if (space_ == Space::device) announce(payload(), content_.size(), name_, role_ == Role::output);
    }

    /// The payload as it is now.
    std::vector<char> read() const { return read(guard_bytes, content_.size()); }

    struct Problem {
        Diagnosis diagnosis;
        std::string sentence;
    };

    /// Were the guard zones written, was an input changed?
    std::optional<Problem> damage() const {
        const std::size_t after = changed(guard_bytes + content_.size());
        if (after > 0) return out_of_bounds(after, "after the end");
        const std::size_t before = changed(0);
        if (before > 0) return out_of_bounds(before, "before the beginning");
        if (role_ != Role::input) return std::nullopt;
        const std::vector<char> now = read();
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now[i] == content_[i]) continue;
            return Problem{Diagnosis::input_modified, "the input `" + name_ + "` was modified: first at [" +
                                                          std::to_string(i / poison_.size()) + "]"};
        }
        return std::nullopt;
    }

  private:
    std::size_t total() const { return content_.size() + 2 * guard_bytes; }
    /// The pattern starts anew at the payload, which guard_bytes keeps aligned for elements of 1, 2, 4, ...
    /// bytes.
    char poison_at(std::size_t i) const { return poison_[i % poison_.size()]; }

    Problem out_of_bounds(std::size_t bytes, const char* side) const {
        return {Diagnosis::out_of_bounds,
                "out of bounds: wrote " + count_of(bytes, "byte") + " " + side + " of `" + name_ + "`"};
    }

    /// Bytes of the guard zone at this offset that no longer hold the pattern.
    std::size_t changed(std::size_t offset) const {
        const std::vector<char> zone = read(offset, guard_bytes);
        std::size_t count = 0;
        for (std::size_t i = 0; i < zone.size(); ++i) count += zone[i] != poison_at(offset + i);
        return count;
    }

    std::vector<char> read(std::size_t offset, std::size_t count) const {
        std::vector<char> bytes(count);
        if (base_ == nullptr || count == 0) return bytes;
        if (space_ == Space::host) {
            std::copy_n(base_ + offset, count, bytes.begin());
        } else {
            const cudaError_t error = cudaMemcpy(bytes.data(), base_ + offset, count, cudaMemcpyDeviceToHost);
            if (error_ == cudaSuccess) error_ = error;
        }
        return bytes;
    }

    void write(const std::vector<char>& image) {
        if (base_ == nullptr) return;
        if (space_ == Space::host) {
            std::copy(image.begin(), image.end(), base_);
        } else {
            const cudaError_t error = cudaMemcpy(base_, image.data(), image.size(), cudaMemcpyHostToDevice);
            if (error_ == cudaSuccess) error_ = error;
        }
    }

    std::string name_;
    Space space_;
    Role role_;
    std::vector<char> content_;  ///< the payload before the call
    std::vector<char> poison_;   ///< one element
    char* base_ = nullptr;
    mutable cudaError_t error_ = cudaSuccess;
};

template <class T>
std::vector<char> bytes_of(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "copied byte by byte");
    const char* first = reinterpret_cast<const char*>(values);
    return std::vector<char>(first, first + count * sizeof(T));
}

}  // namespace kit::detail

namespace kit {

/// An array that the student's function reads: `data()` is what it gets, in device or host memory.
template <class T>
class Input {
  public:
    explicit Input(std::shared_ptr<detail::Buffer> buffer, std::size_t size)
        : buffer_(std::move(buffer)), size_(size) {}
    const T* data() const { return reinterpret_cast<const T*>(buffer_->payload()); }
    std::size_t size() const { return size_; }

  private:
    std::shared_ptr<detail::Buffer> buffer_;
    std::size_t size_;
};

/// An array that it writes. `values()` copies what stands there now to the host.
template <class T>
class Output {
  public:
    explicit Output(std::shared_ptr<detail::Buffer> buffer, std::size_t size)
        : buffer_(std::move(buffer)), size_(size) {}
    T* data() const { return reinterpret_cast<T*>(buffer_->payload()); }
    std::size_t size() const { return size_; }
    const std::string& name() const { return buffer_->name(); }
    cudaError_t error() const { return buffer_->error(); }

    std::vector<T> values() const {
        const std::vector<char> bytes = buffer_->read();
        std::vector<T> values(size_);
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
        return values;
    }

    /// Poison (or the first content, for inout) again, before another call in the same case.
    void reset() const { buffer_->reset(); }

  private:
    std::shared_ptr<detail::Buffer> buffer_;
    std::size_t size_;
};

}  // namespace kit
