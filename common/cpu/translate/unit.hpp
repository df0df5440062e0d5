// The data that the passes share: the files of a translation unit, their scopes and kernels, the edits and
// the errors.
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

/// Changes to the source, which are applied at the end. A change must not contain or remove the end of a
/// line.
class Edits {
  public:
    void insert(std::size_t offset, std::string text) { replace(offset, 0, std::move(text)); }
    void replace(std::size_t offset, std::size_t length, std::string text);
    /// Returns [begin, end) of the source with its changes. The flags say whether changes exactly at `begin`
    /// and `end` are included.
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
    std::string path;  ///< the named namespaces and types around the scope, such as "a::b"
    int head = -1;     ///< first token of the declaration, and its `{`
    int open = -1;
};

/// Stands for the number of parameters of a template with a pack. This number is larger than any number of
/// arguments.
constexpr int many = 1 << 20;

struct Unit;
struct Program;
struct Name;

/// One declaration of a kernel.
struct Kernel {
    Unit* unit = nullptr;  ///< the file with the declaration
    std::string path;      ///< scope of the declaration, such as "a::b"
    bool is_template = false;
    int parameters = 0;  ///< number of template parameters; `many` if there is a pack
    int required = 0;    ///< number of template parameters without a default
    std::string signature;
    bool has_defaults = false;  ///< whether a launch can omit arguments of the function
    int arguments = 0;
    /// The declaration of a function whose return type is the kernel that the arguments select. The
    /// declaration is inserted after the kernel if a launch needs it. Empty if the declaration cannot be
    /// written.
    std::string resolver;
    std::size_t resolver_offset = 0;
    bool resolver_wanted = false;
    /// The definition of a function that returns the kernel and all of its arguments, including default
    /// arguments.
    std::string binder;
    bool binder_wanted = false;
    /// A variable with the address of this kernel, for a name that host functions also have.
    std::string pointer;
    bool pointer_wanted = false;
    /// Text that tells the executor that the function is a kernel. The text is inserted if a launch uses a
    /// pointer to the function.
    std::string mark;
    std::size_t mark_offset = 0;
};

/// One file: the .cu file, or one of the user's headers.
struct Unit {
    Unit(Program& program, std::string_view source, std::string path);

    Program& program;
    std::string path;
    std::vector<std::size_t> position;  ///< position of the first #include of this file: one offset for each
                                        ///< including file
    std::string_view source;
    std::vector<Stream> streams;
    std::vector<Scope> scopes;
    std::vector<int> scope_of;  ///< index into `scopes` of each token in streams[0]
    Edits edits;
    bool library = false;    ///< a header of CUB, whose functions all count as device code
    std::vector<int> twice;  ///< the `{` of each body that is compiled both for the host and for the device
    struct Error {
        int line;
        std::string message;
    };
    std::vector<Error> errors;

    /// Returns the position of a token in the order in which the compiler reads the files.
    std::vector<std::size_t> place(std::size_t offset) const {
        std::vector<std::size_t> result = position;
        result.push_back(offset);
        return result;
    }

    /// Removes the token, and a blank after it.
    void remove(const Token& token) {
        const bool blank = token.end() < source.size() && source[token.end()] == ' ';
        edits.replace(token.offset, token.text.size() + blank, "");
    }
    /// Adds an error. If the code is under an #if, the compiler reports the error, but only if it compiles
    /// that branch.
    void error(const Token& where, std::string message);
    const Scope& scope(const Stream& stream, int index) const;
    /// Returns whether the token is in a function. The text of a macro counts as inside a function.
    bool in_function(const Stream& stream, int index) const;
};

/// All files of a translation unit, and facts that they share.
struct Program {
    std::deque<std::string> texts;
    std::deque<Unit> units;  ///< the first is the .cu file
    std::multimap<std::string, Kernel, std::less<>> kernels;
    /// Declarations by name (names.hpp).
    std::multimap<std::string, std::shared_ptr<const Name>, std::less<>> names;
    std::multimap<std::string_view, const Stream*> macros;
    int architecture = 900;          ///< value of __CUDA_ARCH__ in device code
    bool loops = false;              ///< each kernel gets a loop over its threads
    bool by_address = false;         ///< arguments are passed by address, and kernels bind them
    bool relaxed_constexpr = false;  ///< device code may call constexpr functions of the host
    bool miscounted =
        false;  ///< the braces are miscounted, because of an #if: a statement is outside of functions
    bool launches_pointers = false;            ///< a pointer is launched, or a kernel is used as a value
    bool has_unmarked = false;                 ///< some kernel cannot have a mark
    bool calls_ptx = false;                    ///< inline PTX needs <kit_cpu/ptx.hpp>
    std::vector<std::string> library_headers;  ///< names of CUB's headers that the program includes
    std::vector<Copy> library_copies;          ///< their translations
    bool guarded = false;                      ///< the compiler decides about calls (refuse_overloads.cpp)
    int next_number = 1;                       ///< number of the next inserted type
    int next_mark = 1;                         ///< number of the next mark of a kernel
    int functions_with_marks = 0;              ///< number of functions with marks (mark_rounds.cpp)

