// Includes common/facts and common/words as one file, for programs that are built without the executor's
// library. nvcc then compiles them with one call: common/grader/implementation.hpp includes this file.
#pragma once

#include <facts/finding.cpp>
#include <facts/json.cpp>
#include <json_value.cpp>
#include <words/accesses.cpp>
#include <words/copies.cpp>
#include <words/diagnoses.cpp>
#include <words/finding.cpp>
#include <words/graphs.cpp>
#include <words/kernels.cpp>
#include <words/launches.cpp>
#include <words/names.cpp>
#include <words/outcome.cpp>
#include <words/profile.cpp>
#include <words/races.cpp>
#include <words/ranks.cpp>
#include <words/run.cpp>
#include <words/sentence.cpp>
#include <words/waits.cpp>
