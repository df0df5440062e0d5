// Compares the counts of Nsight Compute on a GPU with those of the executor, line by line. This is the second
// part of tests/cpu/ncu.sh.
//
//   ncu_compare RECORDS REASONS TABLE.md LAUNCHES
//
// For each program, RECORDS contains NAME.source.csv (ncu --page source), NAME.launches.csv (--page raw) and
// the output of --profile=NAME.ORDER.json for each order of threads. device.txt has the name of the GPU, and
// RECORDS/again has the first two files of a second run. LAUNCHES, such as "1|2|4", are the numbers of the
// profiled launches of each kernel. A line of a kernel is equal if, in all pairs of launches, the lanes,
// units and ideal units of its accesses are equal. The requests must also be equal, unless a predicate turns
// the instruction off for whole warps. A line whose counts vary on either side is not compared.
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "ncu_pairs.hpp"

namespace {

using namespace ncu;

struct Line {
    Counts gpu, executor;
    bool is_equal = true;
    bool in_headers = false;  ///< whether the GPU's instructions may have only lines of headers
    bool has_one_count =
        true;  ///< whether the counts are equal in every order of threads on the executor, and in both runs
               ///< on the GPU
};

struct Kernel {
    std::size_t launches = 0;
    std::map<std::pair<Where, int>, Line> lines;
};

/// Describes how the accesses of the two sides differ. Empty if the accesses are the same and only their
/// costs differ.
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
    explicit Comparison(const std::string& launches) {
        std::istringstream numbers(launches);
        for (std::string number; std::getline(numbers, number, '|');) numbers_.push_back(std::stoul(number));
    }

    void program(const fs::path& records, const std::string& name) {
        auto gpu = read_gpu(records, name);
        const auto again = read_gpu(records / "again", name);
        std::vector<std::vector<Launch>> orders;
        for (const char* order : {"forward", "reverse", "random"})
            orders.push_back(read_executor(records / (name + "." + order + ".json")));
        const Pairs pairs(gpu, orders[0], name.compare(0, 4, "demo") == 0, numbers_);
        by_likeness_ += pairs.by_likeness;
        const std::string program = name.substr(name.find('.') + 1);
        for (std::size_t i = 0; i < gpu.size(); ++i) {
            const Who who{program, gpu[i].kernel};
            const Launch* const other = pairs.of[i];
            if (!other) {
                alone_.insert(who);
                continue;
            }
            gpu[i].lines = gpu[i].lines_beside(*other);
            pair(kernels_[who], gpu[i], *other);
            if (const Launch* const second = same_in(again, gpu, i))
                see_again(kernels_[who], gpu[i], *second, *other);
            for (std::size_t order = 1; order < orders.size(); ++order)
                see_order(kernels_[who], *other, orders[order]);
        }
    }

    bool write(const std::string& device, const fs::path& reasons, const fs::path& table) {
        read_reasons(reasons);
        std::size_t lines = 0, equals = 0, launches = 0, without_count = 0;
        std::map<std::string, std::array<std::size_t, 4>>
            topics;  // per topic: number of kernels, lines, equal lines, and lines without a count
        std::ostringstream differences, depending;
        for (const auto& [who, kernel] : kernels_) {
            launches += kernel.launches;
            auto& topic = topics[who.first.substr(0, who.first.find('.'))];
            ++topic[0];
            for (const auto& [where, line] : kernel.lines) {
                if (!line.has_one_count) {
                    ++without_count, ++topic[3];
                    difference(depending, who, where, line);
                    continue;
                }
                ++lines, ++topic[1];
                equals += line.is_equal, topic[2] += line.is_equal;
                if (!line.is_equal) difference(differences, who, where, line);
            }
        }
        std::ofstream out(table);
        out << "# The executor's counts compared with Nsight Compute\n\n"
            << equals << " of " << lines << " lines are equal (" << percent(equals, lines) << "%), in "
            << launches << " launches of " << kernels_.size() << " kernels. The counts of " << without_count
            << " more lines depend on the order in which threads arrive. These have no count that could "
               "be compared, and the second table lists them.\n\n"
               "GPU: "
            << device
            << ". Written by `tests/cpu/ncu.sh`, whose comments say which programs run and which options"
               " nvcc gets: the comparison is about counting accesses as they are written. A statement "
               "of a kernel counts as one line for each kind of access: global loads and stores, shared "
               "loads and stores. A line is equal if its lanes, its sectors or wavefronts, and the ideal"
               " number of these are equal in every compared launch. The requests must be equal, too, "
               "unless a predicate hides some. Accesses of kernels that a kernel launches count as "
               "accesses of the launching kernel. Some accesses of the GPU are only in lines of the "
               "toolkit's headers. They are compared, in total, with all lines of the kernel that have "
               "no such access on the GPU. Launches are paired by kernel, number and shape. "
            << by_likeness_
            << " launches have a different number on a GPU and are paired by their accesses. Not "
               "compared: atomics, because the executor counts distinct addresses; local memory, because"
               " the compiler decides its use; asynchronous copies; and the arguments of launches by "
               "kernels.\n\n"
               "| topic | kernels | lines | equal | without a count |\n|---|--:|--:|--:|--:|\n";
        for (const auto& [topic, count] : topics)
            out << "| " << topic << " | " << count[0] << " | " << count[1] << " | " << count[2] << " | "
                << count[3] << " |\n";
        const char* const columns =
            "| kernel | line | access | executor: lanes, units | GPU: lanes, units | why "
            "|\n|---|---|---|--:|--:|---|\n";
        out << "\n## Lines that differ\n\nThe counts are sums over all compared launches. Units are "
               "sectors or wavefronts.\n\n"
            << columns << differences.str()
            << "\n## Lines without a count\n\nThe executor's counts differ between forward, reverse and "
               "random order, or the GPU's counts differ between two runs. The table shows the counts of "
               "forward order and of the first run.\n\n"
            << columns << depending.str();
        for (auto& who : compared()) alone_.erase(who);
        if (!alone_.empty()) {
            out << "\n## Kernels that could not be paired\n\nThe GPU ran these kernels a different number "
                   "of times, or with different shapes, than the executor.\n\n";
            for (const auto& [program, kernel] : alone_) out << "- `" << kernel << "` in " << program << "\n";
        }
        std::printf(
            "%zu of %zu lines equal (%s%%), %zu without a count, %zu pairs of launches (%zu by likeness), "
            "%zu kernels, %zu not paired\n",
            equals, lines, percent(equals, lines).c_str(), without_count, launches, by_likeness_,
            kernels_.size(), alone_.size());
        for (const auto& [key, reason] : reasons_)
            if (!used_.count(key)) std::printf("a reason that nothing needs: %s\n", key.c_str());
        if (unexplained_) std::printf("%d differences without a reason\n", unexplained_);
        return unexplained_ == 0 && used_.size() == reasons_.size() && 100 * equals >= 95 * lines;
    }

