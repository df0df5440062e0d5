// Where every part of the executor hands in what it saw.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// Keeps or prints a finding (see collect_findings). Safe from any thread, not from a signal handler.
void add_finding(Finding finding);

/// Keeps what is no mistake in itself, and may explain a wrong result (see take_remarks).
void add_remark(Finding remark);

/// To standard error: the sentence, and once for each kind the page that explains it. A signal handler may call it where
/// the process is about to end.
void print_finding(const Finding& finding);

/// The line without its indentation; empty when the file cannot be read.
std::string source_text(Place place);

/// "line 31 of tree.cu: `sum += tile[i];`" with the text of the line when the file can be read.
std::string describe(Place place);

/// A line of a kernel, or of a helper or header that it calls, with the line that called that; unknown otherwise.
struct Spot {
    Spot(Place place) : place(place) {}
    /// `instruction`: one of the line, in this kernel; only what was inlined is known.
    Spot(Place place, const void* instruction, const std::string& kernel);
    Spot(Place place, Place caller) : place(place), caller(caller) {}

    Place place, caller;
};
/// The same, and ", called from line 57 of tree.cu: `v = block_sum(v);`" where the caller is known.
std::string describe(const Spot& spot);

}  // namespace kit::cpu
