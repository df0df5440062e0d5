// Writes and reads structures as JSON, both from one list of members. A structure `T` needs this function in
// its namespace:
//
//   template <class Use> void members(T& one, const Use& use) { use("name", one.name), use("line", one.line); }
//
// An enumeration `E` needs `Names names_of(E)`, which returns the names of its values. Members that are
// empty, 0 or false are left out.
#pragma once

#include <facts/outcome.hpp>
#include <json.hpp>
#include <json_value.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace kit::facts {

struct Names {
    const char* const* begin;
    std::size_t count;
};
template <std::size_t Count>
constexpr Names all_of(const char* const (&names)[Count]) {
    return {names, Count};
}

/// Returns whether a structure contains nothing to report, so that it is left out. A structure without such a
/// function is always written.
template <class T>
bool is_empty(const T&) {
    return false;
}
inline bool is_empty(const Line& line) {
    return line.line == 0;
}
inline bool is_empty(const Where& where) {
    return where.line == 0;
}
inline bool is_empty(const Who& who) {
    return who.kind == Who::Kind::nobody && !who.block.known;
}
inline bool is_empty(const Memory& memory) {
    return !is_known(memory);
}

struct Writer {
    Json& json;

    /// Writes a member unless it is empty.
    template <class T>
    void operator()(const char* name, T& one) const {
        if (!nothing_in(one)) value(json.key(name), one);
    }
    template <class T>
    void object(T& one) const {
        json.open('{');
        members(one, *this);
        json.close('}');
    }

  private:
    template <class T>
    static bool nothing_in(const T& one) {
        if constexpr (std::is_same_v<T, Rule> || std::is_same_v<T, Diagnosis>) {
            return false;  // the first value of an enumeration is a fact, too
        } else if constexpr (std::is_enum_v<T> || std::is_arithmetic_v<T>) {
            return one == T{};
        } else {
            return is_empty(one);
        }
    }
    static bool nothing_in(const std::string& text) { return text.empty(); }
    static bool nothing_in(const Index& index) { return !index.known; }
    template <class T>
    static bool nothing_in(const std::vector<T>& list) {
        return list.empty();
    }
    template <class T>
    static bool nothing_in(const std::optional<T>& one) {
        return !one;
    }

    template <class T>
    void value(Json& to, T& one) const {
        if constexpr (std::is_same_v<T, Rule>) {
            to.value(name_of(one));
        } else if constexpr (std::is_enum_v<T>) {
            to.value(names_of(one).begin[static_cast<std::size_t>(one)]);
        } else if constexpr (std::is_arithmetic_v<T>) {
            to.value(one);
        } else {
            object(one);
        }
    }
    void value(Json& to, std::string& text) const { to.value(text); }
    void value(Json& to, Index& index) const {
        to.value(std::vector<unsigned>(index.at.begin(), index.at.end()));
    }
    template <class T>
    void value(Json& to, std::optional<T>& one) const {
        value(to, *one);
    }
    template <class T>
    void value(Json& to, std::vector<T>& list) const {
        to.open('[');
        for (T& one : list) value(to, one);
        to.close(']');
    }
};

/// Reads the members of an object. A missing member keeps its value. If a member has the wrong type, the
/// whole text counts as unreadable.
struct Reader {
    const JsonValue& object;
    bool& readable;

    template <class T>
    void operator()(const char* name, T& into) const {
        if (const JsonValue* const value = object.find(name)) take(*value, into);
    }

  private:
    bool is(const JsonValue& value, JsonValue::Kind kind) const {
        readable &= value.kind == kind;
        return value.kind == kind;
    }
    void take(const JsonValue& value, std::string& into) const {
        if (is(value, JsonValue::text)) into = value.words;
    }
    void take(const JsonValue& value, Index& into) const {
        if (!is(value, JsonValue::list)) return;
        into.known = value.values.size() == into.at.size();
        for (std::size_t i = 0; into.known && i < into.at.size(); ++i) take(value.values[i], into.at[i]);
    }
    void take(const JsonValue& value, Rule& into) const {
        if (is(value, JsonValue::text)) into = rule_named(value.words);
    }
    template <class T>
    void take(const JsonValue& value, std::optional<T>& into) const {
        take(value, into.emplace());
    }
    template <class T>
    void take(const JsonValue& value, std::vector<T>& into) const {
        if (!is(value, JsonValue::list)) return;
        for (const JsonValue& one : value.values) take(one, into.emplace_back());
    }
    template <class T>
    void take(const JsonValue& value, T& into) const {
        if constexpr (std::is_same_v<T, bool>) {
            if (is(value, JsonValue::boolean)) into = value.amount != 0;
        } else if constexpr (std::is_enum_v<T>) {
            if (is(value, JsonValue::text)) take_name(value.words, into);
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (is(value, JsonValue::number)) take_number(value.amount, into);
        } else if (is(value, JsonValue::object)) {
            members(into, Reader{value, readable});
        }
    }
    template <class T>
    void take_name(const std::string& name, T& into) const {
        const Names names = names_of(into);
        std::size_t i = 0;
        while (i < names.count && name != names.begin[i]) ++i;
        readable &= i < names.count;
        if (i < names.count) into = static_cast<T>(i);
    }
    /// Reads a number. If the number does not fit into its type, the whole text counts as unreadable.
    template <class T>
    void take_number(double number, T& into) const {
        constexpr double end = end_of<T>();
        const bool fits =
            std::is_floating_point_v<T> || (number >= (std::is_signed_v<T> ? -end : 0) && number < end);
        readable &= fits;
        if (fits) into = static_cast<T>(number);
    }
    /// Returns the smallest power of two that does not fit into T.
    template <class T>
    static constexpr double end_of() {
        double end = 1;
        for (int i = 0; !std::is_floating_point_v<T> && i < std::numeric_limits<T>::digits; ++i) end *= 2;
        return end;
    }
};

template <class T>
std::string json_of(const T& one) {
    Json json;
    T copy = one;
    Writer{json}.object(copy);
    return json.text();
}

/// Reads a structure. Returns nothing if the JSON does not contain such a structure.
template <class T>
std::optional<T> read_from(const JsonValue& json) {
    T one;
    bool readable = json.kind == JsonValue::object;
    if (readable) members(one, Reader{json, readable});
    if (!readable) return {};
    return one;
}

}  // namespace kit::facts
