// 19_roofline/plot: draws roofs and measured kernels.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests plot.cu
//        ../../tests/19_roofline/plot_test.cu -o plot
// Run:   ./plot
//
//   v7  plot: an SVG with two logarithmic axes

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "19_roofline/19_roofline.hpp"
#include "kit.cuh"

namespace roofline {

// [axes]
double x_of(double intensity) {
    // TODO(1): Convert the decades above kFirstIntensity to pixels: kDecade per decade, starting at kLeft. 1 line.
    // BEGIN SOLUTION 1
    return kLeft + kDecade * std::log10(intensity / kFirstIntensity);
    // STARTER KIT_TODO(1, intensity);
    // STARTER return 0;
    // END SOLUTION 1
}

double y_of(double gflop_per_s) {
    // TODO(2): Do the same for y, upwards from kBottom. 1 line.
    // BEGIN SOLUTION 2
    return kBottom - kDecade * std::log10(gflop_per_s / kFirstGflop);
    // STARTER KIT_TODO(2, gflop_per_s);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/axes]

/// Returns the number with two decimals.
std::string pixels(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

/// Returns the text with &amp; for &, &lt; for < and &gt; for >, as an SVG requires.
std::string escaped(const std::string& text) {
    std::string out;
    // TODO(3): Escape the text character by character. About 6 lines.
    // BEGIN SOLUTION 3
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    // STARTER KIT_TODO(3, text);
    // END SOLUTION 3
    return out;
}

// v7: the roof has a slope of 1 up to the ridge, and is level after it.
// [marks]
std::string marks(const Machine& machine, const std::vector<Point>& points) {
    std::string out = "<polyline class=\"roof\" points=\"";
    // TODO(4): Append X,Y for the first intensity, for the ridge and for the last intensity, separated by blanks. About 6 lines.
    // BEGIN SOLUTION 4
    double ridge = machine.gflop_per_s / machine.gb_per_s;
    for (const double intensity : {kFirstIntensity, ridge, kLastIntensity}) {
        double roof = std::min(machine.gflop_per_s, machine.gb_per_s * intensity);
        if (intensity > kFirstIntensity) out += " ";
        out += pixels(x_of(intensity)) + "," + pixels(y_of(roof));
    }
    // STARTER KIT_TODO(4, machine, pixels(0));
    // END SOLUTION 4
    out += "\"/>\n";
    for (const Point& point : points) {
        // TODO(5): Skip points outside the axes. About 4 lines.
        // BEGIN SOLUTION 5
        bool along_x = point.intensity >= kFirstIntensity && point.intensity <= kLastIntensity;
        bool along_y = point.gflop_per_s >= kFirstGflop && point.gflop_per_s <= kLastGflop;
        if (!along_x || !along_y) continue;
        // STARTER KIT_TODO(5, point);
        // END SOLUTION 5
        out += "<circle class=\"point\" cx=\"" + pixels(x_of(point.intensity)) + "\" cy=\"" +
               pixels(y_of(point.gflop_per_s)) + "\" r=\"4\"><title>" + escaped(point.name) +
               "</title></circle>\n";
    }
    return out;
}
// [/marks]

/// Returns a line of the grid.
std::string grid_line(double x1, double y1, double x2, double y2) {
    return "<line class=\"grid\" x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) + "\" x2=\"" + pixels(x2) +
           "\" y2=\"" + pixels(y2) + "\"/>\n";
}

std::string plot(const Machine& machine, const std::vector<Point>& points) {
    double right = kLeft + 5 * kDecade, top = kBottom - 4 * kDecade;
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + pixels(kWidth) + " " +
                      pixels(kHeight) + "\">\n<style>.grid{stroke:#ccc}.roof{fill:none;stroke:#a83a29}" +
                      ".point{fill:#3d6b99}text{font:13px sans-serif}</style>\n";
    for (int decade = 0; decade <= 5; ++decade)
        out += grid_line(kLeft + decade * kDecade, top, kLeft + decade * kDecade, kBottom);
    for (int decade = 0; decade <= 4; ++decade)
        out += grid_line(kLeft, kBottom - decade * kDecade, right, kBottom - decade * kDecade);
    out += "<text x=\"60\" y=\"485\">operations per byte, 0.01 to 1000</text>\n";
    out += "<text x=\"60\" y=\"45\">GFLOP/s, 10 to 100000</text>\n";
    return out + marks(machine, points) + "</svg>\n";
}

}  // namespace roofline
