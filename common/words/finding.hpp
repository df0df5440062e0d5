// Turns a finding into text.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <words/sentence.hpp>

namespace kit::words {

Sentence sentence_of(const facts::Finding& finding);

/// Returns one line of text: "race on `tile[1]` (shared) in `tree`: thread (1,0,0) of ..."
std::string text_of(const facts::Finding& finding, bool advises = true);

/// Returns a listing of the source lines that the sentence names; if it names none, of the line to look at first. `advises` is false if a
/// test gives better advice.
Told told(const facts::Finding& finding, bool advises = true);

/// Lists an undefined value: at the shuffle, its source, and at the other line, the thread that uses it. Returns false for other rules.
bool list_undefined_lane(Told& told, const facts::Finding& finding, bool advises);

// For each family of rules, adds the sentence; does nothing for rules of other families.
bool add_access(Sentence& sentence, const facts::Finding& finding);
bool add_race(Sentence& sentence, const facts::Finding& finding);
bool add_wait(Sentence& sentence, const facts::Finding& finding);
bool add_calls(Sentence& sentence, const facts::Finding& finding);
bool add_demand(Sentence& sentence, const facts::Finding& finding);

/// Adds what the other threads of a kernel were doing when its time was over, other than waiting.
Sentence& add_progress(Sentence& sentence, const facts::Finding& finding);

// For each family of rules, returns the sentence of a rule; null for rules of other families.
const char* words_of_kernel(facts::Rule rule);
const char* words_of_launch(facts::Rule rule);
const char* words_of_graph(facts::Rule rule);
const char* words_of_alignment(const facts::Finding& finding);
const char* words_of_copy(const facts::Finding& finding);
const char* words_of_free(const facts::Finding& finding);

/// Returns the meaning of the names that each rule can use: {who}, {other}, {at}, {other_at}, {memory}, {kernel}, {fix}, and the values of
/// the finding. {bytes:bytes} is a number with its unit, and {lanes:mask} is a mask.
Meaning meaning_of(const facts::Finding& finding);

}  // namespace kit::words
