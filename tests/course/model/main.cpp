// The unit tests of the course's model. Each NAME_test.cpp in this folder tests NAME.* in common/course or common/course/author, and
// watch_* tests common/course/watch.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
