// See contrast.hpp.
#include "contrast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "text.hpp"

namespace site {

namespace {

double luminance(const std::string& colour) {
    static const std::regex form("#[0-9a-fA-F]{6}");
    if (!std::regex_match(colour, form))
        throw std::runtime_error("not a colour of the form #rrggbb: " + colour);
    double sum = 0;
    const double weight[] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; ++i) {
        const double value = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
        sum += weight[i] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

using Colours = std::map<std::string, std::string>;

Colours colours_of(const std::string& rule) {
    static const std::regex property("(--[a-z0-9-]+): *(#[0-9a-fA-F]+);");
    Colours colours;
    for (std::sregex_iterator match(rule.begin(), rule.end(), property), end; match != end; ++match) {
        colours[(*match)[1]] = (*match)[2];
    }
    return colours;
}

std::string two_digits(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ratio);
    return text;
}

}  // namespace

double contrast(const std::string& one, const std::string& other) {
    const double a = luminance(one), b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

Contrasts check_contrast(const std::string& css) {
    Contrasts result;
    const std::size_t dark_at = css.find("@media (prefers-color-scheme: dark)");
    const Colours light = colours_of(between(css, ":root {", "}"));
    Colours dark = light;
    if (dark_at == std::string::npos) result.complaints.push_back("no colours for the dark");
    for (const auto& [name, value] : colours_of(between(css, ":root {", "}", std::min(dark_at, css.size()))))
        dark[name] = value;

    std::set<std::string> written;
    static const std::regex pair("contrast: (--[a-z0-9-]+) on ((?:--[a-z0-9-]+ ?)+)");
    for (std::sregex_iterator match(css.begin(), css.end(), pair), end; match != end; ++match) {
        const std::string ink = (*match)[1];
        written.insert(ink);
        std::istringstream papers((*match)[2]);
        for (std::string paper; papers >> paper;) {
            for (const Colours* colours : {&light, static_cast<const Colours*>(&dark)}) {
                const std::string where = colours == &light ? "light" : "dark";
                if (!colours->count(ink) || !colours->count(paper)) {
                    result.complaints.push_back(ink + " on " + paper + ": not both have a colour");
                    continue;
                }
                const double ratio = contrast(colours->at(ink), colours->at(paper));
                ++result.pairs;
                result.least = std::min(result.least, ratio);
                if (!(ratio >= 4.5))
                    result.complaints.push_back(ink + " on " + paper + ", " + where + ": " +
                                                two_digits(ratio) + ", 4.5 is needed");
            }
        }
    }
    if (result.pairs == 0) result.complaints.push_back("no pair is named, so nothing was compared");

    static const std::regex used("[^-]color: *([^;]+);");
    for (std::sregex_iterator match(css.begin(), css.end(), used), end; match != end; ++match) {
        const std::string value = (*match)[1];
        if (value == "inherit" || value == "transparent" || value == "currentColor") continue;
        const std::string name = between(value, "var(", ")");
        if (name.empty()) result.complaints.push_back("color: " + value + " is no property of :root");
        if (!name.empty() && !written.count(name))
            result.complaints.push_back("color: " + value +
                                        " is in no pair: add a comment \"contrast: " + name + " on ...\"");
    }
    return result;
}

}  // namespace site
