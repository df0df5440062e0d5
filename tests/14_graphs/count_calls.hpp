// Included by the exercises of the topic in addition to the contract: a library that they use and, on a GPU, counters of their calls.
#pragma once

#include "14_graphs/library.hpp"
#include "grader/count_calls.hpp"
