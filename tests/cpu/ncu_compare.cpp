// Compares, line by line, what Nsight Compute has counted on a GPU with what the executor has: the second half of tests/cpu/ncu.sh.
//
//   ncu_compare RECORDS REASONS TABLE.md
//
// RECORDS holds for each program NAME.source.csv (ncu --page source), NAME.launches.csv (--page raw) and NAME.json (--profile=NAME.json).
// Launches are paired by kernel, number and shape. A line of a kernel is equal if in all pairs lanes, units and ideal units of its accesses are,
// and, where no predicate switches the instruction off for whole warps, requests.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& sentence) {
    std::fprintf(stderr, "ncu_compare: %s\n", sentence.c_str());
    std::exit(2);
}

enum Kind { load, store, shared_load, shared_store, kinds };
constexpr const char* kind_names[kinds] = {"load", "store", "shared load", "shared store"};
constexpr const char* kind_keys[kinds] = {"load", "store", "shared_load", "shared_store"};

/// What one side counts of one kind of access by one line.
struct Counts {
    std::uint64_t requests = 0, lanes = 0, units = 0, ideal = 0, bytes = 0;
    bool requests_known = true;

    void add(const Counts& other) {
        requests += other.requests;
        lanes += other.lanes;
        units += other.units;
        ideal += other.ideal;
        bytes += other.bytes;
        requests_known &= other.requests_known;
    }
};

bool equal(const Counts& a, const Counts& b) {
    const bool both_known = a.requests_known && b.requests_known;
    return a.lanes == b.lanes && a.units == b.units && a.ideal == b.ideal &&
           (!both_known || a.requests == b.requests);
}

/// A line of a file of the course, without the folder in which its checkout lay.
using Where = std::pair<std::string, int>;

std::string below_root(const std::string& path) {
    for (const char* folder : {"/solutions/", "/lectures/", "/tests/", "/common/", "/exercises/"}) {
        const auto at = path.rfind(folder);
        if (at != std::string::npos) return path.substr(at + 1);
    }
    return path;
}

/// A statement may be spread over lines, and compilers differ about which of them an access belongs to: the first one stands for all.
class Statements {
  public:
    Where first_line(Where where) {
        const auto& lines = lines_of(where.first);
        const auto at = static_cast<std::size_t>(where.second);
        if (at - 1 < lines.size())
            while (where.second > 1 && !ends(lines[static_cast<std::size_t>(where.second - 2)]))
                --where.second;
        return where;
    }

  private:
    /// After this line another statement begins.
    static bool ends(std::string line) {
        line = line.substr(0, line.find("//"));
        const auto last = line.find_last_not_of(" \t");
        const auto first = line.find_first_not_of(" \t");
        return last == std::string::npos || line[first] == '#' ||
               std::string(";{}:").find(line[last]) != std::string::npos;
    }

    const std::vector<std::string>& lines_of(const std::string& path) {
        const auto [file, is_new] = files_.try_emplace(path);
        if (!is_new) return file->second;
        std::ifstream text(path);
        for (std::string line; std::getline(text, line);) file->second.push_back(line);
        return file->second;
    }

    std::map<std::string, std::vector<std::string>> files_;
};

Where statement_of(const Where& line) {
    static Statements statements;
    return statements.first_line(line);
}

/// An instruction of the GPU: which statements it may belong to. What was inlined has the line of the helper and the line of the call.
struct Instruction {
    std::vector<Where> statements;
    int kind;
    Counts counts;
};

struct Launch {
    std::string kernel, shape;
    std::map<std::pair<Where, int>, Counts> lines;    ///< by statement and kind
    std::map<std::string, Instruction> instructions;  ///< of the GPU, by address

    /// The lines of the GPU's launch, each instruction with that of its statements that the executor has, too.
    std::map<std::pair<Where, int>, Counts> lines_beside(const Launch& executor) const {
        std::map<std::pair<Where, int>, Counts> result;
        for (const auto& [address, one] : instructions) {
            Where where = one.statements.front();
            for (const Where& statement : one.statements)
                if (executor.lines.count({statement, one.kind})) where = statement;
            result[{where, one.kind}].add(one.counts);
        }
        return result;
    }
};

// ---- ncu ----

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += '"', ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

