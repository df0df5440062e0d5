// A finding: the facts about a mistake that the executor has found. The executor, the grader and the judge
// exchange findings as JSON (facts/json.hpp). Only common/words turns a finding into text.
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

/// A source line. `line` is 0 if it is unknown.
struct Line {
    std::string file;  ///< absolute path of the file
    int line = 0;
    std::string text;  ///< text of the line without its indentation; empty if the file cannot be read

    friend bool operator==(const Line& a, const Line& b) { return a.line == b.line && a.file == b.file; }
};

/// The place of an event. For a place in a helper function or a header, `caller` is the line that called it.
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

/// The thread, the host or the function that acts. Members that are unknown or unimportant are empty.
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
    bool in_grid = false;  ///< whether the sentence names the block even if its index is unknown
    std::string name;      ///< name of the thread's kernel, or of the called function
};

/// A piece of memory, or a position in or near it.
struct Memory {
    enum class Kind {
        unknown,        ///< no known object is near the address
        shared,         ///< a variable of shared memory, or dynamic shared memory
        buffer,         ///< memory that has a name from the grader or from a library of the course
        variable,       ///< a variable of the program
        allocation,     ///< memory that a function of the CUDA runtime allocated
        host_block,     ///< a block of the host's heap
        stack_frame,    ///< the stack frame of a host function; `name` is the function
        no_shared,      ///< shared memory in a launch that has none
        before_shared,  ///< an address before the first variable in shared memory
        local_of_launcher,
        shared_of_launcher,
        // Memory that compute-sanitizer reports, which does not name variables.
        some_global,
        some_shared,
        nearest,  ///< the nearest allocation
    };
    enum class Position { whole, inside, before, after };

    Kind kind = Kind::unknown;
    std::string name;         ///< name as in the source, such as "tile" or "d_in"; can be empty
    std::uint64_t bytes = 0;  ///< size of the whole piece in bytes
    Position position = Position::whole;
    std::string element;         ///< "tile[3][0]", or only "3" if the piece has no name; empty if the
                                 ///< position is counted in bytes
    std::uint64_t byte = 0;      ///< offset in bytes within the element, or within the piece if there is no
                                 ///< element
    std::uint64_t distance = 0;  ///< distance in bytes from the piece, if the position is before or after it
    Index block;  ///< the block that owns the shared memory, if it is another block of the cluster

    // These members describe an allocation.
    std::string made_by;  ///< name of the function, such as "cudaMalloc"
    unsigned number = 0;  ///< number of the call among all calls of that function, starting at 1
    Line made_at;
    bool registered = false, symbol = false, device_heap = false;
    bool freed = false;    ///< whether the allocation was freed recently
    bool dormant = false;  ///< whether the allocation is memory of a graph that is not allocated at present
};

/// One of the accesses of a finding.
struct Access {
    Who who;
    bool write = false, atomic = false;
    Where at;
    unsigned bytes = 0;     ///< size of an atomic access in bytes, if the other access has a different size
    bool discards = false;  ///< whether the access is a cuda::discard_memory
    bool puts = false;      ///< whether the access is a put (a copy to another PE)
    bool copies = false;    ///< whether the access is an asynchronous copy
    bool narrow =
        false;  ///< whether the access is an atomic with block scope, and the other access is in a different block
    Where queued;  ///< the line that queued the work with this access, if the work was queued
};

/// A piece of queued work.
struct Queued {
    std::string what;  ///< name of the kernel, or of the function that copies; empty for a host function
    bool is_kernel = false;
    int stream = 0;  ///< number of the stream; 0 is the default stream, -1 a graph
    int line = 0;    ///< line of the call that queued the work; 0 if unknown
    int caller =
        0;  ///< the line in the same file that called the function with `line`; 0 if unknown or unimportant
};

/// Threads that wait for the same reason at the same place.
struct Waiting {
    unsigned count = 0;
    Who first;
    std::string in;  ///< name of the function in which the threads wait, such as "__syncthreads()"
    Where at;
    /// Lanes in the mask of the call, and those of them that never arrive.
    std::uint32_t lanes = 0, absent = 0;
    unsigned missing = 0, expected = 0;  ///< numbers of arrivals at a barrier object
    /// Bytes that the phase expects, and bytes that were copied, after all threads have arrived.
    std::uint64_t bytes_expected = 0, bytes_copied = 0;
};

/// A call that several ranks (NCCL) or PEs (NVSHMEM) must make together, or that accesses another PE.
struct Call {
    Who who;       ///< the calling thread of a kernel; empty if the host calls
    int rank = 0;  ///< number of the rank (NCCL) or PE (NVSHMEM)
    std::string function;
    Where at;
    std::uint64_t count = 0;      ///< number of elements of an NCCL call
    std::string type, operation;  ///< "ncclFloat" and "ncclSum"; empty if the call has none
    std::optional<int> root;
    std::uint64_t bytes = 0;  ///< number of bytes of an NVSHMEM call
};

/// Another fact of a finding: a text, a number or a line. `name` is the name of this fact in the sentence of
/// the rule.
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
    std::string kind;  ///< kind of mistake, such as "race", which is also the name of its page in
                       ///< lectures/diagnoses
    Line place;        ///< the line that the student should look at first
    std::string kernel;
    Who who, other;
    Where at, other_at;  ///< lines at which `who` and `other` act
    Where launched;      ///< the line that launched the kernel, if the finding is about one kernel
    Memory memory;
    std::vector<Access> accesses;  ///< for a race: the access that was running, then the earlier access
    Fix fix = Fix::none;
    std::vector<Queued> queued;    ///< two pieces of work without an order
    std::vector<Waiting> waiting;  ///< groups of threads that wait
    std::vector<Call> calls;       ///< calls of ranks or PEs
    std::vector<Value> values;
    std::uint64_t times = 1;  ///< how many times the same mistake occurred

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

    /// Returns the value with this name; null if the finding has none.
    const Value* value(const std::string& name) const {
        for (const Value& one : values)
            if (one.name == name) return &one;
        return nullptr;
    }
    /// Returns whether several threads write the same element at the same line, so that the index may be
    /// wrong.
    bool about_places() const { return fix == Fix::own_place; }
};

inline bool is_known(const Memory& memory) {
    return memory.kind != Memory::Kind::unknown;
}

/// Returns the lines that a finding names, in the order of its sentence.
std::vector<Where> lines_of(const Finding& finding);

}  // namespace kit::facts
