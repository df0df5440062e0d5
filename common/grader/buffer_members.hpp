// The members of Buffer: memory of the device or the host, with guard zones and poison.
#pragma once

#include <cstdlib>
#include <grader/buffer.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit::detail {

/// Gives the executor the name and the bounds of a device array. Reports then name the array, and kernels
/// must not access its guard zones.
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

KIT_GRADER_FUNCTION facts::Failure Buffer::damaged(facts::Fault fault, Diagnosis diagnosis) const {
    facts::Failure failure;
    failure.fault = fault;
    failure.diagnosis = diagnosis;
    failure.difference.what = name_;
    return failure;
}

KIT_GRADER_FUNCTION std::optional<facts::Failure> Buffer::damage() const {
    const std::size_t after = changed(guard_bytes + content_.size()), before = after ? 0 : changed(0);
    if (after || before) {
        facts::Failure failure = damaged(after ? facts::Fault::written_after : facts::Fault::written_before,
                                         Diagnosis::out_of_bounds);
        failure.difference.wrong = after + before;
        return failure;
    }
    if (role_ != Role::input) return std::nullopt;
    const std::vector<char> now = read();
    const auto differs = std::mismatch(now.begin(), now.end(), content_.begin());
    if (differs.first == now.end()) return std::nullopt;
    facts::Failure failure = damaged(facts::Fault::input_modified, Diagnosis::input_modified);
    failure.difference.first = static_cast<std::size_t>(differs.first - now.begin()) / poison_.size();
    return failure;
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
        // cudaMemcpy can return when the bytes are in a staging buffer. A kernel in a stream that does not
        // wait for the default stream could run before they arrive, and the copy would overwrite its results.
        if (error == cudaSuccess) error = cudaStreamSynchronize(nullptr);
#endif
        if (error_ == cudaSuccess) error_ = error;
    }
}

}  // namespace kit::detail
