// Runs the passes and puts the header line and #line on top.
#include "translate.hpp"

#include <algorithm>

#include "unit.hpp"

namespace kit::translate {

Result translate(std::string_view source, const std::string& path) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (source.substr(0, byte_order_mark.size()) == byte_order_mark)
        source.remove_prefix(byte_order_mark.size());

    Unit unit(source);
    collect_kernels(unit);
    rewrite_launches(unit);
    rewrite_shared(unit);
    rewrite_constants(unit);
    rewrite_launch_calls(unit);
    rewrite_results(unit);

    Result result;
    std::stable_sort(unit.errors.begin(), unit.errors.end(),
                     [](const Unit::Error& a, const Unit::Error& b) { return a.line < b.line; });
    for (const Unit::Error& error : unit.errors)
        result.errors.push_back(path + ":" + std::to_string(error.line) + ": error: " + error.message);
    if (result.errors.empty())
        result.text = "#include <cuda_runtime.h>\n#line 1 " + quoted(path) + "\n" + unit.edits.apply(source);
    return result;
}

}  // namespace kit::translate
