// Receives the findings of all parts of the executor, and names their lines.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// Keeps or prints a finding (see collect_findings). Safe from any thread, not from a signal handler.
void add_finding(Finding finding);

/// Returns whether findings wait for a grader.
bool collects_findings();

/// Keeps a remark, which is not a mistake by itself but may explain a wrong result (see take_remarks).
void add_remark(Finding remark);

/// Prints a finding to standard error, with its lines of source, and once for each kind the page that explains it. A signal handler may
/// call it when the process is about to end.
void print_finding(const Finding& finding);
/// Prints the reports again, with the number of times that each occurred.
void print_summary(const std::vector<Finding>& reports);
/// Prints that only the first blocks of each launch are checked.
void print_partly_checked(std::uint64_t blocks);

/// Returns the line without its indentation; empty when the file cannot be read.
std::string source_text(Place place);

/// Returns the line of a place, with its text if the file can be read.
facts::Line line_of(Place place);

/// A line of a kernel, or of a helper or header that it calls, with the line of the call; that line is unknown otherwise.
struct Spot {
    Spot(Place place) : place(place) {}
    /// `instruction` is one of the line, in this kernel. Only inlined calls are known.
    Spot(Place place, const void* instruction, const std::string& kernel);
    Spot(Place place, Place caller) : place(place), caller(caller) {}

    Place place, caller;
};
facts::Where where_of(const Spot& spot);

/// Returns the line that queued a piece of work, with the line of the same file that called it.
facts::Where where_queued(const Place& place, const HostCalls& calls);

/// Returns a finding of this rule, about something that happened at `spot`.
Finding finding(facts::Rule rule, const Spot& spot);
/// Returns a finding of this rule, whose first line to look at is `first`.
Finding finding(facts::Rule rule, const Spot& spot, Place first);
/// Returns a finding that names no line, about something that began at this place.
Finding finding_about(facts::Rule rule, Place place);

}  // namespace kit::cpu
