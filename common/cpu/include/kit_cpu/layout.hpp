// The layout of memory: the elements of an array, and the members of a struct. With the layout, reports name
// `tile[3][0]` and `pair[2].y`.
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
    LayoutOf layout;  ///< layout of the member; null if unknown
};

struct Layout {
    std::size_t element = 0;            ///< size of an element in bytes
    std::size_t alignment = 0;          ///< alignment of an element in bytes
    std::vector<std::size_t> extents;   ///< extents of the array; 0 if unknown
    std::vector<StructMember> members;  ///< members of an element that is a struct
};

template <class T>
const Layout& layout_of();

/// Returns the name and position of the data member `&Class::name`. A pointer to a member function gives no
/// name.
template <class Class, class T, class = std::enable_if_t<std::is_object_v<T>>>
StructMember member(const char* name, T Class::*where) {
    constexpr std::size_t somewhere = 4096;  // any address is possible, because it is used only for
                                             // arithmetic
    const Class* const object = reinterpret_cast<const Class*>(somewhere);
    return {name, reinterpret_cast<std::size_t>(std::addressof(object->*where)) - somewhere, &layout_of<T>};
}
template <class Other>
StructMember member(const char*, const Other&) {
    return {nullptr, 0, nullptr};
}

/// Adds the members x, y, z, w that a type has, as CUDA's vector types do.
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

/// Returns the members of a struct, which its function kit_members() lists. The translator adds this function
/// to each struct.
template <class T>
auto members_of(int) -> decltype(T::kit_members()) {
    return T::kit_members();
}
/// Returns the members of a struct that is not translated, which a function kit_members_of(const Struct*) in
/// its namespace lists.
template <class T>
auto members_of(int) -> decltype(kit_members_of(static_cast<const T*>(nullptr))) {
    return kit_members_of(static_cast<const T*>(nullptr));
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
    using Known = std::conditional_t<std::is_void_v<T>, char, T>;  // void* is treated as a pointer to bytes
    using Element = std::remove_cv_t<std::remove_all_extents_t<Known>>;
    static const Layout layout = {sizeof(Element), alignof(Element),
                                  extents_of<T>(std::make_index_sequence<std::rank_v<T>>()),
                                  members_of<Element>(0)};
    return layout;
}

/// Returns the layout of the elements to which a T* points; null if T does not determine it.
template <class T, class = std::enable_if_t<std::is_object_v<T>>, std::size_t = sizeof(T)>
constexpr LayoutOf layout_behind(int) {
    return &layout_of<T>;
}
template <class T>
constexpr LayoutOf layout_behind(long) {
    return nullptr;
}

/// Records the layout of the variable at this address, or of the object with this address as a key. Returns
/// true.
bool note_layout(const void* begin, LayoutOf layout);

/// Records the layout of memory whose address a function such as cudaMalloc has just stored in `*allocated`.
void note_elements(void* const* allocated, LayoutOf layout);

}  // namespace kit::cpu
