// Compares, line by line, what Nsight Compute has counted on a GPU with what the executor has: the second half of tests/cpu/ncu.sh.
//
//   ncu_compare RECORDS REASONS TABLE.md
//
// RECORDS holds for each program NAME.source.csv (ncu --page source), NAME.launches.csv (--page raw) and NAME.json (--profile=NAME.json).
// Launches are paired by kernel, number and shape. A line of a kernel is equal if in all pairs lanes, units and ideal units of its accesses are,
// and, where no predicate switches the instruction off for whole warps, requests.
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "ncu_launches.hpp"

namespace {

using namespace ncu;

struct Line {
    Counts gpu, executor;
    bool is_equal = true;
    bool in_headers = false;  ///< the GPU's instructions may be some that have lines of headers only
};

struct Kernel {
    std::size_t launches = 0;
    std::map<std::pair<Where, int>, Line> lines;
};

/// How the accesses of the two sides differ; empty if they are the same ones, and cost something else. Who did it the numbers do not tell.
std::string change(const Line& line) {
    const Counts &gpu = line.gpu, &executor = line.executor;
    if (!gpu.lanes)
        return line.in_headers ? "on the GPU in lines of the toolkit's headers, as others"
                               : "no accesses on the GPU";
    if (!executor.lanes) return "accesses on the GPU only";
    if (gpu.bytes < executor.bytes) return "fewer bytes on the GPU";
    if (gpu.bytes > executor.bytes) return "more bytes on the GPU";
    if (gpu.lanes < executor.lanes) return "the same bytes in fewer, wider accesses on the GPU";
    if (gpu.lanes > executor.lanes) return "the same bytes in more, narrower accesses on the GPU";
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
               "counts with it. What the GPU has in lines of the toolkit's headers only is compared with all "
               "lines of the kernel that "
               "have no such access there, together. Not compared: atomics, of which the executor counts "
               "distinct addresses; "
               "local memory, which is the "
               "compiler's; asynchronous copies; the arguments of launches by kernels.\n\n";
        out << equals << " of " << lines << " lines are equal (" << percent(equals, lines) << "%), in "
            << pairs << " launches of " << kernels_.size()
            << " kernels. In the others the two sides access other widths or numbers of bytes, but for "
            << same_accesses - equals << ": of the lines with the same accesses "
            << percent(equals, same_accesses)
            << "% are equal. Where the accesses differ, the two compilers have merged, split or removed "
               "some, or kept values "
               "in registers; or a test launched with other values, as launches are paired by kernel, shape "
               "and bytes. The table says "
               "how they differ, and a reason only where somebody has looked at the instructions or the "
               "source.\n\n| topic | kernels | lines | equal |\n|---|--:|--:|--:|\n";
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

    /// Lines without accesses on the GPU are compared, kind by kind, with all that it has in headers: together.
    static void pair(Kernel& kernel, const Launch& gpu, const Launch& executor) {
        ++kernel.launches;
        Counts missing[kinds], in_headers[kinds];
        for (const auto& where : places(gpu, executor))
            if (!counts_in(gpu, where).lanes) missing[where.second].add(counts_in(executor, where));
        for (int kind = 0; kind < kinds; ++kind) in_headers[kind] = gpu.in_headers_only(kind);
        for (const auto& where : places(gpu, executor)) {
            const Counts &here = counts_in(executor, where), &all = in_headers[where.second];
            Counts there = counts_in(gpu, where);
            if (!here.lanes && text_of(where.first).find("<<<") != std::string::npos) continue;
            Line& line = kernel.lines[where];
            if (!there.lanes && all.lanes) {
                line.in_headers = true;
                if (equal(all, missing[where.second])) there = here;
            }
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
