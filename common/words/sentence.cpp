// Formats a sentence as one line of text, or as a listing.
#include <algorithm>
#include <words/names.hpp>
#include <words/sentence.hpp>

namespace kit::words {
namespace {

/// Return the text without these characters at its beginning, or at its end.
std::string without_start(const std::string& text, const char* characters) {
    const std::size_t first = text.find_first_not_of(characters);
    return first == std::string::npos ? "" : text.substr(first);
}
std::string without_end(const std::string& text, const char* characters) {
    return text.substr(0, text.find_last_not_of(characters) + 1);
}

bool take_end(std::string& text, const std::string& end) {
    if (text.size() < end.size() || text.compare(text.size() - end.size(), end.size(), end) != 0)
        return false;
    text.resize(text.size() - end.size());
    return true;
}

/// Removes characters around a line that only the form as one line of text needs: " (" before it and ")"
/// after it, or " at" before it.
void leave_with_line(std::string& before, std::string& after) {
    if (take_end(before, " (") && after.compare(0, 1, ")") == 0) after.erase(0, 1);
    before = without_end(before, " ");
    take_end(before, " at");
    before = without_end(before, " ,");
}

}  // namespace

void Sentence::add_part(Part part) {
    part.is_advice = in_advice_;
    parts_.push_back(std::move(part));
}

Sentence& Sentence::add(const std::string& text) {
    add_part({text, {}, false, false});
    return *this;
}

Sentence& Sentence::add(const facts::Where& where) {
    if (where.line == 0) return add(text_of(where));
    add_part({"", where, false, false});
    return *this;
}

Sentence& Sentence::add(const char* pattern, const Meaning& meaning) {
    std::string text;
    const auto end_text = [&] {
        if (!text.empty()) add(text);
        text.clear();
    };
    for (const char* c = pattern; *c; ++c) {
        if (*c == '~' && take_end(text, ":")) {
            end_text();
            in_advice_ = true;
            text = ": ";
        } else if (*c == '~') {
            advice_ = Sentence().add(c + 1, meaning).text();
            break;
        } else if (*c == '|') {
            end_text();
            add_part({":", {}, true, false});
        } else if (*c == '{') {
            end_text();
            const char* const end = std::find(c, c + std::string_view(c).size(), '}');
            meaning(*this, std::string(c + 1, end));
            c = *end ? end : end - 1;
        } else {
            text += *c;
        }
    }
    end_text();
    in_advice_ = false;
    return *this;
}

std::string Sentence::text(bool advises) const {
    std::string text;
    for (const Part& part : parts_)
        if (advises || !part.is_advice) text += part.where.line ? text_of(part.where) : part.text;
    return advises ? two_sentences(text, advice_) : text;
}

Told Sentence::told(bool advises) const {
    Told told;
    std::string heading;
    std::vector<std::string> texts(1);  // texts before each line, and the text after the last one
    bool has_heading = false;
    for (const Part& part : parts_) {
        if (part.is_advice && !advises) continue;
        if (part.where.line) {
            told.lines.push_back({part.where, ""});
            texts.emplace_back();
        } else if (part.is_bar && texts.size() == 1 && !has_heading) {
            heading = texts[0];
            texts[0].clear();
            has_heading = true;
        } else {
            texts.back() += part.text;
        }
    }
    for (std::size_t i = 0; i < told.lines.size(); ++i) leave_with_line(texts[i], texts[i + 1]);
    if (told.lines.size() < 2) {
        told.what = (has_heading ? heading + ":" : "") + texts[0] + (texts.size() > 1 ? texts[1] : "");
        if (advises) told.what = two_sentences(told.what, advice_);
        return told;
    }
    told.what = heading;
    for (std::size_t i = 0; i < told.lines.size(); ++i) {
        std::string& who = told.lines[i].who;
        who = without_start(texts[i], " ,;:");
        if (who.compare(0, 4, "and ") == 0) who.erase(0, 4);
    }
    told.rest = without_start(texts.back(), " ,;:.");
    if (advises) told.rest = two_sentences(told.rest, advice_);
    return told;
}

std::string two_sentences(const std::string& what, const std::string& why) {
    if (what.empty() || why.empty()) return what + why;
    std::string second = why;
    const std::size_t end = why.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    if (end != std::string::npos && why[end] == ' ' && (end > 1 || why[0] == 'a'))
        second[0] = static_cast<char>(second[0] - 'a' + 'A');
    return what + ". " + second;
}

}  // namespace kit::words
