// attack: its own definition of what the grader does
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
