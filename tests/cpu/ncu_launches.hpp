// Reads the counts of Nsight Compute and of the executor by launch, for ncu_compare.cpp.
#pragma once

#include <algorithm>
#include <cctype>
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
#include <utility>
#include <vector>

namespace ncu {

namespace fs = std::filesystem;

[[noreturn]] inline void fail(const std::string& sentence) {
    std::fprintf(stderr, "ncu_compare: %s\n", sentence.c_str());
    std::exit(2);
}

enum Kind { load, store, shared_load, shared_store, kinds };
constexpr const char* kind_names[kinds] = {"load", "store", "shared load", "shared store"};
constexpr const char* kind_keys[kinds] = {"load", "store", "shared_load", "shared_store"};

/// The counts of one side, for one kind of access at one line.
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

inline bool equal(const Counts& a, const Counts& b) {
    const bool both_known = a.requests_known && b.requests_known;
    return a.lanes == b.lanes && a.units == b.units && a.ideal == b.ideal &&
           (!both_known || a.requests == b.requests);
}

/// A line in a file of the course. The name of the file is relative to the root of the course.
using Where = std::pair<std::string, int>;

inline std::string below_root(const std::string& path) {
    if (path.compare(0, 5, "/usr/") == 0) return path;
    for (const char* folder : {"/solutions/", "/lectures/", "/tests/", "/common/", "/exercises/"}) {
        const auto at = path.rfind(folder);
        if (at != std::string::npos) return path.substr(at + 1);
    }
    return path;
}

/// Maps lines to statements. A statement can have several lines, and compilers disagree about the line of an
/// access, so the first line stands for all of them.
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

    bool has(const Where& where) {
        return static_cast<std::size_t>(where.second) <= lines_of(where.first).size();
    }

  private:
    /// Returns whether a statement ends at this line.
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

inline Statements& statements() {
    static Statements all;
    return all;
}

/// An instruction of the GPU, with the statements to which it may belong. An inlined instruction has the line
/// of the helper and the line of the call, in any order.
struct Instruction {
    std::vector<Where> statements;
    int kind;
    Counts counts;
};

struct Launch {
    std::string kernel, shape;
    std::map<std::pair<Where, int>, Counts> lines;    ///< counts by statement and kind
    std::map<std::string, Instruction> instructions;  ///< instructions of the GPU, by address
    std::map<std::string, Instruction> in_headers;    ///< instructions whose lines are in headers of the
                                                      ///< toolkit, by address
    std::string instance = {};  ///< name of the kernel with template arguments, as the GPU reports it

    /// Returns the counts of instructions whose lines are all in headers of the toolkit, as for functions
    /// that are inlined deeply.
    Counts in_headers_only(int kind) const {
        Counts all;
        for (const auto& [address, one] : in_headers)
            if (one.kind == kind && !instructions.count(address)) all.add(one.counts);
        return all;
    }

