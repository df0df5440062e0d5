// attack: calls the test's own reference by its name
// outcome: broken
// says: undefined reference
#include <vector>
namespace kit {
class Case;
}
namespace reduction_test {
enum class Values;
void judge(kit::Case& test, void (*function)(const float*, int, float*), int n, std::size_t block,
           Values kind);
}  // namespace reduction_test
static void attack() {
    using namespace reduction_test;
    static volatile bool never = false;
    if (never) judge(*static_cast<kit::Case*>(nullptr), nullptr, 0, 0, static_cast<Values>(0));
}
