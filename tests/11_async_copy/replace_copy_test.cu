// Grades 11_async_copy/replace_copy: window sums of tiles that were copied asynchronously.
#include "11_async_copy/rings.hpp"

using namespace staging_test;

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "replace_copy", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::part,
                    kit::Diagnosis::wrong_value, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::block_offset, kit::Diagnosis::shifted, kit::Diagnosis::tail});
    grader.task(2, {kit::Diagnosis::race});
    grader.task(2, kit::About().fix(kit::facts::Fix::copys_begin).fix(kit::facts::Fix::copys_end));
    for (int n : {0, 1, 3, 255, 1023, 1024, 1025, 4096, 5003}) {
        for (int window : {1, 5, 1500}) {
            if (window == 1500 && n > 1100) continue;
            grader.add("n=" + std::to_string(n) + ", window " + std::to_string(window),
                       [n, window](kit::Case& test) {
                           judge(test, n, window_sums, window, kit::named_task(1), staging::replace_copy);
                       });
        }
    }
    return grader.run();
}