    Unit& add(std::string text, std::string path);
};

/// Returns the index of the `>` that closes the `<` at `open`; -1 if there is none.
int close_angle(const Stream& stream, int open);
/// Returns the index of the `<` that the `>` at `close` closes; -1 if there is none.
int open_angle(const Stream& stream, int close);
/// Returns the index after the token at `index`, or after the brackets or the template list that begin there.
int after(const Stream& stream, int index);
/// Returns whether the parentheses after this word contain an attribute or a type, not parameters, as after
/// alignas.
bool takes_attribute_parentheses(std::string_view word);
/// Returns the first token of the declaration that contains `index`, which follows a `;`, a brace, a label or
/// a directive.
int declaration_begin(const Stream& stream, int index);
/// Returns the commas between `begin` and `end` that are outside of brackets and template lists.
std::vector<int> top_level_commas(const Stream& stream, int begin, int end);
/// Returns the tokens as text on one line, with a space for each white space or comment of the source.
std::string text_of(const Stream& stream, int begin, int end);
/// Returns a string literal with this text.
std::string in_quotes(std::string_view text);

/// Returns the words of a directive, for example of `#if A > B`, starting with its name.
std::vector<std::string_view> words_of(std::string_view directive);
std::string_view directive_name(const Token& directive);
/// Returns the words, and all macros that contain one of them, directly or through other macros.
std::set<std::string_view> with_macros(const Program& program, std::set<std::string_view> words);

/// Returns the same as with_macros(), without macros that contain whole declarations.
std::set<std::string_view> with_marks(const Program& program, std::set<std::string_view> words);

/// The body of a function that is not in another function, or of a lambda that is marked for the device.
struct Body {
    int head, open, close;  ///< tokens: the start of the declaration, the `{`, and the `}`
    bool host, device;      ///< whether the host or the device can call it
    bool kernel = false;
};
std::vector<Body> function_bodies(const Unit& unit);
/// Returns the types of the parameters in the parentheses that open at `open`. Declarations of one function
/// have the same text.
std::string signature_of(const Stream& stream, int open);

/// Passes that refuse code which nvcc refuses. These passes add errors to the unit. If types matter,
/// refuse_overloads() lets the compiler decide.
void refuse_kernels(Unit& unit);     ///< refuses declarations of kernels, and attributes of kernels on other
                                     ///< functions
void refuse_calls(Unit& unit);       ///< refuses calls between host code and device code
void refuse_library(Unit& unit);     ///< refuses library functions in device code, and CUDA's functions in
                                     ///< host code
void refuse_variables(Unit& unit);   ///< refuses variables of one side that the other side uses
void refuse_statements(Unit& unit);  ///< refuses statements that device code cannot contain
void refuse_overloads(Program& program);

/// Passes that rewrite code. Each pass adds edits and errors to the unit. The second and later passes need
/// all kernels.
void collect_kernels(Unit& unit);  ///< finds kernels and their launch bounds
void mark_rounds(
    Unit& unit);  ///< marks the rounds of loops; must run before passes that insert text around conditions
void find_kernel_values(Program& program);
void rewrite_launches(Unit& unit);
void rewrite_variables(Unit& unit);     ///< describes device variables and structs to the executor
void rewrite_arguments(Unit& unit);     ///< wraps struct arguments that are passed by value
void rewrite_results(Unit& unit);       ///< wraps struct results that are assigned
void mark_exchanges(Unit& unit);        ///< marks exchanges whose old value is not used
void rewrite_launch_calls(Unit& unit);  ///< removes casts in calls such as cudaLaunchKernel
void refuse_case_ranges(Unit& unit);
void rewrite_assembly(Unit& unit);      ///< translates inline PTX
void rewrite_architecture(Unit& unit);  ///< defines __CUDA_ARCH__ in device code
void rewrite_shared(Program& program);
/// Returns the text of the file with all edits. The bodies of some functions are written twice.
std::string finished_text(const Unit& unit);
/// Inserts the resolvers, binders, pointers and marks that launches need after the kernels.
void insert_resolvers(Program& program);

}  // namespace kit::translate
