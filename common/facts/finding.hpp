// A finding: what the executor has seen, as data. Executor, grader and judge exchange findings as JSON (facts/json.hpp), and
// common/words turns them into text. Nothing else does.
#pragma once

#include <array>
#include <cstdint>
#include <facts/rules.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kit::facts {

/// A line of source. `line` is 0 if it is unknown.
struct Line {
    std::string file;  ///< the whole path of the file
    int line = 0;
    std::string text;  ///< the line without its indentation; empty if the file cannot be read

    friend bool operator==(const Line& a, const Line& b) { return a.line == b.line && a.file == b.file; }
};

/// The place of an event. If that is in a helper or a header, `caller` is the line that called it.
struct Where : Line {
    Where() = default;
    Where(Line at) : Line(std::move(at)) {}
    Where(Line at, Line called_from) : Line(std::move(at)), caller(std::move(called_from)) {}

    Line caller;
};

/// The indices of a thread in its block, or of a block in its grid.
struct Index {
    std::array<unsigned, 3> at = {};
    bool known = false;
};

/// The thread, the host or the function that acts. A member is empty if it is unknown or not worth mentioning.
struct Who {
    enum class Kind {
        nobody,
        thread,
        other_thread,
        host,
        host_function,
        call,
        allocating_node,
        freeing_node
    };

    Kind kind = Kind::nobody;
    Index thread, block;
    bool in_grid = false;  ///< the sentence names the block even if its index is unknown
    std::string name;      ///< the thread's kernel, or the function that is called
};

/// A piece of memory, or a place in it or near it.
struct Memory {
    enum class Kind {
        unknown,        ///< no known object is near
        shared,         ///< a variable of shared memory, or dynamic shared memory
        buffer,         ///< memory that the grader or a library of the course has named
        variable,       ///< a variable of the program
        allocation,     ///< memory that a function of the CUDA runtime allocated
        host_block,     ///< a block of the host's heap
        stack_frame,    ///< the stack frame of a host function; `name` is the function
        no_shared,      ///< shared memory of a launch that has none
        before_shared,  ///< shared memory before the first variable
        local_of_launcher,
        shared_of_launcher,
        // Memory that compute-sanitizer reports. It does not name variables.
        some_global,
        some_shared,
        nearest,  ///< allocation
    };
    enum class Position { whole, inside, before, after };

    Kind kind = Kind::unknown;
    std::string name;         ///< as in the source: "tile", "d_in"; may be empty
    std::uint64_t bytes = 0;  ///< size of the whole piece
    Position position = Position::whole;
    std::string element;         ///< "tile[3][0]"; only "3" if the piece has no name; empty: counted in bytes
    std::uint64_t byte = 0;      ///< offset in the element, or in the piece if there is no element
    std::uint64_t distance = 0;  ///< bytes from the piece, if the position is before or after it
    Index block;  ///< the block that owns this shared memory, if it is another block of the cluster

    // Members of an allocation.
    std::string made_by;  ///< "cudaMalloc"
    unsigned number = 0;  ///< index of that call, starting at 1
    Line made_at;
    bool registered = false, symbol = false, device_heap = false;
    bool freed = false;    ///< it was freed recently
    bool dormant = false;  ///< memory of a graph that is not allocated at this moment
};

/// One of the accesses that a finding is about.
struct Access {
    Who who;
    bool write = false, atomic = false;
    Where at;
    unsigned bytes = 0;     ///< size of an atomic access, if the other access has a different size
    bool discards = false;  ///< it is a cuda::discard_memory
    bool puts = false;      ///< it is a put to another PE
    bool copies = false;    ///< it is an asynchronous copy
    bool narrow = false;    ///< an atomic with block scope, whose other access is in a different block
    Where queued;           ///< the line that queued the work of this access, if the work is queued
};

/// A piece of queued work.
struct Queued {
    std::string what;  ///< the kernel, or the function that copies; empty: a host function
    bool is_kernel = false;
    int stream = 0;  ///< 0: the default stream, -1: a graph
    int line = 0;    ///< line of the call that queued it; 0: unknown
    int caller =
        0;  ///< the line that called the function with that line, in the same file; 0: unknown or unimportant
};

