#include "page.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <json.hpp>
#include <set>
#include <tuple>
#include <words/profile.hpp>

#include "device/device.hpp"
#include "launches.hpp"
#include "profiler.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_pieces = 300;       // maximum number of pieces of queued work on the page
constexpr std::uint64_t line_of_memory = 128;  // size of a memory line in bytes, 4 sectors

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

/// A range of lines of a file that the page shows.
struct Range {
    int first, last;
};

/// Returns the lines from the comment above a function's head to its closing brace, as far as the layout of
/// the source shows.
Range around(const std::vector<std::string>& text, int line) {
    const int count = static_cast<int>(text.size());
    const auto at = [&](int number) -> const std::string& {
        return text[static_cast<std::size_t>(number - 1)];
    };
    const auto is_outside = [&](int number) {
        const std::string& it = at(number);
        // A directive such as #pragma unroll can be at the start of a line inside a function.
        return it.empty() || (it[0] != ' ' && it[0] != '\t' && it[0] != '#');
    };
    constexpr int farthest = 60;
    Range range{line, line};
    while (range.first > 1 && line - range.first < farthest &&
           !(is_outside(range.first) && !at(range.first).empty() && at(range.first)[0] != '{'))
        --range.first;
    while (range.first > 1 && !at(range.first - 1).empty() && is_outside(range.first - 1) &&
           at(range.first - 1)[0] != '}')
        --range.first;
    while (range.last < count && range.last - line < farthest &&
           !(range.last > line && is_outside(range.last) && !at(range.last).empty()))
        ++range.last;
    return range;
}

std::vector<Range> excerpts(const std::vector<std::string>& text, const std::set<int>& counted) {
    std::vector<Range> ranges;
    for (const int line : counted) {
        if (line < 1 || line > static_cast<int>(text.size())) continue;
        const Range range = around(text, line);
        if (!ranges.empty() && range.first <= ranges.back().last + 4)
            ranges.back().last = std::max(ranges.back().last, range.last);
        else
            ranges.push_back(range);
    }
    return ranges;
}

/// Returns the few requests that the page shows for each line and kind: those of the largest launch if there
/// are any, and the one with the highest cost. Instances of a template have different instructions for the
/// same line.
std::vector<RequestSample> samples_for_page(const Samples& samples) {
    constexpr std::size_t most_of_line = 24;
    std::map<std::tuple<std::string, int, RequestKind>, std::vector<RequestSample>> lines;
    std::vector<RequestSample> every = samples.requests();
    for (RequestSample& sample : every) {
        const Place place = source_line(sample.instruction);
        lines[{place.line ? place.file : "", place.line, sample.kind}].push_back(std::move(sample));
    }
    std::vector<RequestSample> chosen;
    for (auto& [where, all] : lines) {
        const auto is_cheaper = [](const RequestSample& a, const RequestSample& b) {
            return a.cost() < b.cost();
        };
        std::iter_swap(all.begin(), std::max_element(all.begin(), all.end(), is_cheaper));
        const auto is_of_largest = [&](const RequestSample& sample) {
            return sample.who.launch == samples.largest_launch();
        };
        const auto others = std::stable_partition(all.begin() + 1, all.end(), is_of_largest);
        if (others != all.begin() + 1) all.erase(others, all.end());
        all.resize(std::min(all.size(), most_of_line));
        const auto order = [](const RequestSample& sample) {
            const WarpName& who = sample.who;
            return std::tuple(who.launch, who.block.z, who.block.y, who.block.x, who.warp, sample.step);
        };
        std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
        std::move(all.begin(), all.end(), std::back_inserter(chosen));
    }
    return chosen;
}

/// Returns the counts of each line. A line at which lanes only meet has no counts.
std::vector<LineCounts> lines_for_page(const KeptProfile& kernel) {
    std::vector<LineCounts> lines = kernel.counts.lines;
    const auto where = [](const Place& place) { return std::pair<std::string, int>(place.file, place.line); };
    const auto is_earlier = [&](const LineCounts& a, const LineCounts& b) {
        return where(a.place) < where(b.place);
    };
    for (const WarpSteps& warp : kernel.samples.steps())
        for (const WarpStep& step : warp.steps) {
            LineCounts line;
            line.place = source_line(step.instruction);
            if (!line.place.line) continue;
            const auto at = std::lower_bound(lines.begin(), lines.end(), line, is_earlier);
            if (at == lines.end() || is_earlier(line, *at)) lines.insert(at, line);
        }
    return lines;
}

