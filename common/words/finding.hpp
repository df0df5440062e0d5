// What a finding says.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <words/sentence.hpp>

namespace kit::words {

Sentence sentence_of(const facts::Finding& finding);

/// In one line: "race on `tile[1]` (shared) in `tree`: thread (1,0,0) of ..."
std::string text_of(const facts::Finding& finding);

/// As a listing of the source lines; if the sentence names none, with the line to look at first.
Told told(const facts::Finding& finding);

/// The listing of an undefined value: at the shuffle, where it comes from, and at the other line, who uses it. False for other rules.
bool list_undefined_lane(Told& told, const facts::Finding& finding);

// One function for each family of rules: it adds the sentence, or does nothing if the rule is of another family.
bool add_access(Sentence& sentence, const facts::Finding& finding);
bool add_race(Sentence& sentence, const facts::Finding& finding);
bool add_wait(Sentence& sentence, const facts::Finding& finding);
bool add_calls(Sentence& sentence, const facts::Finding& finding);
bool add_demand(Sentence& sentence, const facts::Finding& finding);

/// Adds what the other threads of a kernel were doing when its time was over, other than waiting.
Sentence& add_progress(Sentence& sentence, const facts::Finding& finding);

// The sentence of a rule of one family; null for other rules.
const char* words_of_kernel(facts::Rule rule);
const char* words_of_launch(facts::Rule rule);
const char* words_of_graph(facts::Rule rule);
const char* words_of_alignment(const facts::Finding& finding);
const char* words_of_copy(const facts::Finding& finding);
const char* words_of_free(const facts::Finding& finding);

/// The names that each rule may use: {who}, {other}, {at}, {other_at}, {memory}, {kernel}, {fix}, and the values of the finding.
/// {bytes:bytes} is a number with its unit, {lanes:mask} a mask.
Meaning meaning_of(const facts::Finding& finding);

}  // namespace kit::words
