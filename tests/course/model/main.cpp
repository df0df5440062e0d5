// The unit tests of the course's model: each NAME_test.cpp beside this file tests common/course/NAME.*.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
