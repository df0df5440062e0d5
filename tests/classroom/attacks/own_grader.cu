// attack: defines functions of the grader itself
// outcome: broken
// says: kit's own
namespace kit {
class Case {
  public:
    void begin_call();
};
void Case::begin_call() {}
}  // namespace kit
static void attack() {}
