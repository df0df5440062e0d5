// The arrays that the student's function receives. The arrays are between guard zones, start with poison or
// with values, and are checked after each call.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <grader/diagnose.hpp>
#include <grader/wall.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#ifdef KIT_CPU
#include <kit_cpu/layout.hpp>
#endif

namespace kit::detail {

/// The layout of an array's elements, with which the executor's reports can name `in[17]` and `pairs[2].y`.
#ifdef KIT_CPU
using Elements = cpu::LayoutOf;
template <class T>
constexpr Elements elements_of = &cpu::layout_of<T>;
#else
using Elements = std::nullptr_t;
template <class T>
constexpr Elements elements_of = nullptr;
#endif

enum class Space { device, host };
enum class Role { input, output, inout };

/// Size of a guard zone in bytes. This size is larger than the distance that a block without a bounds check
/// can write past the end, and a multiple of every alignment that CUDA needs.
constexpr std::size_t guard_bytes = 8192;

/// One allocation: a guard zone, the payload, and a guard zone. A kernel that reads a guard zone gets poison,
/// which is NaN for floats. The guard zones of outputs and inputs differ by one bit, to detect a copy past
/// the end of an input into the guard zone of an output.
class Buffer {
  public:
    Buffer(std::string name, Space space, Role role, std::vector<char> content,
           std::vector<char> element_poison, Elements elements);
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    const std::string& name() const { return name_; }
    char* payload() const { return base_ + guard_bytes; }
    cudaError_t error() const { return error_; }

    /// Restores the guard zones, and the contents that the payload had before the first call.
    void reset();

    /// Returns the current bytes of the payload.
    std::vector<char> read() const { return read(guard_bytes, content_.size()); }

    /// Returns a failure if a guard zone was overwritten or an input was changed.
    std::optional<facts::Failure> damage() const;

  private:
    std::size_t total() const { return content_.size() + 2 * guard_bytes; }
    /// Writes the pattern of guard zones, from offset `first`. The pattern repeats the poison of an element.
    /// guard_bytes is a multiple of all element sizes that are powers of two, so the pattern is aligned like
    /// the payload.
    void fill_pattern(char* to, std::size_t first, std::size_t count) const {
        const std::size_t period = poison_.size();
        for (std::size_t i = 0; i < std::min(count, period); ++i) {
            const std::size_t within = (first + i) % period;
            to[i] = static_cast<char>(poison_[within] ^ (role_ == Role::output && within == 0 ? 1 : 0));
        }
        for (std::size_t i = period; i < count;) {  // each pass doubles the filled part
            const std::size_t more = std::min(i, count - i);
            std::copy_n(to, more, to + i);
            i += more;
        }
    }
    facts::Failure damaged(facts::Fault fault, Diagnosis diagnosis) const;
    /// Returns how many bytes of the guard zone at this offset differ from the pattern.
    std::size_t changed(std::size_t offset) const;
    std::vector<char> read(std::size_t offset, std::size_t count) const;
    void write(const std::vector<char>& image);

    std::string name_;
    Space space_;
    Role role_;
    std::vector<char> content_;  ///< bytes of the payload before the first call
    std::vector<char> poison_;   ///< bytes of one element with poison
    Elements elements_;
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

/// An array that the student's function reads. data() returns its address in device or host memory.
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

/// An array that the student's function writes. values() copies its current contents to the host.
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
        const std::vector<char> bytes = detail::passed(name(), buffer_->read());
        std::vector<T> values(size_);
        std::copy_n(bytes.begin(), std::min(bytes.size(), size_ * sizeof(T)),
                    reinterpret_cast<char*>(values.data()));
        return values;
    }

    /// Restores the poison (for inout, the first contents) before another call in the same case.
    void reset() const { buffer_->reset(); }

  private:
    std::shared_ptr<detail::Buffer> buffer_;
    std::size_t size_;
};

}  // namespace kit
