// The sentences of failures, of notes and of the run as a whole. Words of a test's author are shown as they are.
#pragma once

#include <facts/outcome.hpp>
#include <string>
#include <vector>
#include <words/sentence.hpp>

namespace kit::words {

/// The sentence of a diagnosis; empty if it has none of its own.
const char* sentence_of(Diagnosis diagnosis);

/// What has gone wrong, in one line. Empty if only the diagnosis is known.
std::string headline_of(const facts::Failure& failure);
std::string headline_of(const facts::Outcome& outcome);

/// What that means; empty if the headline says it all.
std::string meaning_of(const facts::Failure& failure);

/// Lines below the headline, at most a handful.
std::vector<std::string> details_of(const facts::Failure& failure);

/// The headline as a listing of the source lines that it names. Their texts must be in the failure.
Told told(const facts::Failure& failure);

/// "got 7", or "never written".
std::string got_of(const facts::Element& element);

std::string text_of(const facts::Note& note);

/// "It practises one thread for each pair; one of your threads adds 40 of 300 pairs."
std::string text_of(const facts::Method& method);
/// What the screen of another method begins with, and what to do next.
std::string screen_of(const facts::Method& method);
const char* next_of_method();

// About the run as a whole.
std::string no_gpu(const facts::RuntimeError& error);
std::string no_start(const std::string& program, const std::string& why);
const char* cuda_before_main();
const char* all_on_host();
/// "and 3 more lines": of the output of a program.
std::string more_lines(std::size_t count);

// With --no-fork.
const char* without_protection();
const char* device_is_lost();
const char* program_has_ended();
const char* host_code_crashed();

}  // namespace kit::words
