// Refuses functions and types of the C and C++ libraries in device code, and CUDA's device functions in host
// code. The lists were compared with nvcc 13.0. With --expt-relaxed-constexpr, device code can use everything
// that is constexpr.
#include <set>

#include "names.hpp"

namespace kit::translate {
namespace {

using Words = std::set<std::string_view>;

const Words constexpr_functions = {"min",         "max",       "minmax",  "clamp",       "gcd",       "lcm",
                                   "max_element", "begin",     "end",     "min_element", "size",      "data",
                                   "distance",    "advance",   "next",    "prev",        "make_pair", "tie",
                                   "make_tuple",  "addressof", "midpoint"};
const Words host_functions = {"accumulate",     "adjacent_find",
                              "all_of",         "any_of",
                              "async",          "binary_search",
                              "copy",           "copy_if",
                              "copy_n",         "count",
                              "count_if",       "equal",
                              "equal_range",    "exchange",
                              "exclusive_scan", "fill",
                              "fill_n",         "find",
                              "find_if",        "for_each",
                              "generate",       "inclusive_scan",
                              "inner_product",  "iota",
                              "is_sorted",      "lower_bound",
                              "make_heap",      "make_shared",
                              "make_unique",    "merge",
                              "mismatch",       "none_of",
                              "nth_element",    "partial_sort",
                              "partial_sum",    "partition",
                              "pop_heap",       "push_heap",
                              "reduce",         "remove",
                              "remove_if",      "replace",
                              "reverse",        "rotate",
                              "search",         "shuffle",
                              "sort",           "sort_heap",
                              "stable_sort",    "stod",
                              "stof",           "stoi",
                              "stol",           "swap",
                              "swap_ranges",    "to_string",
                              "transform",      "transform_reduce",
                              "unique",         "upper_bound"};
const Words host_objects = {"cout", "cerr", "clog", "cin"};
const Words host_types = {"string",        "vector",        "deque",         "list",     "map",
                          "set",           "unordered_map", "unordered_set", "queue",    "stack",
                          "ostringstream", "istringstream", "stringstream",  "ifstream", "ofstream",
                          "function",      "unique_ptr",    "shared_ptr",    "thread",   "mutex",
                          "lock_guard",    "unique_lock",   "random_device", "mt19937",  "optional",
                          "bitset"};
const Words c_functions = {
    "abort",   "atof",    "atoi",     "atol",    "calloc", "exit",    "fclose",  "fflush", "fgets",
    "fopen",   "fprintf", "fputs",    "fread",   "fscanf", "fwrite",  "getchar", "getenv", "isalpha",
    "isdigit", "isspace", "memcmp",   "memmove", "perror", "putchar", "puts",    "qsort",  "rand",
    "realloc", "scanf",   "snprintf", "sprintf", "srand",  "sscanf",  "strcat",  "strcmp", "strcpy",
    "strlen",  "strncmp", "strncpy",  "strtod",  "strtol", "time",    "tolower", "toupper"};
const Words device_functions = {"__syncthreads",
                                "__syncthreads_and",
                                "__syncthreads_count",
                                "__syncthreads_or",
                                "__syncwarp",
                                "__threadfence",
                                "__threadfence_block",
                                "__threadfence_system",
                                "__shfl_sync",
                                "__shfl_up_sync",
                                "__shfl_down_sync",
                                "__shfl_xor_sync",
                                "__ballot_sync",
                                "__all_sync",
                                "__any_sync",
                                "__match_any_sync",
                                "__match_all_sync",
                                "__reduce_add_sync",
                                "__reduce_min_sync",
                                "__reduce_max_sync",
                                "__activemask",
                                "__nanosleep",
                                "__popc",
                                "__popcll",
                                "__clz",
                                "__clzll",
                                "__ffs",
                                "__ffsll",
                                "__brev",
                                "__ldg",
                                "__fdividef",
                                "__expf",
                                "__logf",
                                "__sinf",
                                "__cosf",
                                "atomicAdd",
                                "atomicSub",
                                "atomicMin",
                                "atomicMax",
                                "atomicExch",
                                "atomicCAS",
                                "atomicAnd",
                                "atomicOr",
                                "atomicXor",
                                "atomicInc",
                                "atomicDec",
                                "clock64"};
const Words device_variables = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

/// Returns whether the program or a macro declares the name, so that it does not mean the library's function.
bool is_own(const Unit& unit, const Body& body, std::string_view name) {
    return unit.program.names.count(name) || in_a_macro(unit.program, name) || declared_in(unit, body, name);
}

bool is_member(const Stream& stream, int index) {
    return stream.is(index - 1, ".") || stream.is(index - 1, "->");
}

/// Returns the opening parenthesis of a call, after template arguments; -1 if this is not a call.
int call_of(const Stream& stream, int index) {
    const int open = stream.is(index + 1, "<") ? after(stream, index + 1) : index + 1;
    return stream.is(open, "(") && stream[open].match > 0 ? open : -1;
}

struct Check {
    Unit& unit;
    const Body& body;
    const Stream& stream;

