// What the exercises of the topic include besides the contract: a library that they use, and, on a GPU, what counts their calls.
#pragma once

#include "14_graphs/library.hpp"
#include "grader/count_calls.hpp"