/// "void space::<unnamed>::name<T>(int *)" is "name".
std::string base_name(const std::string& signature) {
    const std::string unnamed = "<unnamed>::";
    std::string name;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const char c = signature[i];
        if (c == ' ' || c == ':')
            name.clear();
        else if (name.empty() && signature.compare(i, unnamed.size(), unnamed) == 0)
            i += unnamed.size() - 1;
        else if (c == '(' || c == '<')
            break;
        else
            name += c;
    }
    return name;
}

/// "(256, 1, 1)" and [256,1,1] alike are "256x1x1".
std::string shape_of(const std::string& grid, const std::string& block) {
    std::string shape;
    for (const char c : grid + "/" + block)
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '/')
            shape += c;
        else if (c == ',')
            shape += 'x';
    return shape;
}

/// Global memory, shared memory, or neither (local memory, atomics, copies from one to the other).
int kind_of(const std::string& opcode, bool touches_shared) {
    if (opcode == "LDG" || (opcode == "LD" && !touches_shared)) return load;
    if (opcode == "STG" || (opcode == "ST" && !touches_shared)) return store;
    if (opcode == "LDS" || opcode == "LDSM" || opcode == "LD") return shared_load;
    if (opcode == "STS" || opcode == "ST") return shared_store;
    return kinds;
}

class NcuReader {
  public:
    std::vector<Launch> read(const fs::path& source, const fs::path& launches) {
        std::ifstream raw(launches);
        std::string line;
        while (std::getline(raw, line)) {
            const auto fields = fields_of(line);
            if (fields.size() < 9 || fields[0].empty() || fields[0] == "ID") continue;
            result_.push_back({base_name(fields[4]), shape_of(fields[8], fields[7]), {}, {}});
        }
        std::ifstream file(source);
        while (std::getline(file, line)) take(fields_of(line));
        end_section();
        return std::move(result_);
    }

  private:
    void take(const std::vector<std::string>& row) {
        if (row[0] == "File Path") {
            end_section();
            file_ = below_root(row.at(1));
        } else if (row[0] == "Function Name") {
            end_section();
            function_ = row.at(1);
        } else if (row[0] == "Line No") {
            columns_.clear();
            for (std::size_t i = 0; i < row.size(); ++i) columns_[row[i]] = i;
        } else if (row.size() > 4 && !row[0].empty()) {
            line_ = std::atoi(row[0].c_str());
        } else if (row.size() > 4 && row[2].compare(0, 2, "0x") == 0) {
            instruction(row);
        }
    }

    std::uint64_t number(const std::vector<std::string>& row, const char* column) const {
        const auto at = columns_.find(column);
        return at == columns_.end() ? 0 : std::strtoull(row.at(at->second).c_str(), nullptr, 10);
    }

    /// A section has the lines of one file in one function. A kernel with code from several files has several; and there are some of
    /// functions that the launch has not run, and of kernels that it has launched: these belong to it.
    void end_section() {
        const bool of_course =
            file_.front() != '/';  // what headers of the toolkit do belongs to the line that calls them
        if (executed_ && (same_launch() || next_launch() || launch_ >= 0) && of_course)
            for (const auto& [address, one] : section_) {
                auto& instruction = result_[static_cast<std::size_t>(launch_)]
                                        .instructions.insert({address, one})
                                        .first->second;
                for (const Where& statement : one.statements)
                    if (std::find(instruction.statements.begin(), instruction.statements.end(), statement) ==
                        instruction.statements.end())
                        instruction.statements.push_back(statement);
            }
        section_.clear();
        executed_ = false;
    }

    bool same_launch() { return function_ == kernel_ && files_.insert(file_).second; }

    /// Kernels without any source are passed over.
    bool next_launch() {
        constexpr int farthest = 3;
        for (int at = launch_ + 1; at < static_cast<int>(result_.size()) && at <= launch_ + farthest; ++at) {
            if (result_[static_cast<std::size_t>(at)].kernel != base_name(function_)) continue;
            launch_ = at;
            kernel_ = function_;
            files_ = {file_};
            return true;
        }
        return false;
    }

