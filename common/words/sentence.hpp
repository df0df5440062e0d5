// A sentence in parts: texts, and the lines of source that it names. It is shown as one line of text, or as a listing of the source
// lines with what was done at each of them.
#pragma once

#include <facts/finding.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kit::words {

/// A line of source in a listing, with what was done there.
struct ToldLine {
    facts::Where where;
    std::string who;  ///< empty if the sentence says it of the only line
};

struct Told {
    std::string what;  ///< happened; empty if each line has its part of the sentence
    std::vector<ToldLine> lines;
    std::string rest;  ///< after the last line: what is missing
};

class Sentence;
/// Adds what a name in braces stands for.
using Meaning = std::function<void(Sentence&, const std::string& name)>;

class Sentence {
  public:
    Sentence& add(const std::string& text);
    Sentence& add(const facts::Where& where);
    /// "{who} reads {memory} at {at}": names in braces are replaced. A bar ends what a listing shows as its heading; in a text
    /// it is a colon.
    Sentence& add(const char* pattern, const Meaning& meaning);

    std::string text() const;
    Told told() const;

  private:
    struct Part {
        std::string text;
        facts::Where where;  ///< of a line instead of a text
        bool is_bar = false;
    };
    std::vector<Part> parts_;
};

}  // namespace kit::words
