// expect: wrong; task 1|2; cause: does not show the expression
// REGION 2
#define MY_CHECK(call) check((call), "call", __FILE__, __LINE__)