    void instruction(const std::vector<std::string>& row) {
        executed_ |= number(row, "inst_executed") > 0;
        std::istringstream words(row[3]);
        std::string opcode, predicate;
        words >> opcode;
        if (opcode[0] == '@') predicate = opcode, words >> opcode;
        opcode = opcode.substr(0, opcode.find('.'));
        Counts counts;
        counts.lanes = number(row, "thread_inst_executed_true");
        const std::uint64_t wavefronts = number(row, "memory_l1_wavefronts_shared");
        const int kind = kind_of(opcode, wavefronts > 0);
        if (kind == kinds || !counts.lanes) return;
        counts.requests = number(row, "inst_executed");
        counts.requests_known = predicate.empty();
        const bool shared = kind == shared_load || kind == shared_store;
        counts.units = shared ? wavefronts : number(row, "memory_l2_theoretical_sectors_global");
        counts.ideal = number(
            row, shared ? "memory_l1_wavefronts_shared_ideal" : "memory_l2_theoretical_sectors_global_ideal");
        counts.bytes = counts.lanes * number(row, "memory_access_size_type") / 8;
        Instruction& instruction = section_.insert({row[2], {{}, kind, counts}}).first->second;
        instruction.statements.push_back(statement_of({file_, line_}));
    }

    std::vector<Launch> result_;
    int launch_ = -1, line_ = 0;
    std::string file_, function_;                 ///< of this section
    std::map<std::string, Instruction> section_;  ///< by address
    bool executed_ = false;
    std::string kernel_;           ///< of this launch,
    std::set<std::string> files_;  ///< and the files of its sections until now
    std::map<std::string, std::size_t> columns_;
};

// ---- the executor ----

std::vector<Launch> read_executor(const fs::path& path) {
    std::ifstream file(path);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded()) fail(path.string() + " is missing, or is not JSON");
    std::vector<Launch> result;
    for (const auto& one : json) {
        // The profiler counts a kernel and all that it launches together.
        const bool child = one["child"] == 1 && !result.empty();
        if (!child)
            result.push_back(
                {base_name(one["kernel"]), shape_of(one["grid"].dump(), one["block"].dump()), {}, {}});
        Launch& launch = result.back();
        for (const auto& line : one["lines"])
            for (const auto& of : line["requests"]) {
                const auto kind = std::find(kind_keys, kind_keys + kinds, of["kind"].get<std::string>());
                if (kind == kind_keys + kinds) continue;
                const Where where = statement_of({below_root(line["file"]), line["line"]});
                launch.lines[{where, static_cast<int>(kind - kind_keys)}].add(
                    {of["requests"], of["lanes"], of["units"], of["ideal"], of["used"], true});
            }
    }
    return result;
}

// ---- comparison ----

struct Line {
    Counts gpu, executor;
    bool is_equal = true;
};

struct Kernel {
    std::size_t launches = 0;
    std::map<std::pair<Where, int>, Line> lines;
};

/// What the compiler has done to this line, as far as the bytes tell; empty if the same accesses cost something else.
std::string change(const Line& line) {
    const Counts &gpu = line.gpu, &executor = line.executor;
    if (!gpu.lanes) return "removed by nvcc, or done by another line";
    if (!executor.lanes) return "only on the GPU: added by nvcc, or done by another line";
    if (gpu.bytes == executor.bytes && gpu.lanes < executor.lanes)
        return "merged by nvcc into wider accesses";
    if (gpu.bytes == executor.bytes && gpu.lanes > executor.lanes)
        return "split by nvcc into narrower accesses";
    if (gpu.bytes < executor.bytes) return "fewer accesses: nvcc keeps values in registers";
    if (gpu.bytes > executor.bytes) return "more accesses: the C++ compiler keeps values in registers";
    return "";
}

std::string text_of(const Where& where) {
    std::ifstream file(where.first);
    std::string line;
    for (int i = 0; i < where.second && std::getline(file, line); ++i) {
    }
    const auto first = line.find_first_not_of(" \t");
    line = first == std::string::npos ? "" : line.substr(first);
    std::string result;
    for (const char c : line.substr(0, 70)) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
}

