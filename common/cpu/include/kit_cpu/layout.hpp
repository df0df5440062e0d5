// What a piece of memory is made of: the elements of an array, the members of a struct. Reports then say `tile[3][0]` and
// `pair[2].y`.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace kit::cpu {

struct Layout;
using LayoutOf = const Layout& (*)();

struct StructMember {
    const char* name;
    std::size_t offset;
    LayoutOf layout;  ///< null: unknown
};

struct Layout {
    std::size_t element = 0;            ///< bytes of one
    std::size_t alignment = 0;          ///< of one
    std::vector<std::size_t> extents;   ///< of the array; an unknown one is 0
    std::vector<StructMember> members;  ///< of an element
};

template <class T>
const Layout& layout_of();

/// Of `&Class::name`. What is no such pointer is no member of an object.
template <class Class, class T, class = std::enable_if_t<std::is_object_v<T>>>
StructMember member(const char* name, T Class::*where) {
    constexpr std::size_t somewhere = 4096;  // for the arithmetic only
    const Class* const object = reinterpret_cast<const Class*>(somewhere);
    return {name, reinterpret_cast<std::size_t>(std::addressof(object->*where)) - somewhere, &layout_of<T>};
}
template <class Other>
StructMember member(const char*, const Other&) {
    return {nullptr, 0, nullptr};
}

/// Adds x, y, z, w where a type has them: CUDA's own vectors.
#define KIT_CPU_ADD_MEMBER(name)                                                         \
    template <class T>                                                                   \
    auto add_##name(std::vector<StructMember>& members, int)->decltype((void)&T::name) { \
        members.push_back(member(#name, &T::name));                                      \
    }                                                                                    \
    template <class T>                                                                   \
    void add_##name(std::vector<StructMember>&, long) {}
KIT_CPU_ADD_MEMBER(x)
KIT_CPU_ADD_MEMBER(y)
KIT_CPU_ADD_MEMBER(z)
KIT_CPU_ADD_MEMBER(w)
#undef KIT_CPU_ADD_MEMBER

/// The translator writes a function that lists them at the end of each struct.
template <class T>
auto members_of(int) -> decltype(T::kit_members()) {
    return T::kit_members();
}
template <class T>
std::vector<StructMember> members_of(long) {
    std::vector<StructMember> members;
    add_x<T>(members, 0);
    add_y<T>(members, 0);
    add_z<T>(members, 0);
    add_w<T>(members, 0);
    return members;
}

template <class T, std::size_t... Dimension>
std::vector<std::size_t> extents_of(std::index_sequence<Dimension...>) {
    return {std::extent_v<T, Dimension>...};
}

template <class T>
const Layout& layout_of() {
    using Known = std::conditional_t<std::is_void_v<T>, char, T>;  // what void* points to is bytes
    using Element = std::remove_cv_t<std::remove_all_extents_t<Known>>;
    static const Layout layout = {sizeof(Element), alignof(Element),
                                  extents_of<T>(std::make_index_sequence<std::rank_v<T>>()),
                                  members_of<Element>(0)};
    return layout;
}

/// For what T* points to; null where T says nothing.
template <class T, class = std::enable_if_t<std::is_object_v<T>>, std::size_t = sizeof(T)>
constexpr LayoutOf layout_behind(int) {
    return &layout_of<T>;
}
template <class T>
constexpr LayoutOf layout_behind(long) {
    return nullptr;
}

/// Notes it for the variable that begins there, or for what is known by this key. Always true.
bool note_layout(const void* begin, LayoutOf layout);

/// The same for memory that a function like cudaMalloc has just put there.
void note_elements(void* const* allocated, LayoutOf layout);

}  // namespace kit::cpu