class Page {
  public:
    std::string write(const std::vector<KeptProfile>& kernels, const std::vector<QueuedPiece>& timeline,
                      const std::string& command) {
        json_.open('{').member("command", command).key("device");
        json_.open('{').member("name", device().name);
        json_.member("multiprocessors", device().multiprocessors);
        json_.member("threads", device().threads_per_multiprocessor).close('}');
        const std::size_t shown = std::min(timeline.size(), most_pieces);
        json_.key("timeline").open('[');
        for (std::size_t i = 0; i < shown; ++i) write(timeline[i]);
        json_.close(']').member("unshown", timeline.size() - shown);
        json_.key("kernels").open('[');
        for (const KeptProfile& kernel : kernels) write(kernel);
        json_.close(']').close('}');
        return json_.text();
    }

  private:
    void write(const KeptProfile& kernel) {
        const KernelProfile& counts = kernel.counts;
        json_.open('{').member("name", counts.kernel).member("launches", counts.launches);
        json_.member("blocks", counts.blocks).member("threads", counts.threads);
        const std::vector<LineCounts> lines = lines_for_page(kernel);
        write_source(lines);
        json_.key("lines").open('[');
        for (const LineCounts& line : lines) write(line);
        json_.close(']').key("samples").open('[');
        for (const RequestSample& sample : samples_for_page(kernel.samples)) write(sample);
        json_.close(']').key("warps").open('[');
        for (const WarpSteps& steps : kernel.samples.steps()) write(steps);
        json_.close(']').key("shapes").open('[');
        for (const LaunchShape& shape : kernel.samples.shapes()) write(shape);
        json_.close(']').close('}');
    }

    void write(const QueuedPiece& piece) {
        const facts::Piece told = piece_of(piece);
        json_.open('{').member("name", words::name_of(told));
        json_.member("kind", name_of(piece.label.kind)).member("row", piece.row);
        json_.member("stream", words::stream_of(told.stream)).member("step", piece.step);
        json_.member("bytes", piece.label.bytes).member("pageable", piece.label.pageable);
        write_place(look_up(piece.label.place));
        json_.key("after").open('[');
        for (const facts::Piece::After& after : told.after) {
            json_.open('{').member("piece", after.piece);
            json_.member("because", words::reason_of(after)).close('}');
        }
        json_.close(']').close('}');
    }

    static const char* name_of(WorkKind kind) {
        constexpr const char* names[] = {"mark", "wait", "memory", "copy_in",       "copy_out",
                                         "copy", "fill", "kernel", "host_function", "collective"};
        return names[static_cast<std::size_t>(kind)];
    }
    static const char* name_of(RequestKind kind) { return kit::cpu::name_of(kind); }
    static const char* name_of(const WarpStep& step) {
        if (step.kind == WarpStep::Kind::request) return name_of(step.request);
        if (step.kind == WarpStep::Kind::barrier) return "barrier";
        constexpr const char* names[] = {"warp_barrier", "shuffle", "vote", "exchange"};
        return names[static_cast<std::size_t>(step.exchange.kind)];
    }

    void write_source(const std::vector<LineCounts>& lines) {
        std::map<std::string, std::set<int>> files;
        for (const LineCounts& line : lines)
            if (line.place.line) files[line.place.file].insert(line.place.line);
        json_.key("source").open('[');
        for (const auto& [file, shown] : files) {
            const std::vector<std::string> text = lines_of(file);
            for (const Range& range : excerpts(text, shown)) {
                json_.open('{').member("file", file).member("first", range.first);
                json_.key("text").open('[');
                for (int line = range.first; line <= range.last; ++line)
                    json_.value(text[static_cast<std::size_t>(line - 1)]);
                json_.close(']').close('}');
            }
        }
        json_.close(']');
    }

    void write(const LineCounts& line) {
        json_.open('{');
        write_place(line.place);
        json_.member("repeated", line.repeated).member("addresses", line.addresses);
        json_.member("divergent", line.divergent);
        json_.member("products", line.products).member("multiplications", line.multiplications);
        json_.member("barriers", line.barriers).key("kinds").open('[');
        for (std::size_t i = 0; i < request_kinds; ++i) {
            const RequestCounts& counts = line.requests[i];
            if (!counts.requests) continue;
            json_.open('{')
                .member("kind", name_of(static_cast<RequestKind>(i)))
                .member("requests", counts.requests);
            json_.member("lanes", counts.lanes).member("units", counts.units);
            json_.member("ideal", counts.ideal).member("used", counts.used);
            json_.member("says", cost_in_words(line, static_cast<RequestKind>(i))).close('}');
        }
        json_.close(']').close('}');
    }