class Comparison {
  public:
    void program(const fs::path& records, const std::string& name) {
        auto gpu = NcuReader().read(records / (name + ".source.csv"), records / (name + ".launches.csv"));
        const auto executor = read_executor(records / (name + ".json"));
        const std::string program = name.substr(name.find('.') + 1);
        for (Launch& launch : gpu)
            if (const Launch* const other = most_alike(executor, launch))
                pair(kernels_[{program, launch.kernel}], launch, *other);
            else
                alone_.insert({program, launch.kernel});
    }

    bool write(const fs::path& reasons, const fs::path& table) {
        read_reasons(reasons);
        std::size_t lines = 0, equals = 0, pairs = 0, same_accesses = 0;
        std::map<std::string, std::array<std::size_t, 3>> topics;  // kernels, lines, equal ones
        std::ostringstream differences;
        for (const auto& [who, kernel] : kernels_) {
            pairs += kernel.launches;
            const std::string topic = who.first.substr(0, who.first.find('.'));
            ++topics[topic][0];
            for (const auto& [where, line] : kernel.lines) {
                ++lines, ++topics[topic][1];
                equals += line.is_equal, topics[topic][2] += line.is_equal;
                same_accesses += line.is_equal || change(line).empty();
                if (!line.is_equal) difference(differences, who, where, line);
            }
        }
        std::ofstream out(table);
        out << "# The executor's counts beside those of Nsight Compute\n\n"
               "Written by `tests/cpu/ncu.sh`, which says what is run. A statement of a kernel counts as one "
               "line for each kind of access: "
               "global loads and stores, shared loads and stores. It is equal if lanes, sectors or "
               "wavefronts, and the ideal number of these "
               "are equal in every launch that was looked at; so must requests be where no predicate hides "
               "them. What a kernel launches "
               "counts with it. Not compared: atomics, of which the executor counts distinct addresses; "
               "local memory, which is the "
               "compiler's; asynchronous copies; the arguments of launches by kernels.\n\n";
        out << equals << " of " << lines << " lines are equal (" << percent(equals, lines) << "%), in "
            << pairs << " launches of " << kernels_.size()
            << " kernels. In the others the two compilers made different accesses of the line, but for "
            << same_accesses - equals << ": of the lines with the same accesses "
            << percent(equals, same_accesses)
            << "% are equal.\n\n| topic | kernels | lines | equal |\n|---|--:|--:|--:|\n";
        for (const auto& [topic, count] : topics)
            out << "| " << topic << " | " << count[0] << " | " << count[1] << " | " << count[2] << " |\n";
        out << "\n## Lines that differ\n\nSums over all launches that were looked at, units are sectors or "
               "wavefronts.\n\n"
               "| kernel | line | access | executor: lanes, units | GPU: lanes, units | why "
               "|\n|---|---|---|--:|--:|---|\n"
            << differences.str();
        for (auto& who : compared()) alone_.erase(who);
        if (!alone_.empty()) {
            out << "\n## Kernels that could not be paired\n\nThe GPU ran them in another number or in other "
                   "shapes than the executor.\n\n";
            for (const auto& [program, kernel] : alone_) out << "- `" << kernel << "` in " << program << "\n";
        }
        std::printf("%zu of %zu lines equal (%s%%), %zu pairs of launches, %zu kernels, %zu not paired\n",
                    equals, lines, percent(equals, lines).c_str(), pairs, kernels_.size(), alone_.size());
        for (const auto& [key, reason] : reasons_)
            if (!used_.count(key)) std::printf("a reason that nothing needs: %s\n", key.c_str());
        if (unexplained_) std::printf("%d differences without a reason\n", unexplained_);
        return unexplained_ == 0 && used_.size() == reasons_.size() && 100 * equals >= 95 * lines;
    }

  private:
    using Who = std::pair<std::string, std::string>;

