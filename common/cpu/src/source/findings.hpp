// Receives the findings of all parts of the executor, and finds their source lines.
#pragma once

#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// Stores or prints a finding (see collect_findings). Any thread can call this, but a signal handler must
/// not.
void add_finding(Finding finding);

/// Returns whether findings are stored for a grader.
bool collects_findings();

/// Stores a remark, which does not report a mistake but may explain a wrong result (see take_remarks).
void add_remark(Finding remark);

/// Prints a finding on standard error with its source lines and, once for each kind, the page that explains
/// it. A signal handler can call this if the process is about to end.
void print_finding(const Finding& finding);
/// Prints each finding again, in short, with the number of times that it occurred.
void print_summary(const std::vector<Finding>& reports);
/// Prints a note that only the first blocks of each launch are checked.
void print_partly_checked(std::uint64_t blocks);

/// Returns the text of a source line, without its indentation; empty if the file cannot be read.
std::string source_text(Place place);

/// Returns a place as a line, with its text if the file can be read.
facts::Line line_of(Place place);

/// A source line of a kernel, or of a function that it calls. For a line of a function, `Spot` also has the
/// line of the call, if that is known.
struct Spot {
    Spot(Place place) : place(place) {}
    /// `instruction` belongs to the line, in this kernel. The line of the call is known only if the compiler
    /// inlined the function.
    Spot(Place place, const void* instruction, const std::string& kernel);
    Spot(Place place, Place caller) : place(place), caller(caller) {}

    Place place, caller;
};
facts::Where where_of(const Spot& spot);

/// Returns the line that queued a piece of work, and the line in the same file that called the function with
/// that line.
facts::Where where_queued(const Place& place, const HostCalls& calls);

/// Returns a finding of this rule about an event at `spot`.
Finding finding(facts::Rule rule, const Spot& spot);
/// Returns a finding of this rule. `first` is the line that the reader should look at first.
Finding finding(facts::Rule rule, const Spot& spot, Place first);
/// Returns a finding without a line, about something that was created at this place.
Finding finding_about(facts::Rule rule, Place place);

}  // namespace kit::cpu
