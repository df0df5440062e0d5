// cooperative_groups::memcpy_async() for the CPU executor. Each thread copies its share at once, and wait() is the
// group's barrier: who reads without it, reads what other threads write.
#pragma once

#include <cooperative_groups.h>
#include <stddef.h>
#include <stdint.h>

namespace cooperative_groups {
namespace kit_details {

template <class Word, class Group>
void copy_share(const Group& group, void* to, const void* from, size_t bytes) {
    typedef Word __attribute__((may_alias)) Element;
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.num_threads())
        static_cast<Element*>(to)[i] = static_cast<const Element*>(from)[i];
}

template <class Group>
void copy_share(const Group& group, void* to, const void* from, size_t bytes) {
    const uintptr_t together = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
    if (together % 8 == 0) return copy_share<unsigned long long>(group, to, from, bytes);
    if (together % 4 == 0) return copy_share<unsigned>(group, to, from, bytes);
    copy_share<unsigned char>(group, to, from, bytes);
}

}  // namespace kit_details

/// Copies `bytes` bytes (not elements).
template <class Group, class Element, class Size>
void memcpy_async(const Group& group, Element* to, const Element* from, const Size& bytes) {
    kit_details::copy_share(group, to, from, static_cast<size_t>(bytes));
}

/// Copies the smaller of the two numbers of elements (not bytes).
template <class Group, class Element, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, Element* to, const ToLayout& to_count, const Element* from,
                  const FromLayout& from_count) {
    const size_t to_elements = to_count, from_elements = from_count;
    kit_details::copy_share(group, to, from,
                            (to_elements < from_elements ? to_elements : from_elements) * sizeof(Element));
}

/// Waits for all copies of the group.
template <class Group>
void wait(const Group& group, Place place = KIT_CPU_HERE) {
    group.sync(place);
}

/// Waits for all but the last Stage copies; here for all.
template <unsigned Stage, class Group>
void wait_prior(const Group& group, Place place = KIT_CPU_HERE) {
    group.sync(place);
}

}  // namespace cooperative_groups
