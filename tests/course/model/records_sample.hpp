// Correct records, for the tests of records and of the pages that quote them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "folder.hpp"
#include "records.hpp"

namespace course_test {

/// A change to a sample, and the complaint that must follow.
struct Case {
    std::string from, to, complaint;
};

/// Checks that the complaints include the expected one; if none is expected, no complaint is allowed.
inline void judge(const std::string& name, const course::Complaints& complaints, const std::string& wanted) {
    CAPTURE(name);
    const std::string all = course::joined(complaints, "\n");
    CAPTURE(all);
    CHECK(wanted.empty() ? complaints.empty() : course::contains(all, wanted));
}

inline const std::string gpu_record = R"({
  "schema": 1, "topic": "00_first",
  "run": {"backend": "gpu", "device": "NVIDIA H200", "multiprocessors": 132, "driver": "580.159.04", "cuda": "13.0",
          "sm_clock_mhz": 1980, "memory_clock_mhz": 3201, "date": "2026-11-21", "commit": "eb97664", "options": ""},
  "roofs": {"copy_gb_per_s": 4131.3, "shared_gb_per_s": 0, "fp32_tflop_per_s": 63.7, "launch_us": 0, "launch_and_wait_us": 0, "graph_node_us": 0},
  "tables": [
    {"table": "ladder", "kind": "ladder", "title": "a \"sum\" {of 1024}", "rows": [
      {"row": "v1", "version": "slow", "n": 1024, "us": 200.25, "spread": 0.01, "repetitions": 21, "valid": true, "noisy": false},
      {"row": "v2", "version": "fast", "n": 1024, "us": 100.0, "spread": 0.05, "repetitions": 21, "valid": true, "noisy": false, "bound": "copy", "of_bound": 0.8},
      {"row": "v3", "version": "wrong", "n": 1024, "us": 1.5, "spread": 0.01, "repetitions": 21, "valid": false, "noisy": false, "reason": "the output is wrong"}
    ]},
    {"table": "sizes", "kind": "sweep", "title": "sizes", "rows": [
      {"row": "v2@16", "version": "fast", "n": 16, "us": 12345.6, "spread": 0.001, "repetitions": 21, "valid": true, "noisy": false}
    ]},
    {"table": "other", "kind": "free", "title": "other", "rows": [
      {"row": "a.b+c-d", "label": "words", "count": 7, "tiny": 0.0000213, "none": null}
    ]}
  ]
}
)";

inline const std::string cpu_record = R"({
  "schema": 1, "topic": "00_first",
  "run": {"backend": "cpu", "device": "NVIDIA H200", "multiprocessors": 132, "date": "2024-02-29", "commit": "eb97664", "options": "--n 64"},
  "tables": [
    {"table": "counts", "kind": "counts", "title": "counted", "rows": [
      {"row": "v1", "version": "slow", "n": 64, "barriers": 2056}
    ]}
  ]
}
)";

}  // namespace course_test
