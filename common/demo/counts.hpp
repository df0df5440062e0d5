// Shows a ladder of counts, for demos on the CPU executor, where times would say nothing about a GPU.
#pragma once

#include <string>
#include <vector>

#include "../demo.hpp"
#include "output.hpp"

namespace kit::demo {

/// A version, and the counts of its run.
struct CountedRow {
    std::string label, change;  ///< change: one sentence that is shown above the row
    std::vector<Field> counts;
    bool right;
};

/// Prints all rows together, because columns can be narrower when all values are known. Columns that contain
/// only zeros are left out.
void show_counts(Output& out, const std::vector<CountedRow>& rows, bool explain);

}  // namespace kit::demo
