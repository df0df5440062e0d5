// Unit tests of the kit. Each case is a case of the grader, and its body uses `test`:
//
//   CASE("rounding up") {
//       test.equal("a remainder", kit::ceil_div(5, 4), 2);
//   }
//   UNIT_MAIN("kit")
#pragma once

#include "grader.cuh"

namespace unit {

struct Named {
    const char* name;
    void (*body)(kit::Case&);
};
inline std::vector<Named>& cases() {
    static std::vector<Named> all;
    return all;
}
struct Registration {
    Registration(const char* name, void (*body)(kit::Case&)) { cases().push_back({name, body}); }
};

inline int run(const char* test, int argc, char** argv) {
    kit::Grader grader("kit", test, argc, argv);
    for (const Named& one : cases()) grader.add(one.name, one.body);
    return grader.run();
}

}  // namespace unit

#define UNIT_JOIN2(a, b) a##b
#define UNIT_JOIN(a, b) UNIT_JOIN2(a, b)
#define CASE(name)                                                            \
    static void UNIT_JOIN(case_at_line_, __LINE__)(kit::Case&);               \
    static const unit::Registration UNIT_JOIN(registered_at_line_, __LINE__)( \
        name, UNIT_JOIN(case_at_line_, __LINE__));                            \
    static void UNIT_JOIN(case_at_line_, __LINE__)(kit::Case & test)
#define UNIT_MAIN(test)                     \
    int main(int argc, char** argv) {       \
        return unit::run(test, argc, argv); \
    }
