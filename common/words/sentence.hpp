// A sentence in parts: texts, and the source lines that it names. A sentence is shown as one line of text, or
// as a listing of the source lines, each with what happened there.
#pragma once

#include <facts/finding.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kit::words {

/// A source line in a listing, with what happened there.
struct ToldLine {
    facts::Where where;
    std::string who;  ///< the thread that acts; empty if the sentence has only one line, and says it itself
};

struct Told {
    std::string what;  ///< heading of the listing; empty if each line has its own part of the sentence
    std::vector<ToldLine> lines;
    std::string rest;  ///< text after the last line: the missing order, and the advice
};

class Sentence;
/// A function that adds the text for a name in braces.
using Meaning = std::function<void(Sentence&, const std::string& name)>;

class Sentence {
  public:
    Sentence& add(const std::string& text);
    Sentence& add(const facts::Where& where);
    /// Adds the pattern, such as "{who} reads {memory} at {at}", with the names in braces replaced. A
    /// vertical bar ends the part that a listing shows as its heading; in one line of text, it becomes a
    /// colon. A tilde begins the advice, which becomes the last sentence. After a colon, a tilde begins advice that continues the
    /// sentence.
    Sentence& add(const char* pattern, const Meaning& meaning);

    /// Both leave out the advice if `advises` is false, because a test gives better advice.
    std::string text(bool advises = true) const;
    Told told(bool advises = true) const;

  private:
    struct Part {
        std::string text;
        facts::Where where;  ///< place of the source line, if the part is not a text
        bool is_bar = false, is_advice = false;
    };
    void add_part(Part part);

    std::vector<Part> parts_;
    std::string advice_;
    bool in_advice_ =
        false;  ///< whether the pattern that is being added has reached advice that continues the sentence
};

/// Returns "What is wrong. Why", with a capital letter if `why` begins with a word; only one of them if the other is empty.
std::string two_sentences(const std::string& what, const std::string& why);

}  // namespace kit::words
