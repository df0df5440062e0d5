// Grades 08_scan/hillis_steele: inclusive tile scans with two barriers per step (v1) and with one (v2).
#include "01_error_handling/failing_calls.hpp"
#include "08_scan/tile_scans.hpp"

int main(int argc, char** argv) {
    using kit::Diagnosis;
    using scan_test::Kind;
    kit::Grader grader("08_scan", "hillis_steele", argc, argv);
    grader.task(3, kit::About().diagnosis(Diagnosis::race).on("buffers"));
    grader.task(1, {Diagnosis::tail, Diagnosis::nan, Diagnosis::out_of_bounds, Diagnosis::uninitialised});
    grader.task(2, {Diagnosis::wrong_value, Diagnosis::shifted, Diagnosis::race, Diagnosis::barrier});
    constexpr std::size_t tile = scan::kBlock;
    constexpr int steps = scan_test::log2_of(tile);
    const scan_test::Cost cost = {"Hillis and Steele's scan", tile * steps - (tile - 1), steps};
    scan_test::add_cases(grader, Kind::inclusive, tile, scan_test::all_sizes(tile), scan::hillis_steele<int>,
                         scan::hillis_steele<scan::Segmented>, scan::hillis_steele<scan::Counted>, cost,
                         "two barriers: ");
    scan_test::add_cases(grader, Kind::inclusive, tile, scan_test::some_sizes(tile),
                         scan::double_buffered<int>, scan::double_buffered<scan::Segmented>,
                         scan::double_buffered<scan::Counted>, cost, "double-buffered: ", {3});
#ifdef KIT_CPU
    grader.add("double-buffered: barriers, counted", [](kit::Case& test) {
        scan_test::judge_barriers(test, scan::double_buffered<int>, Kind::inclusive, tile, steps + 1,
                                  "with two buffers one per step is enough: remove the others, as in " +
                                      kit::named_task(3) + ", \"two buffers\"");
    });
#endif
    error_handling::check_failing_calls(grader, argc, argv,
                                        {"two barriers: n=1009", "double-buffered: n=1501"});
    return grader.run();
}
