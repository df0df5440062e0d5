// Grades 19_roofline/plot: the axes, then the marks, read back from the SVG.
// sanitizer.all: no kernel of the student runs
#include <cmath>
#include <cstdlib>

#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"

namespace {

using roofline::Machine;
using roofline::Point;

constexpr double kNear = 0.05;  // pixels

bool near(double got, double want) {
    return std::fabs(got - want) <= kNear;
}

/// Steps of a tenth of a decade starting at 10^first, and their places, computed by addition.
template <class Axis>
void axis(kit::Case& test, const char* name, Axis of, int first, int decades, double begin, double step,
          int task) {
    for (int tenth = 0; tenth <= 10 * decades; ++tenth) {
        const double value = std::pow(10.0, first + tenth / 10.0);
        const double got = test.call([&] { return of(value); });
        const double want = begin + step * tenth / 10;
        test.check(near(got, want), std::string(name) + "(" + kit::detail::to_text(value) + ") is " +
                                        kit::detail::to_text(got) + ", expected " +
                                        kit::detail::to_text(want) + ": check the logarithm and the scale" +
                                        kit::task(task));
    }
}

/// Returns the text between two texts, starting at `at`, and moves `at` after it. Returns an empty string if it is missing.
std::string between(const std::string& text, const std::string& before, const std::string& after,
                    std::size_t& at) {
    const std::size_t begin = text.find(before, at);
    if (begin == std::string::npos) return at = std::string::npos, "";
    const std::size_t from = begin + before.size(), end = text.find(after, from);
    if (end == std::string::npos) return at = std::string::npos, "";
    at = end + after.size();
    return text.substr(from, end - from);
}

double attribute(const std::string& tag, const std::string& name) {
    std::size_t at = 0;
    const std::string value = between(tag, " " + name + "=\"", "\"", at);
    return value.empty() ? NAN : std::strtod(value.c_str(), nullptr);
}

/// Returns a name as it is written in an SVG.
std::string written(const std::string& name) {
    std::string text;
    for (const char c : name)
        text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return text;
}

std::string shown(double x, double y) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g,%.6g", x, y);
    return text;
}

Machine machine_of(kit::Random& random) {
    return {static_cast<double>(random.integer(1100, 6000)),
            static_cast<double>(random.integer(9000, 90000))};
}

void roof(kit::Case& test) {
    for (int k = 0; k < 10; ++k) {
        const Machine machine = machine_of(test.random());
        const std::string svg = test.call([&] { return roofline::marks(machine, {}); });
        std::size_t at = 0;
        std::string points = between(svg, "<polyline class=\"roof\" points=\"", "\"/>", at);
        test.check(at != std::string::npos,
                   "marks() returned no <polyline class=\"roof\" points=\"...\"/>: add it" + kit::task(4));
        if (at == std::string::npos) return;
        const double bandwidth = std::log10(machine.gb_per_s), peak = std::log10(machine.gflop_per_s);
        const double ridge = peak - bandwidth;  // in decades
        const double want[3][2] = {{60, 460 - 100 * (bandwidth - 2 - 1)},
                                   {60 + 100 * (ridge + 2), 460 - 100 * (peak - 1)},
                                   {560, 460 - 100 * (peak - 1)}};
        char* rest = points.data();
        for (int corner = 0; corner < 3; ++corner) {
            const double x = std::strtod(rest, &rest);
            const bool comma = *rest == ',';
            const double y = comma ? std::strtod(rest + 1, &rest) : NAN;
            test.check(near(x, want[corner][0]) && near(y, want[corner][1]),
                       "corner " + std::to_string(corner + 1) + " of the roof is at " + shown(x, y) +
                           ", expected " + shown(want[corner][0], want[corner][1]) +
                           ": check where the roofs meet, and where they end" + kit::task(4));
        }
        test.check(*rest == '\0', "the roof has three corners, but after them there is \"" +
                                      std::string(rest) + "\": end the list there" + kit::task(4));
    }
}

/// Judges points inside the axes, at their ends, and outside.
std::vector<Point> points_of(kit::Random& random) {
    std::vector<Point> all = {{"at the beginning", 0.01, 10}, {"at the end", 1000, 100000},
                              {"copy: no operations", 0, 0},  {"too far left", 0.002, 100},
                              {"too far right", 1500, 100},   {"too low", 1, 3},
                              {"too high", 1, 300000}};
    const char* const names[] = {"v1",   "a < b", "a > b",       "tiles & halos",
                                 "&lt;", "<v2>",  "sum of 2^28", "a << 1 && b >> 2 > 0",
                                 "&&&"};
    for (int k = 0; k < 30; ++k)
        all.push_back({std::string(names[k % 9]) + " " + std::to_string(k),
                       std::pow(10.0, static_cast<double>(random.integer(-190, 290)) / 100),
                       std::pow(10.0, static_cast<double>(random.integer(110, 490)) / 100)});
    return all;
}

void circles(kit::Case& test, bool names) {
    const Machine machine = machine_of(test.random());
    const std::vector<Point> points = points_of(test.random());
    const std::string svg = test.call([&] { return roofline::marks(machine, points); });
    std::size_t at = svg.find("<circle");
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i >= 2 && i < 7) continue;  // outside the axes
        const std::string tag = at == std::string::npos ? "" : between(svg, "<circle", ">", at);
        const std::string title =
            at == std::string::npos ? "" : between(svg, "<title>", "</title></circle>", at);
        if (names) {
            test.check(title == written(points[i].name),
                       "the title of \"" + points[i].name + "\" is \"" + title + "\", expected \"" +
                           written(points[i].name) + "\": replace each &, < and > once" + kit::task(3));
            continue;
        }
        const double x = 60 + 100 * (std::log10(points[i].intensity) + 2);
        const double y = 460 - 100 * (std::log10(points[i].gflop_per_s) - 1);
        test.check(near(attribute(tag, "cx"), x) && near(attribute(tag, "cy"), y),
                   "\"" + points[i].name + "\" is at " + shown(attribute(tag, "cx"), attribute(tag, "cy")) +
                       ", expected " + shown(x, y) + ": draw the points within the axes, in their order" +
                       kit::task(5));
    }
    const bool more = at != std::string::npos && svg.find("<circle", at) != std::string::npos;
    if (!names)
        test.check(!more, "there are more circles than points within the axes: leave out the other points" +
                              kit::task(5));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "plot", argc, argv);
    grader.host_may_compute();
    grader.add("x", [](kit::Case& test) { axis(test, "x_of", roofline::x_of, -2, 5, 60, 100, 1); });
    grader.add("y", [](kit::Case& test) { axis(test, "y_of", roofline::y_of, 1, 4, 460, -100, 2); });
    grader.add("roof", roof);
    grader.add("points", [](kit::Case& test) { circles(test, false); });
    grader.add("names", [](kit::Case& test) { circles(test, true); });
    return grader.run();
}
