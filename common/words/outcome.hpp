// Sentences about failures, notes, and the run as a whole. The words of a test's author appear unchanged.
#pragma once

#include <facts/outcome.hpp>
#include <string>
#include <vector>
#include <words/sentence.hpp>

namespace kit::words {

/// Returns the sentence of a diagnosis; empty if it has none.
const char* sentence_of(Diagnosis diagnosis);

/// Returns one line that says what went wrong, without advice; empty if only the diagnosis is known.
std::string headline_of(const facts::Failure& failure);
std::string headline_of(const facts::Outcome& outcome);

/// Returns what the failure means; empty if the headline says everything.
std::string meaning_of(const facts::Failure& failure);

/// Returns a few lines of details to show below the headline.
std::vector<std::string> details_of(const facts::Failure& failure);

/// Returns the headline as a listing of the source lines that it names. The failure must contain the texts of
/// the lines.
Told told(const facts::Failure& failure);

/// Returns what a wrong element contains, such as "got 7" or "never written".
std::string got_of(const facts::Element& element);

std::string text_of(const facts::Note& note);

/// Returns a text such as "It practises one thread for each pair; one of your threads adds 40 of 300 pairs."
std::string text_of(const facts::Method& method);
/// Returns the first lines of the screen for a submission with a different method, with what to do next.
std::string screen_of(const facts::Method& method);
const char* next_of_method();

// Sentences about the run as a whole.
std::string no_gpu(const facts::RuntimeError& error);
std::string no_start(const std::string& program, const std::string& why);
const char* cuda_before_main();
const char* all_on_host();
/// Returns a line about the rest of a program's output, such as "and 3 more lines".
std::string more_lines(std::size_t count);

// Returns a warning about a run with --no-fork.
const char* without_protection();
const char* device_is_lost();
const char* program_has_ended();
const char* host_code_crashed();
/// Explains a crash in a function that a stream runs.
const char* host_function_crashed();

}  // namespace kit::words
