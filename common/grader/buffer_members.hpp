// The members of Buffer: memory of the device or the host, its guard zones, its poison.
#pragma once

#include <cstdlib>
#include <grader/buffer.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit::detail {

/// Tells the executor about a device array: reports then say `in`, and kernels may not touch guard zones.
inline void announce(const char* begin, std::size_t bytes, const std::string& name, Elements elements,
                     bool unwritten) {
#ifdef KIT_CPU
    cpu::name_buffer(begin, bytes, name.c_str(), elements);
    if (unwritten) cpu::mark_uninitialised(begin, bytes);
#else
    (void)begin, (void)bytes, (void)name, (void)elements, (void)unwritten;
#endif
}

inline void withdraw(const char* begin) {
#ifdef KIT_CPU
    cpu::forget_buffer(begin);
#else
    (void)begin;
#endif
}

KIT_GRADER_FUNCTION Buffer::Buffer(std::string name, Space space, Role role, std::vector<char> content,
                                   std::vector<char> element_poison, Elements elements)
    : name_(std::move(name)),
      space_(space),
      role_(role),
      content_(std::move(content)),
      poison_(std::move(element_poison)),
      elements_(elements) {
    if (space_ == Space::host) {
        base_ = static_cast<char*>(std::aligned_alloc(256, (total() + 255) / 256 * 256));
    } else {
        void* memory = nullptr;
        error_ = cudaMalloc(&memory, total());
        base_ = static_cast<char*>(memory);
    }
    reset();
}
KIT_GRADER_FUNCTION Buffer::~Buffer() {
    if (space_ == Space::host) {
        std::free(base_);
    } else {
        withdraw(payload());
        cudaFree(base_);
    }
}

KIT_GRADER_FUNCTION void Buffer::reset() {
    std::vector<char> image(total());
    fill_pattern(image.data(), 0, guard_bytes);
    std::copy(content_.begin(), content_.end(), image.begin() + guard_bytes);
    fill_pattern(image.data() + guard_bytes + content_.size(), guard_bytes + content_.size(), guard_bytes);
    write(image);
    if (space_ == Space::device)
        announce(payload(), content_.size(), name_, elements_, role_ == Role::output);
}

KIT_GRADER_FUNCTION std::optional<Buffer::Problem> Buffer::damage() const {
    const std::size_t after = changed(guard_bytes + content_.size());
    if (after > 0) return out_of_bounds(after, "after the end");
    const std::size_t before = changed(0);
    if (before > 0) return out_of_bounds(before, "before the beginning");
    if (role_ != Role::input) return std::nullopt;
    const std::vector<char> now = read();
    if (now == content_) return std::nullopt;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == content_[i]) continue;
        return Problem{Diagnosis::input_modified, "the input `" + name_ + "` was modified: first at [" +
                                                      std::to_string(i / poison_.size()) + "]"};
    }
    return std::nullopt;
}

KIT_GRADER_FUNCTION Buffer::Problem Buffer::out_of_bounds(std::size_t bytes, const char* side) const {
    return {Diagnosis::out_of_bounds,
            "out of bounds: wrote " + count_of(bytes, "byte") + " " + side + " of `" + name_ + "`"};
}

KIT_GRADER_FUNCTION std::size_t Buffer::changed(std::size_t offset) const {
    const std::vector<char> zone = read(offset, guard_bytes);
    std::vector<char> untouched(guard_bytes);
    fill_pattern(untouched.data(), offset, guard_bytes);
    if (zone == untouched) return 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < zone.size(); ++i) count += zone[i] != untouched[i];
    return count;
}

KIT_GRADER_FUNCTION std::vector<char> Buffer::read(std::size_t offset, std::size_t count) const {
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

KIT_GRADER_FUNCTION void Buffer::write(const std::vector<char>& image) {
    if (base_ == nullptr) return;
    if (space_ == Space::host) {
        std::copy(image.begin(), image.end(), base_);
    } else {
        cudaError_t error = cudaMemcpy(base_, image.data(), image.size(), cudaMemcpyHostToDevice);
#ifndef KIT_CPU
        // It returns when the bytes lie in a staging buffer: a kernel in a stream that does not wait for the default one could
        // run before they arrive, and its results would be overwritten.
        if (error == cudaSuccess) error = cudaStreamSynchronize(nullptr);
#endif
        if (error_ == cudaSuccess) error_ = error;
    }
}

}  // namespace kit::detail