/// Threads that wait in the same way at the same place.
struct Waiting {
    unsigned count = 0;
    Who first;
    std::string in;  ///< "__syncthreads()"
    Where at;
    std::uint32_t lanes = 0, absent = 0;                 ///< lanes of the mask; those that never come
    unsigned missing = 0, expected = 0;                  ///< arrivals at a barrier object
    std::uint64_t bytes_expected = 0, bytes_copied = 0;  ///< bytes of a phase at which all arrived
};

/// A call that several ranks (NCCL) or PEs (NVSHMEM) make together, or that is about another PE.
struct Call {
    Who who;       ///< the thread of a kernel; empty if the host calls
    int rank = 0;  ///< rank (NCCL) or PE (NVSHMEM)
    std::string function;
    Where at;
    std::uint64_t count = 0;      ///< elements of an NCCL call
    std::string type, operation;  ///< "ncclFloat", "ncclSum"; empty if the call has none
    std::optional<int> root;
    std::uint64_t bytes = 0;  ///< bytes of an NVSHMEM call
};

/// Another fact that the rule needs: a text, a number or a line, with the name that the sentence uses.
struct Value {
    enum class Kind { text, number, line };

    std::string name;
    Kind kind = Kind::text;
    std::string text;
    double number = 0;
    Line line;
};

struct Finding {
    Finding() = default;
    explicit Finding(Rule which) : rule(which), kind(kind_of(which)) {}

    Rule rule = Rule::none;
    std::string kind;  ///< kind of mistake and name of its page in lectures/diagnoses: race, ...
    Line place;        ///< the line to look at first
    std::string kernel;
    Who who, other;
    Where at, other_at;  ///< lines of the actions of `who` and `other`
    Where launched;      ///< the line that launched the kernel, if the finding is about one kernel
    Memory memory;
    std::vector<Access> accesses;  ///< accesses of a race: the running one, then the earlier one
    Fix fix = Fix::none;
    std::vector<Queued> queued;    ///< two pieces of work that nothing orders
    std::vector<Waiting> waiting;  ///< groups of waiting threads
    std::vector<Call> calls;       ///< calls of ranks or PEs
    std::vector<Value> values;
    std::uint64_t times = 1;  ///< number of times it was seen

    Finding& with(std::string name, std::string text) {
        values.push_back({std::move(name), Value::Kind::text, std::move(text), 0, {}});
        return *this;
    }
    Finding& with(std::string name, const char* text) { return with(std::move(name), std::string(text)); }
    Finding& with(std::string name, Line line) {
        values.push_back({std::move(name), Value::Kind::line, "", 0, std::move(line)});
        return *this;
    }
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    Finding& with(std::string name, Number number) {
        values.push_back({std::move(name), Value::Kind::number, "", static_cast<double>(number), {}});
        return *this;
    }
    Finding& by(Who who_did) {
        who = std::move(who_did);
        return *this;
    }
    Finding& on(Memory piece) {
        memory = std::move(piece);
        return *this;
    }
    Finding& in(std::string name_of_kernel) {
        kernel = std::move(name_of_kernel);
        return *this;
    }
    Finding& and_by(Who who_did, Where where) {
        other = std::move(who_did), other_at = std::move(where);
        return *this;
    }

    /// Returns the value with this name; null if there is none.
    const Value* value(const std::string& name) const {
        for (const Value& one : values)
            if (one.name == name) return &one;
        return nullptr;
    }
    /// Returns whether several threads write the same element at the same line, so the index may be wrong.
    bool about_places() const { return fix == Fix::own_place; }
};

inline bool is_known(const Memory& memory) {
    return memory.kind != Memory::Kind::unknown;
}

/// The lines that a finding names, in the order of its sentence.
std::vector<Where> lines_of(const Finding& finding);

}  // namespace kit::facts