    void refuse(int at, int end, const std::string& advice) const {
        int begin = 0;
        written_qualifier(stream, at, begin);
        unit.error(stream[at], "'" + shown(stream, begin, end) +
                                   "' is for host code, but is used in device code: " + advice);
    }

    /// Checks the use of std::NAME at `index` in device code.
    void standard(int index) const {
        const std::string_view name = stream.text(index);
        const int open = call_of(stream, index);
        const bool relaxed = unit.program.relaxed_constexpr;
        if (open > 0 && (name == "min" || name == "max") && !relaxed)
            return refuse(
                index, stream[open].match + 1,
                "write " + std::string(name) + "(a, b) without std::, which CUDA provides for both sides");
        if (open > 0 && (host_functions.count(name) || (!relaxed && constexpr_functions.count(name))))
            return refuse(index, stream[open].match + 1, "write the loop or the expression yourself");
        if (host_objects.count(name))
            return refuse(index, index + 1, "print with printf, which works in device code");
        if (host_types.count(name)) {
            const int next = after(stream, index + 1);
            const int behind = stream.is(index + 1, "<") ? next : index + 1;
            if (stream.is_identifier(behind) || stream.is(behind, "(") || stream.is(behind, "{"))
                refuse(index, behind, "use an array, and pass pointers to kernels");
        }
        if (name == "numeric_limits" && !relaxed && stream.is(index + 1, "<")) {
            const int behind = after(stream, index + 1);
            if (stream.is(behind, "::") && stream.is(behind + 2, "("))
                refuse(
                    index, behind + 4,
                    "store the value in a constexpr variable outside all functions, or use a constant such "
                    "as FLT_MAX");
        }
    }

    /// Checks the uses of a variable of type std::array. Only host functions can access its elements.
    void array(int index) const {
        int name = after(stream, index + 1);
        while (stream.is(name, "&") || stream.is(name, "const")) ++name;
        if (!stream.is_identifier(name) || unit.program.relaxed_constexpr) return;
        for (int i = std::max(name + 1, body.open); i < body.close; ++i) {
            if (!stream.is_identifier(i) || stream.text(i) != stream.text(name) || is_member(stream, i))
                continue;
            if (is_unevaluated(stream, i)) continue;
            const bool element = stream.is(i + 1, "[");
            if (!element && !stream.is(i + 1, ".")) continue;
            return refuse(i, element ? stream[i + 1].match + 1 : i + 3,
                          "the functions of std::array are host functions; use an array, or a struct that "
                          "contains one");
        }
    }

    void device_code(int i) const {
        if (stream.is(i - 1, "::") && stream.is(i - 2, "std") && !stream.is(i - 3, "::")) {
            if (i > body.open) standard(i);
            if (stream.is(i, "array") && stream.is(i + 1, "<")) array(i);
        }
        const int open = call_of(stream, i);
        if (i < body.open || open < 0 || !c_functions.count(stream.text(i)) || is_member(stream, i)) return;
        int begin = 0;
        const std::string qualifier = written_qualifier(stream, i, begin);
        if ((!qualifier.empty() && qualifier != "std") || is_own(unit, body, stream.text(i))) return;
        refuse(i, stream[open].match + 1,
               "from the C library, device code can call printf, malloc, free, memcpy, memset and the "
               "mathematical functions");
    }

    void host_code(int i) const {
        const std::string_view name = stream.text(i);
        if (i < body.open || is_member(stream, i) || stream.is(i - 1, "::")) return;
        const bool variable = device_variables.count(name) && stream.is(i + 1, ".");
        const int open = call_of(stream, i);
        if (!variable && (open < 0 || !device_functions.count(name))) return;
        if (is_own(unit, body, name)) return;
        unit.error(stream[i],
                   "'" + shown(stream, i, variable ? i + 3 : stream[open].match + 1) +
                       "' is for device code, but is used in host code: move it into a kernel or a "
                       "__device__ function");
    }
};

}  // namespace

void refuse_library(Unit& unit) {
    const Stream& stream = unit.streams[0];
    for (const Body& body : function_bodies(unit)) {
        if (body.host && body.device) continue;
        const Check check{unit, body, stream};
        for (int i = body.head; i < body.close; ++i) {
            if (!stream.is_identifier(i) || is_conditional(stream, i) || is_unevaluated(stream, i) ||
                in_local_class_for(stream, body, i))
                continue;
            body.device ? check.device_code(i) : check.host_code(i);
        }
    }
}

}  // namespace kit::translate
