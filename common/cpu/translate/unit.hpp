// What the rewriting passes share: the file being translated, its scopes and kernels, the edits and the
// errors.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace kit::translate {

/// Changes to the source, applied at the end. None may contain or remove a line end.
class Edits {
  public:
    void insert(std::size_t offset, std::string text) { replace(offset, 0, std::move(text)); }
    void replace(std::size_t offset, std::size_t length, std::string text);
    std::string apply(std::string_view source) const;

  private:
    struct Edit {
        std::size_t length;
        std::string text;
    };
    std::multimap<std::size_t, Edit> edits_;
};

struct Scope {
    enum class Kind { space, type, function, other } kind = Kind::space;
    int parent = -1;
    std::string path;  ///< named namespaces and types around it, e.g. "a::b"
};

/// The number of parameters of a template with a pack: more than any list of arguments has.
constexpr int many = 1 << 20;

/// One declaration of a kernel.
struct Kernel {
    std::string path;  ///< where it is declared, e.g. "a::b"
    bool is_template = false;
    int parameters = 0;  ///< of the template; a pack counts as many
    int required = 0;    ///< those without default
    std::string signature;
    /// A function declaration whose return type is the kernel that its arguments select; inserted after the kernel
    /// when a launch needs it. Empty when it cannot be written.
    std::string resolver;
    std::size_t resolver_offset = 0;
    bool resolver_wanted = false;
};

struct Unit {
    explicit Unit(std::string_view source);

    std::string_view source;
    std::vector<Stream> streams;
    std::vector<Scope> scopes;
    std::vector<int> scope_of;  ///< of each token of streams[0]: index into scopes
    std::multimap<std::string, Kernel, std::less<>> kernels;
    Edits edits;
    struct Error {
        int line;
        std::string message;
    };
    std::vector<Error> errors;
    int next_number = 1;  ///< makes the names of inserted types unique

    /// Takes the token out, and the blank after it.
    void remove(const Token& token) {
        const bool blank = token.end() < source.size() && source[token.end()] == ' ';
        edits.replace(token.offset, token.text.size() + blank, "");
    }
    void error(const Token& where, std::string message) {
        errors.push_back({where.line, std::move(message)});
    }
    const Scope& scope(const Stream& stream, int index) const;
    /// The body of a macro counts as a function's.
    bool in_function(const Stream& stream, int index) const;
};

/// Index of the `>` that closes the `<` at `open`, or -1.
int close_angle(const Stream& stream, int open);
/// Index of the `<` that the `>` at `close` belongs to, or -1.
int open_angle(const Stream& stream, int close);
/// Index after the bracket pair, template list or single token at `index`.
int after(const Stream& stream, int index);
/// True at a word whose parentheses hold an attribute or a type, not parameters, e.g. alignas.
bool takes_attribute_parentheses(std::string_view word);
/// First index of the declaration that holds `index`: after the last `;`, brace, label or directive.
int declaration_begin(const Stream& stream, int index);
/// Commas outside brackets and template lists, between `begin` and `end`.
std::vector<int> top_level_commas(const Stream& stream, int begin, int end);
/// The tokens as one line, with a space wherever the source has white space or a comment.
std::string text_of(const Stream& stream, int begin, int end);
/// A string literal of this text.
std::string quoted(std::string_view text);

/// The passes. Each adds to the unit's edits and errors.
void collect_kernels(Unit& unit);  ///< and their launch bounds
void rewrite_launches(Unit& unit);
void rewrite_shared(Unit& unit);
void rewrite_constants(Unit& unit);
void rewrite_results(Unit& unit);       ///< of functions, where they are assigned
void rewrite_launch_calls(Unit& unit);  ///< casts in cudaLaunchKernel and its relatives

}  // namespace kit::translate
