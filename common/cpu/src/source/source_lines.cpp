// Finds source lines with addr2line, and stores its answers for all processes of a run.
#include "source_lines.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kit_cpu/executor.hpp>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "symbols.hpp"

namespace kit::cpu {
namespace {

/// Returns whether the file belongs to the executor's headers, the C++ library or the CUDA toolkit, which do not help a student.
bool is_library(const std::string& file) {
    for (const char* folder : {"/usr/include/", "/usr/local/include/", "/usr/local/cuda", "/usr/lib/"})
        if (file.rfind(folder, 0) == 0) return true;
    for (const char* folder : {"/common/cpu/", "/include/c++/", "/include/cccl/", "/header_libraries/"})
        if (file.find(folder) != std::string::npos) return true;
    return false;
}

/// A line of the course's or the student's code, with the function that contains it.
struct Frame {
    std::string function;
    Place place;
};

/// The lines of each instruction: its own line, and then the calls of the inlined functions that contain it,
/// innermost first.
using Lines = std::map<const void*, std::vector<Frame>>;

/// Reads the output of addr2line -a: for each instruction an address, then a function and a line for each
/// frame.
Lines lines_in(const std::string& answer) {
    Lines lines;
    std::istringstream text(answer);
    std::vector<Frame>* frames = nullptr;
    for (std::string first, place; std::getline(text, first);) {
        if (first.rfind("0x", 0) == 0) {
            const std::uintptr_t linked = std::strtoull(first.c_str(), nullptr, 16);
            frames = &lines[reinterpret_cast<const void*>(linked + program_image().moved)];
            continue;
        }
        if (!frames || !std::getline(text, place)) break;
        const auto colon = place.rfind(':');
        if (colon == std::string::npos) continue;
        const std::string file = whole_path(place.substr(0, colon));
        const int number = std::atoi(place.c_str() + colon + 1);
        if (number > 0 && !is_library(file)) frames->push_back({first, {{keep(file)}, number}});
    }
    return lines;
}

/// The answers of addr2line to all processes of this run. The cases of a test are separate processes that
/// need the same lines. The answers are stored in a file in memory, which the processes inherit. Without this
/// file, each process runs addr2line itself.
class Answers {
  public:
    void add(const std::string& answer) const {
        if (write(file_, answer.data(), answer.size()) < 0) return;
    }

    /// Returns the answers that other processes have added since this process last read.
    std::string news() {
        std::string text;
        char part[4096];
        for (ssize_t bytes; (bytes = pread(file_, part, sizeof part, read_)) > 0; read_ += bytes)
            text.append(part, static_cast<std::size_t>(bytes));
        return text;
    }

  private:
    const int file_ = memfd_create("source lines", MFD_CLOEXEC);
    off_t read_ = 0;
};

Answers answers;  // created before there are other processes

std::string ask_addr2line(const std::vector<const void*>& instructions) {
    std::ostringstream command;
    command << "addr2line -a -f -i -e /proc/" << getpid() << "/exe" << std::hex;
    for (const void* instruction : instructions)
        command << " 0x" << reinterpret_cast<std::uintptr_t>(instruction) - program_image().moved;
    command << " 2>/dev/null";
    std::string answer;
    FILE* const pipe = popen(command.str().c_str(), "r");
    if (!pipe) return answer;
    char part[4096];
    for (std::size_t bytes; (bytes = std::fread(part, 1, sizeof part, pipe)) > 0;) answer.append(part, bytes);
    pclose(pipe);
    return answer;
}

/// Returns the return addresses of the calls on the stack, innermost first.
std::vector<const void*> stack_of_calls() {
    constexpr std::size_t deepest = 64;
    std::vector<const void*> calls;
    calls.reserve(deepest);
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& found = *static_cast<std::vector<const void*>*>(out);
            found.push_back(reinterpret_cast<const char*>(_Unwind_GetIP(frame)) - 1);
            return found.size() < deepest ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &calls);
    return calls;
}

/// Returns the return addresses of the calls on the stack, and looks up their lines.
std::vector<const void*> calls_on_stack() {
    const std::vector<const void*> calls = stack_of_calls();
    look_up_lines(calls);
    return calls;
}

std::mutex lines_mutex;

Lines& known_lines() {
    static auto& known = *new Lines;
    return known;
}

const std::vector<Frame>& source_lines(const void* instruction) {
    static const std::vector<Frame> none;
    if (!program_image().holds(instruction)) return none;
    look_up_lines({instruction});
    const std::lock_guard lock(lines_mutex);
    return known_lines()[instruction];
}

/// Returns the name of a function without namespaces and arguments: "reduce" for "void ns::reduce<256>(float
/// const*)".
std::string base_name(std::string name) {
    const std::string nameless = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
    name = name.substr(0, name.find_first_of("<("));
    return name.substr(name.find_last_of(" :") + 1);
}

bool same_line(const Place& a, const Place& b) {
    return a.line == b.line && !std::strcmp(a.file, b.file);
}

bool is_header(const Place& place) {
    const std::string file = place.file;
    return file.size() < 3 || file.compare(file.size() - 3, 3, ".cu") != 0;
}

}  // namespace

// The debug information can have a path relative to the build folder, such as "../../common/kit.cuh" from
// ccache.
std::string whole_path(const std::string& path) {
    if (path.empty() || path[0] == '/') return path;
    std::size_t begin = 0;
    for (const std::string step : {"./", "../"})
        while (path.compare(begin, step.size(), step) == 0) begin += step.size();
    const std::string whole = std::string(root_folder) + "/" + path.substr(begin);
    return access(whole.c_str(), R_OK) == 0 ? whole : path;
}

