// Shows a ladder of counts. The demos show it on the CPU executor, where times would say nothing about a GPU.
#pragma once

#include <string>
#include <vector>

#include "../demo.hpp"
#include "output.hpp"

namespace kit::demo {

/// A version, and what counts_of returned for it.
struct CountedRow {
    std::string label, change;  ///< change: one sentence, shown above the row
    std::vector<Field> counts;
    bool right;
};

/// Prints all rows together, because columns can be narrower when all values are known. Omits columns of zeros.
void show_counts(Output& out, const std::vector<CountedRow>& rows, bool explain);

}  // namespace kit::demo