    void write(const RequestSample& sample) {
        const WarpAccess& access = sample.access;
        json_.open('{');
        write_place(source_line(sample.instruction));
        json_.member("kind", name_of(sample.kind));
        write(sample.who);
        json_.member("step", sample.step).member("bytes", access.bytes);
        json_.member("lanes", access.lanes).member("units", sample.units);
        json_.member("ideal", sample.ideal).key("at").open('[');
        const bool shared = is_shared(sample);
        const std::uint64_t begin = shared ? 0 : lowest(access) / line_of_memory * line_of_memory;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (access.lanes >> lane & 1)
                json_.value(access.address[lane] - begin);
            else
                json_.null();
        }
        json_.close(']').key("together").open('[');
        std::uint32_t groups[4];
        const unsigned count = shared ? access.groups(sample.kind == RequestKind::shared_load, groups) : 0;
        for (unsigned i = 0; i < count; ++i) json_.value(groups[i]);
        json_.close(']').key("elements").open('[');
        for (const std::string& element : sample.elements) json_.value(element);
        json_.close(']').close('}');
    }

    void write(const WarpSteps& steps) {
        json_.open('{');
        write(steps.who);
        json_.member("more", steps.more).key("steps").open('[');
        for (const WarpStep& step : steps.steps) {
            json_.open('{');
            write_place(source_line(step.instruction));
            json_.member("kind", name_of(step)).member("lanes", step.lanes);
            if (step.kind == WarpStep::Kind::request)
                json_.member("units", step.units).member("ideal", step.ideal);
            if (step.kind == WarpStep::Kind::meeting) write(step.exchange, step.lanes);
            json_.close('}');
        }
        json_.close(']').close('}');
    }

    void write(const Exchange& exchange, std::uint32_t lanes) {
        json_.member("call", exchange.what);
        if (exchange.kind == Exchange::Kind::vote) json_.member("yes", exchange.yes);
        if (exchange.kind != Exchange::Kind::shuffle) return;
        json_.key("from").open('[');
        for (unsigned lane = 0; lane < 32; ++lane)
            lanes >> lane & 1 ? json_.value(static_cast<int>(exchange.sources[lane])) : json_.null();
        json_.close(']');
    }

    void write(const LaunchShape& shape) {
        json_.open('{').member("launches", shape.launches);
        write_sizes("grid", shape.grid.x, shape.grid.y, shape.grid.z);
        write_sizes("block", shape.block.x, shape.block.y, shape.block.z);
        json_.member("registers", shape.registers).member("resident", shape.resident);
        json_.member("static_shared", shape.static_shared);
        json_.member("dynamic_shared", shape.dynamic_shared);
        json_.key("limits").open('{').member("threads", shape.limits.warps);
        json_.member("blocks", shape.limits.blocks).member("registers", shape.limits.registers);
        json_.member("shared", shape.limits.shared).close('}').close('}');
    }

    void write(const WarpName& who) {
        json_.member("launch", who.launch).member("warp", who.warp);
        write_sizes("block", who.block.x, who.block.y, who.block.z);
    }

    void write_sizes(const char* name, unsigned x, unsigned y, unsigned z) {
        json_.key(name).open('[').value(x).value(y).value(z).close(']');
    }

    void write_place(Place place) {
        json_.member("file", place.line ? place.file : "").member("line", place.line);
    }

    static bool is_shared(const RequestSample& sample) {
        return sample.kind == RequestKind::shared_load || sample.kind == RequestKind::shared_store;
    }

    static std::uint64_t lowest(const WarpAccess& access) {
        std::uint64_t lowest = ~std::uint64_t{0};
        for (std::uint32_t rest = access.lanes; rest; rest &= rest - 1)
            lowest = std::min(lowest, access.address[__builtin_ctz(rest)]);
        return lowest;
    }

    Json json_;
};

}  // namespace

std::string page_of(const std::vector<KeptProfile>& kernels, const std::vector<QueuedPiece>& timeline,
                    const std::string& command) {
    std::string page = profile_page;
    const std::size_t place = page.find(profile_place);
    return page.replace(place, sizeof profile_place - 1, Page().write(kernels, timeline, command));
}

}  // namespace kit::cpu
