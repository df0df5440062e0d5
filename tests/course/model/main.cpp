// The unit tests of the course's model: each NAME_test.cpp beside this file tests common/course/NAME.*, and watch_* what lies in
// common/course/watch.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