void look_up_lines(std::vector<const void*> instructions) {
    constexpr std::size_t at_once = 1000;  // maximum number of addresses in one command
    const std::lock_guard lock(lines_mutex);
    Lines& known = known_lines();
    const auto leave_out_known = [&] {
        const auto needs_none = [&](const void* instruction) {
            return known.count(instruction) || !program_image().holds(instruction);
        };
        instructions.erase(std::remove_if(instructions.begin(), instructions.end(), needs_none),
                           instructions.end());
    };
    leave_out_known();
    if (instructions.empty()) return;
    known.merge(lines_in(answers.news()));
    leave_out_known();
    if (instructions.empty()) return;
    // A report often needs the lines of the callers next, so they are looked up together.
    const std::vector<const void*> calls = stack_of_calls();
    instructions.insert(instructions.end(), calls.begin(), calls.end());
    leave_out_known();
    std::sort(instructions.begin(), instructions.end());
    instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
    for (auto begin = instructions.begin(); begin != instructions.end();) {
        const auto end = begin + std::min<std::ptrdiff_t>(at_once, instructions.end() - begin);
        const std::string answer = ask_addr2line({begin, end});
        answers.add(answer);
        known.merge(lines_in(answer));
        for (; begin != end; ++begin)
            known[*begin];  // addr2line is not called again for an instruction that it does not know
    }
}

bool is_known(const void* instruction) {
    const std::lock_guard lock(lines_mutex);
    return known_lines().count(instruction) != 0;
}

Place source_line(const void* instruction) {
    const std::vector<Frame>& lines = source_lines(instruction);
    return lines.empty() ? Place{} : lines[0].place;
}

namespace {

/// Returns the line that called the function in the first frame. The other frames are the callers, innermost
/// first.
Place caller_among(const std::vector<Frame>& frames, const std::string& kernel) {
    if (frames.empty()) return {};
    Place nearest;
    const Place& here = frames[0].place;
    for (const Frame& frame : frames) {
        if (&frame != &frames[0] && !same_line(frame.place, here)) {
            if (!is_header(here) || !is_header(frame.place)) return frame.place;
            if (!nearest.line) nearest = frame.place;
        }
        if (base_name(demangle(frame.function)) == base_name(kernel)) break;
    }
    return nearest;
}

void append(std::vector<Frame>& frames, const std::vector<Frame>& more) {
    frames.insert(frames.end(), more.begin(), more.end());
}

/// Returns whether two names denote the same file. The compiler may have received one name as a relative path
/// and the other as an absolute path.
bool same_file_name(const char* a, const char* b) {
    const auto name = [](const char* path) {
        const char* const slash = std::strrchr(path, '/');
        return slash ? slash + 1 : path;
    };
    return !std::strcmp(name(a), name(b));
}

}  // namespace

Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now) {
    std::vector<Frame> frames = source_lines(instruction);
    if (runs_now) {
        const std::vector<const void*> calls = calls_on_stack();
        const auto own = std::find(calls.begin(), calls.end(), instruction);
        for (auto call = own; call != calls.end() && ++call != calls.end();)
            append(frames, source_lines(*call));
    }
    return caller_among(frames, kernel);
}

Place caller_now(Place place, const std::string& kernel) {
    place = look_up(place);
    std::vector<Frame> frames;
    for (const void* call : calls_on_stack()) append(frames, source_lines(call));
    const auto own = std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
        return frame.place.line == place.line && same_file_name(frame.place.file, place.file);
    });
    frames.erase(frames.begin(), own);
    return caller_among(frames, kernel);
}

HostCalls host_calls() {
    return std::make_shared<const std::vector<const void*>>(stack_of_calls());
}

Place caller_in(const HostCalls& calls, Place place) {
    place = look_up(place);
    if (!calls || place.line <= 0) return {};
    look_up_lines(*calls);
    std::vector<Frame> frames;
    for (const void* call : *calls) append(frames, source_lines(call));
    const auto same_file = [&](const Frame& frame) {
        return frame.place.line > 0 && same_file_name(frame.place.file, place.file);
    };
    auto frame = std::find_if(frames.begin(), frames.end(), same_file);
    while (frame != frames.end() && same_file(*frame) && frame->place.line == place.line) ++frame;
    return frame != frames.end() && same_file(*frame) ? frame->place : Place{};
}

Place first_line(const HostCalls& calls) {
    if (!calls) return {};
    look_up_lines(*calls);
    for (const void* call : *calls)
        if (const Place line = source_line(call); line.line) return line;
    return {};
}

Place look_up(Place place) {
    if (place.line > 0 && place.file[0] != '/') return {{keep(whole_path(place.file))}, place.line};
    if (place.line != Place::of_instruction) return place;
    Place line = source_line(place.instruction);
    if (line.line) return line;
    const std::vector<const void*> calls = calls_on_stack();
    for (auto call = std::find(calls.begin(), calls.end(), place.instruction);
         call != calls.end() && !line.line; ++call)
        line = source_line(*call);
    return line;
}

// A set of texts that are never removed, so pointers to them stay valid.

const char* keep(const std::string& text) {
    static std::mutex mutex;
    static auto& texts =
        *new std::set<std::string>;  // never destroyed, because findings are also reported when the process
                                     // ends
    std::lock_guard lock(mutex);
    return texts.insert(text).first->c_str();
}

}  // namespace kit::cpu