    /// Returns the counts of the GPU's launch by statement. An instruction belongs to the statement that the
    /// executor also has. If a helper and its call both match, it belongs to the helper, which is in a header
    /// or further up in the file.
    std::map<std::pair<Where, int>, Counts> lines_beside(const Launch& executor) const {
        std::map<std::pair<Where, int>, Counts> result;
        for (const auto& [address, one] : instructions) {
            std::vector<Where> where = one.statements;
            std::sort(where.begin(), where.end(), [](const Where& a, const Where& b) {
                return std::pair(fs::path(a.first).extension() == ".cu", a) <
                       std::pair(fs::path(b.first).extension() == ".cu", b);
            });
            const auto of_both =
                std::find_if(where.begin(), where.end(), [&, kind = one.kind](const Where& statement) {
                    return executor.lines.count({statement, kind}) > 0;
                });
            result[{of_both == where.end() ? where.front() : *of_both, one.kind}].add(one.counts);
        }
        return result;
    }
};

// The output of ncu.

inline std::vector<std::string> fields_of(const std::string& line) {
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

/// Returns the name of a kernel without namespaces and arguments: "name" for "void
/// space::<unnamed>::name<T>(int *)".
inline std::string base_name(const std::string& signature) {
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

/// Returns the shape as "256x1x1", for both "(256, 1, 1)" and "[256,1,1]".
inline std::string shape_of(const std::string& grid, const std::string& block) {
    std::string shape;
    for (const char c : grid + "/" + block)
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '/')
            shape += c;
        else if (c == ',')
            shape += 'x';
    return shape;
}

/// Returns whether an instruction accesses global memory, shared memory, or neither (local memory, atomics,
/// copies). LD and ST can be any of these.
inline int kind_of(const std::string& opcode, bool touches_shared, bool touches_global) {
    if ((opcode == "LD" || opcode == "ST") && !touches_shared && !touches_global) return kinds;
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
            result_.push_back({base_name(fields[4]), shape_of(fields[8], fields[7]), {}, {}, {}, fields[4]});
        }
        std::ifstream file(source);
        while (std::getline(file, line)) take(fields_of(line));
        end_section();
        end_launch();
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

    /// Ends a section, which contains the lines of one file in one function. A launch has several sections:
    /// one for each file of its code, and those of kernels that it has launched, which belong to it. Some
    /// sections describe functions that have not run. The next launch begins when a section is repeated, or
    /// with a section of the next kernel.
    void end_section() {
        if (!function_.empty()) {
            const bool has_run = executed_;
            const bool again = !sections_of_launch_.insert({file_, function_}).second;
            const int next = has_run ? next_launch(current_ < 0 ? launch_ : current_) : -1;
            if (again || (current_ >= 0 && next >= 0 && function_ != kernel_)) {
                end_launch();
                sections_of_launch_ = {{file_, function_}};
            }
            if (current_ < 0 && has_run && (current_ = next_launch(launch_)) >= 0) kernel_ = function_;
            if (has_run) sections_.push_back({file_.front() != '/', std::move(section_)});
        }
        section_.clear();
        function_.clear();
        executed_ = false;
    }

    /// Ends a launch. When a launch has ended, instructions in headers of the toolkit belong to the line that
    /// calls them.
    void end_launch() {
        if (current_ >= 0) {
            Launch& launch = result_[static_cast<std::size_t>(current_)];
            for (const auto& [of_course, section] : sections_)
                for (const auto& [address, one] : section) {
                    auto& instruction = (of_course ? launch.instructions : launch.in_headers)
                                            .insert({address, one})
                                            .first->second;
                    for (const Where& statement : one.statements)
                        if (std::find(instruction.statements.begin(), instruction.statements.end(),
                                      statement) == instruction.statements.end())
                            instruction.statements.push_back(statement);
                }
            launch_ = current_;
        }
        sections_.clear();
        current_ = -1;
    }

    /// Returns the index of the next launch of this kernel. Kernels without source lines are skipped.
    int next_launch(int after) const {
        constexpr int farthest = 3;
        for (int at = after + 1; at < static_cast<int>(result_.size()) && at <= after + farthest; ++at)
            if (result_[static_cast<std::size_t>(at)].kernel == base_name(function_)) return at;
        return -1;
    }

    void instruction(const std::vector<std::string>& row) {
        executed_ |= number(row, "inst_executed") > 0;
        if (file_.front() != '/' && !statements().has({file_, line_}))
            return;  // a line of a header under the name of a different file
        std::istringstream words(row[3]);
        std::string opcode, predicate;
        words >> opcode;
        if (opcode[0] == '@') predicate = opcode, words >> opcode;
        opcode = opcode.substr(0, opcode.find('.'));
        Counts counts;
        counts.lanes = number(row, "thread_inst_executed_true");
        const std::uint64_t wavefronts = number(row, "memory_l1_wavefronts_shared");
        const std::uint64_t sectors = number(row, "memory_l2_theoretical_sectors_global");
        const int kind = kind_of(opcode, wavefronts > 0, sectors > 0);
        if (kind == kinds || !counts.lanes) return;
        counts.requests = number(row, "inst_executed");
        counts.requests_known = predicate.empty();
        const bool shared = kind == shared_load || kind == shared_store;
        counts.units = shared ? wavefronts : sectors;
        counts.ideal = number(
            row, shared ? "memory_l1_wavefronts_shared_ideal" : "memory_l2_theoretical_sectors_global_ideal");
        counts.bytes = counts.lanes * number(row, "memory_access_size_type") / 8;
        Instruction& instruction = section_.insert({row[2], {{}, kind, counts}}).first->second;
        instruction.statements.push_back(statements().first_line({file_, line_}));
    }

    std::vector<Launch> result_;
    int line_ = 0;
    std::string file_, function_;                 ///< file and function of the current section
    std::map<std::string, Instruction> section_;  ///< instructions of the current section, by address
    bool executed_ = false;
    int launch_ = -1,
        current_ =
            -1;  ///< index of the last complete launch, and of the launch of the current sections; -1 if it
                 ///< is not known
    std::string kernel_;  ///< kernel of the current launch
    std::set<std::pair<std::string, std::string>> sections_of_launch_;
    std::vector<std::pair<bool, std::map<std::string, Instruction>>>
        sections_;  ///< sections whose functions ran, with whether they are in the course's files
    std::map<std::string, std::size_t> columns_;
};

// The output of the executor.

inline std::vector<Launch> read_executor(const fs::path& path) {
    std::ifstream file(path);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded()) fail(path.string() + " is missing, or is not JSON");
    std::vector<Launch> result;
    for (const auto& one : json) {
        // The profiler counts a kernel together with all kernels that it launches.
        const bool child = one["child"] == true && !result.empty();
        if (!child)
            result.push_back(
                {base_name(one["kernel"]), shape_of(one["grid"].dump(), one["block"].dump()), {}, {}, {}});
        Launch& launch = result.back();
        for (const auto& line : one["lines"])
            for (const auto& of : line["requests"]) {
                const auto kind = std::find(kind_keys, kind_keys + kinds, of["kind"].get<std::string>());
                if (kind == kind_keys + kinds) continue;
                const Where where = statements().first_line({below_root(line["file"]), line["line"]});
                launch.lines[{where, static_cast<int>(kind - kind_keys)}].add(
                    {of["requests"], of["lanes"], of["units"], of["ideal"], of["used"], true});
            }
    }
    return result;
}

}  // namespace ncu