    /// Tests have some cases, and so launches, on one side only, and a template has several kernels: numbers would not pair them. Of the
    /// launches of that shape the one that moves the most similar bytes is it, if at least one line moves the same.
    static const Launch* most_alike(const std::vector<Launch>& all, Launch& wanted) {
        const Launch* best = nullptr;
        std::pair<std::uint64_t, int> best_difference;
        for (const Launch& launch : all) {
            if (launch.kernel != wanted.kernel || launch.shape != wanted.shape) continue;
            wanted.lines = wanted.lines_beside(launch);
            std::pair<std::uint64_t, int> difference{};
            bool same = false;
            for (const auto& where : places(launch, wanted)) {
                const Counts here = counts_in(launch, where), there = counts_in(wanted, where);
                difference.first +=
                    here.bytes > there.bytes ? here.bytes - there.bytes : there.bytes - here.bytes;
                difference.second += !equal(here, there);
                same |= here.bytes == there.bytes;
            }
            if ((!same && !wanted.lines.empty()) || (best && difference >= best_difference)) continue;
            best = &launch;
            best_difference = difference;
        }
        if (best) wanted.lines = wanted.lines_beside(*best);
        return best;
    }

    static std::set<std::pair<Where, int>> places(const Launch& a, const Launch& b) {
        std::set<std::pair<Where, int>> all;
        for (const auto& [where, counts] : a.lines) all.insert(where);
        for (const auto& [where, counts] : b.lines) all.insert(where);
        return all;
    }

    static Counts counts_in(const Launch& launch, const std::pair<Where, int>& where) {
        const auto found = launch.lines.find(where);
        return found == launch.lines.end() ? Counts{} : found->second;
    }

    static void pair(Kernel& kernel, const Launch& gpu, const Launch& executor) {
        ++kernel.launches;
        for (const auto& where : places(gpu, executor)) {
            const Counts there = counts_in(gpu, where), here = counts_in(executor, where);
            if (!here.lanes && text_of(where.first).find("<<<") != std::string::npos) continue;
            Line& line = kernel.lines[where];
            line.is_equal &= equal(there, here);
            line.gpu.add(there);
            line.executor.add(here);
        }
    }

    /// Lines `KERNEL :: why`: of lines of this kernel that make the same accesses and that cost something else.
    void read_reasons(const fs::path& path) {
        std::ifstream file(path);
        std::string line;
        while (std::getline(file, line)) {
            if (line.empty() || line[0] == '#') continue;
            const auto at = line.find(" :: ");
            if (at == std::string::npos) fail(path.string() + ": no \" :: \" in: " + line);
            reasons_[line.substr(0, at)] = line.substr(at + 4);
        }
    }

    void difference(std::ostream& out, const Who& who, const std::pair<Where, int>& where, const Line& line) {
        const std::string text = text_of(where.first);
        std::string why = change(line);
        const auto reason = reasons_.find(who.second);
        if (why.empty() && reason != reasons_.end()) {
            used_.insert(who.second);
            why = reason->second;
        }
        if (why.empty()) {
            std::printf("no reason: %s, %s: %s (%s, line %d)\n", who.second.c_str(), kind_names[where.second],
                        text.c_str(), who.first.c_str(), where.first.second);
            ++unexplained_;
            why = "**not explained**";
        }
        out << "| `" << who.second << "` in " << who.first << " | `` " << text << " `` | "
            << kind_names[where.second] << " | " << line.executor.lanes << ", " << line.executor.units
            << " | " << line.gpu.lanes << ", " << line.gpu.units << " | " << why << " |\n";
    }

    static std::string percent(std::size_t part, std::size_t whole) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f", whole ? 100.0 * double(part) / double(whole) : 0.0);
        return text;
    }

    std::vector<Who> compared() const {
        std::vector<Who> result;
        for (const auto& [who, kernel] : kernels_) result.push_back(who);
        return result;
    }

    std::map<Who, Kernel> kernels_;
    std::set<Who> alone_;
    std::map<std::string, std::string> reasons_;
    std::set<std::string> used_;
    int unexplained_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) fail("usage: ncu_compare RECORDS REASONS TABLE.md");
    Comparison comparison;
    std::set<std::string> names;
    const std::string ending = ".source.csv";
    for (const auto& entry : fs::directory_iterator(argv[1])) {
        const std::string name = entry.path().filename();
        if (name.size() > ending.size() &&
            name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
            names.insert(name.substr(0, name.size() - ending.size()));
    }
    if (names.empty()) fail(std::string("no records in ") + argv[1]);
    for (const std::string& name : names)
        if (fs::exists(fs::path(argv[1]) / (name + ".json"))) comparison.program(argv[1], name);
    return comparison.write(argv[2], argv[3]) ? 0 : 1;
}
