// Edits of the source, and the scopes of a file: enough of C++'s syntax to distinguish functions from
// namespaces.
#include "unit.hpp"

#include <algorithm>

#include "names.hpp"

namespace kit::translate {

void Edits::replace(std::size_t offset, std::size_t length, std::string text) {
    edits_.emplace(offset, Edit{length, std::move(text)});
}

std::string Edits::apply(std::string_view source, std::size_t begin, std::size_t end, bool at_begin,
                         bool at_end) const {
    std::string result;
    result.reserve(end - begin + (end - begin) / 2);
    std::size_t done = begin;
    const auto last = at_end ? edits_.upper_bound(end) : edits_.lower_bound(end);
    for (auto it = at_begin ? edits_.lower_bound(begin) : edits_.upper_bound(begin); it != last; ++it) {
        const auto& [offset, edit] = *it;
        if (offset > done) result += source.substr(done, offset - done);
        result += edit.text;
        done = std::max(done, offset + edit.length);
    }
    if (done < end) result += source.substr(done, end - done);
    return result;
}

int close_angle(const Stream& stream, int open) {
    int depth = 0;
    for (int i = open; i < stream.size(); ++i) {
        if (stream.is(i, "<")) {
            ++depth;
        } else if (stream.is(i, ">")) {
            if (--depth == 0) return i;
        } else if (stream[i].match > i) {
            i = stream[i].match;
        } else if (stream.is(i, ";") || stream.is(i, ")") || stream.is(i, "]") || stream.is(i, "}")) {
            return -1;
        }
    }
    return -1;
}

int open_angle(const Stream& stream, int close) {
    int depth = 0;
    for (int i = close; i >= 0; --i) {
        if (stream.is(i, ">")) {
            ++depth;
        } else if (stream.is(i, "<")) {
            if (--depth == 0) return i;
        } else if (stream[i].match >= 0 && stream[i].match < i) {
            i = stream[i].match;
        } else if (stream.is(i, ";") || stream.is(i, "(") || stream.is(i, "[") || stream.is(i, "{")) {
            return -1;
        }
    }
    return -1;
}

int after(const Stream& stream, int index) {
    if (index >= stream.size()) return stream.size();
    if (stream[index].match > index) return stream[index].match + 1;
    if (stream.is(index, "<") && (stream.is_identifier(index - 1))) {
        const int close = close_angle(stream, index);
        if (close >= 0) return close + 1;
    }
    return index + 1;
}

bool takes_attribute_parentheses(std::string_view word) {
    static constexpr std::string_view words[] = {
        "alignas",     "__align__", "__attribute__",     "__declspec",       "decltype",
        "noexcept",    "explicit",  "__launch_bounds__", "__cluster_dims__", "__block_size__",
        "__maxnreg__", "typeof",    "__typeof__"};
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

int declaration_begin(const Stream& stream, int index) {
    int begin = index;
    for (int i = index - 1; i >= 0; --i) {
        const Token& token = stream[i];
        if (token.kind == Kind::directive || token.is(";") || token.is("{") || token.is("}") ||
            token.is(":") || token.is("("))
            break;
        if (token.is(")")) {
            // The bracket can also end `if (...)` or the call of a macro.
            if (token.match < 1 || !takes_attribute_parentheses(stream.text(token.match - 1))) break;
            i = token.match;
        } else if (token.is(">")) {
            const int open = open_angle(stream, i);
            if (open >= 0) i = open;
        } else if (token.is("]") && token.match >= 0) {
            i = token.match;
        }
        begin = i;
    }
    return begin;
}

std::vector<int> top_level_commas(const Stream& stream, int begin, int end) {
    std::vector<int> commas;
    for (int i = begin; i < end; i = after(stream, i))
        if (stream.is(i, ",")) commas.push_back(i);
    return commas;
}

std::string text_of(const Stream& stream, int begin, int end) {
    std::string text;
    for (int i = begin; i < end; ++i) {
        if (stream[i].kind == Kind::directive) continue;
        if (!text.empty() && stream[i].offset > stream[i - 1].end()) text += ' ';
        text += stream[i].text;
    }
    return text;
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

namespace {

/// Reads the tokens before a `{`, and decides what the brace opens.
struct Head {
    bool is_namespace = false, is_extern = false, is_type = false, has_parameters = false, is_value = false;
    bool is_lambda = false, empty = true;
    std::string name;
};

Head read_head(const Stream& stream, int begin, int end) {
    Head head;
    for (int i = begin; i < end; i = after(stream, i)) {
        const Token& token = stream[i];
        if (token.kind == Kind::directive) continue;
        head.empty = false;
        if (token.is("namespace")) {
            head.is_namespace = true;
        } else if (token.is("extern") && i + 2 == end && stream[i + 1].kind == Kind::string) {
            head.is_extern = true;
        } else if (token.is("class") || token.is("struct") || token.is("union") || token.is("enum")) {
            head.is_type = true;
        } else if (token.is("template") && stream.is(i + 1, "<")) {
            const int close = close_angle(stream, i + 1);
            if (close > i) i = close;
        } else if (token.is("=")) {
            head.is_value = true;
        } else if (token.is("[") && stream.is(i - 1, "=")) {
            head.is_lambda = true;
        } else if (token.is("(") && !takes_attribute_parentheses(stream.text(i - 1))) {
            head.has_parameters = true;
        } else if (token.kind == Kind::identifier && head.is_namespace) {
            head.name += head.name.empty() ? token.text : "::" + std::string(token.text);
        } else if (token.kind == Kind::identifier && head.is_type && head.name.empty() &&
                   !takes_attribute_parentheses(token.text)) {
            head.name = token.text;
        }
    }
    return head;
}

Scope open_scope(const Scope& around, int parent, const Head& head) {
    Scope scope{Scope::Kind::other, parent, around.path};
    if (around.kind == Scope::Kind::function) {
        scope.kind = Scope::Kind::function;
    } else if (head.is_namespace || head.is_extern) {
        scope.kind = Scope::Kind::space;
    } else if (head.is_lambda || (!head.is_value && (head.has_parameters || head.empty))) {
        scope.kind = Scope::Kind::function;
    } else if (head.is_type && !head.is_value) {
        scope.kind = Scope::Kind::type;
    }
    const bool named = scope.kind == Scope::Kind::space || scope.kind == Scope::Kind::type;
    if (named && !head.name.empty()) scope.path += (scope.path.empty() ? "" : "::") + head.name;
    return scope;
}

}  // namespace

Unit::Unit(Program& around, std::string_view text, std::string name)
    : program(around), path(std::move(name)), source(text), streams(tokenize(text)) {
    const Stream& file = streams[0];
    scopes.emplace_back();
    std::vector<int> closing;  // the tokens at which the current scopes end
    int current = 0;
    int head_begin = 0;
    for (int i = 0; i < file.size(); ++i) {
        while (!closing.empty() && i >= closing.back()) {
            if (i == closing.back()) head_begin = i + 1;
            current = scopes[current].parent;
            closing.pop_back();
        }
        scope_of.push_back(current);
        if (file.is(i, ";")) head_begin = i + 1;
        if (!file.is(i, "{") || file[i].match < i) continue;
        scopes.push_back(open_scope(scopes[current], current, read_head(file, head_begin, i)));
        scopes.back().head = head_begin;
        scopes.back().open = i;
        current = static_cast<int>(scopes.size()) - 1;
        closing.push_back(file[i].match);
        head_begin = i + 1;
    }
}

void Unit::error(const Token& where, std::string message) {
    const Stream& file = streams[0];
    int index = 0;  // index of the token or, in a macro, of its #define
    while (index + 1 < file.size() && file[index + 1].offset <= where.offset) ++index;
    if (!is_conditional(file, index)) return errors.push_back({where.line, std::move(message)});
    const std::string line = "\n#line " + std::to_string(where.line) + "\n";
    edits.insert(file[index].offset, line + "#pragma GCC error " + in_quotes(message) + line);
}

const Scope& Unit::scope(const Stream& stream, int index) const {
    static const Scope macro{Scope::Kind::function, -1, ""};
    return stream.macro ? macro : scopes[scope_of[index]];
}

bool Unit::in_function(const Stream& stream, int index) const {
    return scope(stream, index).kind == Scope::Kind::function;
}

Unit& Program::add(std::string text, std::string path) {
    texts.push_back(with_whole_chevrons(std::move(text)));
    Unit& unit = units.emplace_back(*this, texts.back(), std::move(path));
    for (const Stream& stream : unit.streams)
        if (stream.macro) macros.emplace(stream.name, &stream);
    return unit;
}

}  // namespace kit::translate
