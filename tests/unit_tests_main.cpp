// The `main` of every program of unit tests (kit_add_unit_tests in common/cmake/kit_test.cmake).
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
