// The unit tests of grading a class: each NAME_test.cpp beside this file tests common/classroom/NAME.*.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
