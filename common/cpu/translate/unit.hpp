// The data that the rewriting passes share: the files of a translation unit, their scopes and kernels, the edits and the errors.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tokens.hpp"
#include "translate.hpp"

namespace kit::translate {

/// Changes to the source, applied at the end. A change must not contain or remove a line end.
class Edits {
  public:
    void insert(std::size_t offset, std::string text) { replace(offset, 0, std::move(text)); }
    void replace(std::size_t offset, std::size_t length, std::string text);
    /// Returns the part [begin, end) of the source with its changes. The flags include changes exactly at `begin` and at `end`.
    std::string apply(std::string_view source, std::size_t begin, std::size_t end, bool at_begin,
                      bool at_end) const;

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
    int head = -1;     ///< first token of the declaration, and its `{`
    int open = -1;
};

/// The number of parameters of a template with a pack: more than any list of arguments has.
constexpr int many = 1 << 20;

struct Unit;
struct Program;
struct Name;

/// One declaration of a kernel.
struct Kernel {
    Unit* unit = nullptr;  ///< the file that declares it
    std::string path;      ///< where it is declared, e.g. "a::b"
    bool is_template = false;
    int parameters = 0;  ///< the number of the template's parameters; a pack counts as many
    int required = 0;    ///< the number of parameters without a default
    std::string signature;
    bool has_defaults = false;  ///< whether a launch can omit arguments
    int arguments = 0;
    /// A function declaration whose return type is the kernel that its arguments select; inserted after the kernel
    /// when a launch needs it. Empty when it cannot be written.
    std::string resolver;
    std::size_t resolver_offset = 0;
    bool resolver_wanted = false;
    /// The same with the default arguments: a function that returns the kernel and all its arguments.
    std::string binder;
    bool binder_wanted = false;
    /// A variable with the address of this function, for names that host functions have, too.
    std::string pointer;
    bool pointer_wanted = false;
    /// Text that tells the executor that this function is a kernel; inserted if a pointer may lead to it.
    std::string mark;
    std::size_t mark_offset = 0;
};

/// One file: the .cu file, or one of the user's headers.
struct Unit {
    Unit(Program& program, std::string_view source, std::string path);

    Program& program;
    std::string path;
    std::vector<std::size_t> position;  ///< place of its first #include: one offset for each including file
    std::string_view source;
    std::vector<Stream> streams;
    std::vector<Scope> scopes;
    std::vector<int> scope_of;  ///< index into scopes, for each token of streams[0]
    Edits edits;
    bool library = false;    ///< a header of CUB, whose functions all count as device code
    std::vector<int> twice;  ///< the `{` of each body that is compiled both for the host and for the device
    struct Error {
        int line;
        std::string message;
    };
    std::vector<Error> errors;

    /// Returns the place of a token in the order in which the compiler reads the files.
    std::vector<std::size_t> place(std::size_t offset) const {
        std::vector<std::size_t> result = position;
        result.push_back(offset);
        return result;
    }

    /// Removes the token and the blank after it.
    void remove(const Token& token) {
        const bool blank = token.end() < source.size() && source[token.end()] == ' ';
        edits.replace(token.offset, token.text.size() + blank, "");
    }
    /// Adds an error. Under an #if, the compiler reports it, and only if it compiles that branch.
    void error(const Token& where, std::string message);
    const Scope& scope(const Stream& stream, int index) const;
    /// Returns whether the token is inside a function. The body of a macro counts as inside.
    bool in_function(const Stream& stream, int index) const;
};

/// All files of a translation unit, and the facts that they share.
struct Program {
    std::deque<std::string> texts;
    std::deque<Unit> units;  ///< the first is the .cu file
    std::multimap<std::string, Kernel, std::less<>> kernels;
    std::multimap<std::string, std::shared_ptr<const Name>, std::less<>> names;  ///< names.hpp
    std::multimap<std::string_view, const Stream*> macros;
    int architecture = 900;          ///< value of __CUDA_ARCH__ in device code
    bool loops = false;              ///< each kernel gets a loop over its threads
    bool by_address = false;         ///< arguments are passed by address, and kernels bind them
    bool relaxed_constexpr = false;  ///< device code may call constexpr functions of the host
    bool miscounted = false;         ///< a statement outside functions was found: the braces of an #if misled
    bool launches_pointers = false;  ///< a pointer is launched, or a kernel is used as a value
    bool has_unmarked = false;       ///< some kernel cannot have a mark
    bool calls_ptx = false;          ///< inline PTX needs <kit_cpu/ptx.hpp>
    std::vector<std::string> library_headers;  ///< names of CUB's headers that the program includes
    std::vector<Copy> library_copies;          ///< their translations
    bool guarded = false;                      ///< the compiler decides about calls (refuse_overloads.cpp)
    int next_number = 1;                       ///< number of the next inserted type
    int next_mark = 1;                         ///< number of the next mark of a kernel
    int functions_with_marks = 0;              ///< number of functions with marks (mark_rounds.cpp)

