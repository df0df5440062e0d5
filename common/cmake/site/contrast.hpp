// Contrast of the colours in a style sheet, as WCAG 2 defines it.
#pragma once

#include <string>
#include <vector>

namespace site {

/// The contrast ratio, 1 to 21, of two colours "#rrggbb". Throws std::runtime_error for anything else.
double contrast(const std::string& one, const std::string& other);

struct Contrasts {
    std::vector<std::string> complaints;
    int pairs = 0;      ///< compared, light and dark counted separately
    double least = 21;  ///< the smallest ratio of a pair
};

/// Colours are custom properties in `:root { --ink: #26323d; }`, those for the dark in a second `:root` inside of
/// `@media (prefers-color-scheme: dark)`. A comment `contrast: --ink on --page --box` names what is written on what;
/// each such pair must have 4.5 in the light and in the dark. Every property that is used as `color:` must be in a
/// pair, and every colour must be a property.
Contrasts check_contrast(const std::string& css);

}  // namespace site
