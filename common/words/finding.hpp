// Converts findings to text.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <words/sentence.hpp>

namespace kit::words {

Sentence sentence_of(const facts::Finding& finding);

/// Returns the finding as one line of text: "race on `tile[1]` (shared) in `tree`: thread (1,0,0) of ..."
std::string text_of(const facts::Finding& finding, bool advises = true);

/// Returns the finding as a listing of the source lines that its sentence names; if it names none, of the
/// line to look at first. `advises` is false if a test gives better advice.
Told told(const facts::Finding& finding, bool advises = true);

/// Lists an undefined value: where the shuffle reads it, and where a thread uses it. Returns false for
/// findings of other rules.
bool list_undefined_lane(Told& told, const facts::Finding& finding, bool advises);

// These functions add the sentence for one family of rules. For other rules, they do nothing and return
// false.
bool add_access(Sentence& sentence, const facts::Finding& finding);
bool add_race(Sentence& sentence, const facts::Finding& finding);
bool add_wait(Sentence& sentence, const facts::Finding& finding);
bool add_calls(Sentence& sentence, const facts::Finding& finding);
bool add_demand(Sentence& sentence, const facts::Finding& finding);

/// Adds what the other threads of a kernel were doing at its time limit, apart from those that waited.
Sentence& add_progress(Sentence& sentence, const facts::Finding& finding);

// These functions return the sentence for one family of rules; null for other rules.
const char* words_of_kernel(facts::Rule rule);
const char* words_of_launch(facts::Rule rule);
const char* words_of_graph(facts::Rule rule);
const char* words_of_alignment(const facts::Finding& finding);
const char* words_of_copy(const facts::Finding& finding);
const char* words_of_free(const facts::Finding& finding);

/// Returns the function that replaces the names in braces which a rule's sentence can contain: {who},
/// {other}, {at}, {other_at}, {memory}, {kernel}, {fix}, and the values of the finding. {bytes:bytes} is a
/// number with its unit, and {lanes:mask} is a mask.
Meaning meaning_of(const facts::Finding& finding);

}  // namespace kit::words