    Unit& add(std::string text, std::string path);
};

/// Returns the index of the `>` that closes the `<` at `open`, or -1.
int close_angle(const Stream& stream, int open);
/// Returns the index of the `<` that the `>` at `close` belongs to, or -1.
int open_angle(const Stream& stream, int close);
/// Returns the index after the bracket pair, template list or single token at `index`.
int after(const Stream& stream, int index);
/// Returns whether the parentheses after this word hold an attribute or a type, not parameters, as after alignas.
bool takes_attribute_parentheses(std::string_view word);
/// Returns the first index of the declaration that holds `index`: after the last `;`, brace, label or directive.
int declaration_begin(const Stream& stream, int index);
/// Returns the commas between `begin` and `end` that are outside brackets and template lists.
std::vector<int> top_level_commas(const Stream& stream, int begin, int end);
/// Returns the tokens as one line, with a space wherever the source has white space or a comment.
std::string text_of(const Stream& stream, int begin, int end);
/// Returns a string literal of this text.
std::string in_quotes(std::string_view text);

/// Returns the words of a directive, e.g. of `#if A > B`; `name` is the first.
std::vector<std::string_view> words_of(std::string_view directive);
std::string_view directive_name(const Token& directive);
/// Returns the words, and the macros whose text mentions one of them, directly or through other macros.
std::set<std::string_view> with_macros(const Program& program, std::set<std::string_view> words);

/// Returns the same words without macros that contain whole declarations, because the marks of a function come before those.
std::set<std::string_view> with_marks(const Program& program, std::set<std::string_view> words);

/// The body of a function that is not inside another function, or of a lambda marked for the device.
struct Body {
    int head, open, close;  ///< tokens of the start of the declaration, of `{` and of `}`
    bool host, device;      ///< the sides that can call it
    bool kernel = false;
};
std::vector<Body> function_bodies(const Unit& unit);
/// Returns the types of the parameters between the parenthesis at `open` and its partner, so that declarations compare equal.
std::string signature_of(const Stream& stream, int open);

/// These passes refuse code that nvcc refuses. They add errors, and the last one lets the compiler decide if types matter.
void refuse_kernels(Unit& unit);     ///< declarations of kernels, and their attributes on other functions
void refuse_calls(Unit& unit);       ///< calls between host code and device code
void refuse_library(Unit& unit);     ///< library functions in device code, CUDA's functions in host code
void refuse_variables(Unit& unit);   ///< variables of one side that the other side uses
void refuse_statements(Unit& unit);  ///< statements that device code cannot have
void refuse_overloads(Program& program);

/// The rewriting passes. Each adds edits and errors to the unit. All kernels must be known before the second pass.
void collect_kernels(Unit& unit);  ///< finds kernels and their launch bounds
void mark_rounds(
    Unit& unit);  ///< the rounds of loops; before every pass that may put something around a condition
void find_kernel_values(Program& program);
void rewrite_launches(Unit& unit);
void rewrite_variables(Unit& unit);     ///< describes device variables and structs to the executor
void rewrite_arguments(Unit& unit);     ///< wraps struct arguments that are passed by value
void rewrite_results(Unit& unit);       ///< wraps struct results that are assigned
void mark_exchanges(Unit& unit);        ///< marks exchanges whose old value is not used
void rewrite_launch_calls(Unit& unit);  ///< removes casts in cudaLaunchKernel and similar calls
void refuse_case_ranges(Unit& unit);
void rewrite_assembly(Unit& unit);      ///< translates inline PTX
void rewrite_architecture(Unit& unit);  ///< defines __CUDA_ARCH__ in device code
void rewrite_shared(Program& program);
/// Returns the text with all edits, and with some bodies written twice.
std::string finished_text(const Unit& unit);
/// Inserts the helpers of launches after the kernels.
void insert_resolvers(Program& program);

}  // namespace kit::translate