  private:
    using Who = std::pair<std::string, std::string>;

    static std::vector<Launch> read_gpu(const fs::path& records, const std::string& name) {
        return NcuReader().read(records / (name + ".source.csv"), records / (name + ".launches.csv"));
    }

    /// Returns the same launch of the second run, by its number among similar launches; null if the second
    /// run has fewer.
    static const Launch* same_in(const std::vector<Launch>& again, const std::vector<Launch>& gpu,
                                 std::size_t which) {
        const auto is_like = [&](const Launch& launch) {
            return launch.instance == gpu[which].instance && launch.shape == gpu[which].shape;
        };
        auto before = std::count_if(gpu.begin(), gpu.begin() + static_cast<std::ptrdiff_t>(which), is_like);
        for (const Launch& launch : again)
            if (is_like(launch) && before-- == 0) return &launch;
        return nullptr;
    }

    static void see_again(Kernel& kernel, const Launch& gpu, Launch again, const Launch& executor) {
        again.lines = again.lines_beside(executor);
        for (const auto& where : places(gpu, again))
            if (const auto line = kernel.lines.find(where);
                line != kernel.lines.end() && !equal(counts_in(gpu, where), counts_in(again, where)))
                line->second.has_one_count = false;
    }

    /// Compares the launches of a different order of threads. In this order, streams may run in a different
    /// order as well, and launches have different numbers. A line has no count if it differs in every launch
    /// of this kernel with this shape.
    static void see_order(Kernel& kernel, const Launch& one, const std::vector<Launch>& others) {
        std::vector<const Launch*> again;
        for (const Launch& launch : others)
            if (launch.kernel == one.kernel && launch.shape == one.shape) again.push_back(&launch);
        if (again.empty()) return;
        for (auto& [where, line] : kernel.lines) {
            const Counts count = counts_in(one, where);
            if (!std::any_of(again.begin(), again.end(),
                             [&](const Launch* launch) { return equal(counts_in(*launch, where), count); }))
                line.has_one_count = false;
        }
    }

    /// Pairs the lines of two launches. Lines without accesses on the GPU are compared together, by kind,
    /// with the GPU's accesses in headers.
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

    /// Reads lines of the form `KERNEL :: why` (all lines of the kernel) or `KERNEL | BEGINNING :: why` (its
    /// lines with this beginning).
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

    /// Returns the reason whose beginning is the longest one that matches.
    std::string reason_of(const std::string& kernel, const std::string& text) {
        const std::string* best = nullptr;
        for (const auto& [key, reason] : reasons_) {
            const auto at = key.find(" | ");
            const std::string begin = at == std::string::npos ? "" : key.substr(at + 3);
            if (key.substr(0, at) == kernel && text.compare(0, begin.size(), begin) == 0) best = &key;
        }
        if (!best) return "";
        used_.insert(*best);
        return reasons_[*best];
    }

    void difference(std::ostream& out, const Who& who, const std::pair<Where, int>& where, const Line& line) {
        const std::string text = text_of(where.first);
        std::string why = reason_of(who.second, text);
        if (why.empty()) {
            std::printf("no reason: %s, %s: %s (%s, line %d): %s\n", who.second.c_str(),
                        kind_names[where.second], text.c_str(), who.first.c_str(), where.first.second,
                        change(line).c_str());
            ++unexplained_;
            why = "**not explained**: " + change(line);
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

    std::vector<std::size_t> numbers_;  ///< numbers of the launches that were profiled
    std::map<Who, Kernel> kernels_;
    std::set<Who> alone_;
    std::map<std::string, std::string> reasons_;
    std::set<std::string> used_;
    std::size_t by_likeness_ = 0;  ///< number of pairs that were found by similarity
    int unexplained_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) fail("usage: ncu_compare RECORDS REASONS TABLE.md LAUNCHES");
    Comparison comparison(argv[4]);
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
        if (fs::exists(fs::path(argv[1]) / (name + ".forward.json"))) comparison.program(argv[1], name);
    std::string device;
    std::ifstream file(fs::path(argv[1]) / "device.txt");
    std::getline(file, device);
    return comparison.write(device, argv[2], argv[3]) ? 0 : 1;
}
