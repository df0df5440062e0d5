#include "alike.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "patch.hpp"
#include "starter.hpp"
#include "tokens.hpp"

namespace classroom {

namespace {

using Hash = std::uint64_t;
constexpr std::size_t gram = 12, window = 4;

Hash mixed(Hash hash, Hash value) {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6u) + (hash >> 2u);
    return hash * 0xff51afd7ed558ccdu;
}

/// The words of a text as numbers, and their lines.
struct Words {
    std::vector<Hash> word;
    std::vector<int> line;

    explicit Words(const std::string& source) {
        for (const Token& token : tokens_of(source)) {
            word.push_back(std::hash<std::string>()(token.text));
            line.push_back(token.line);
        }
    }

    std::size_t size() const { return word.size(); }

    /// Of each run of that many words.
    std::vector<Hash> grams(std::size_t length) const {
        std::vector<Hash> hashes;
        for (std::size_t i = 0; i + length <= size(); ++i) {
            Hash hash = length;
            for (std::size_t j = i; j < i + length; ++j) hash = mixed(hash, word[j]);
            hashes.push_back(hash);
        }
        return hashes;
    }
};

/// A text that was handed in, by one student or by several.
struct Text {
    Words words;
    std::vector<const Student*> students;
    std::vector<bool> own = {};  ///< of each word: nothing explains it
    std::size_t own_words = 0;
};

/// Every program that the course itself knows for this exercise.
std::vector<std::string> known_texts(const Course& course, const Exercise& exercise) {
    std::vector<std::string> texts = {course::pristine_starter(course, exercise)};
    const std::string solution = course::read_text_if_there(course.root / exercise.solution());
    if (solution.empty()) return texts;
    texts.push_back(solution);
    for (const fs::path& path : course.files(exercise.right(), {".patch"})) {
        const course::Patch patch(path, course::read_text(course.root / path));
        texts.push_back(course::text_of(patch.applied_to(course::lines_of(solution))));
    }
    return texts;
}

void mark_own(std::vector<Text>& texts, const std::vector<std::string>& known) {
    std::unordered_set<Hash> explained;
    for (const std::string& text : known) {
        for (const Hash hash : Words(text).grams(explained_run)) explained.insert(hash);
    }
    std::unordered_map<Hash, std::size_t> count;  // of texts that have it
    for (const Text& text : texts) {
        const std::vector<Hash> grams = text.words.grams(explained_run);
        for (const Hash hash : std::unordered_set<Hash>(grams.begin(), grams.end())) ++count[hash];
    }
    const std::size_t common = std::max<std::size_t>(5, texts.size() / 10);
    for (Text& text : texts) {
        text.own.assign(text.words.size(), true);
        const std::vector<Hash> grams = text.words.grams(explained_run);
        for (std::size_t i = 0; i < grams.size(); ++i) {
            if (explained.count(grams[i]) || count[grams[i]] > common)
                std::fill_n(text.own.begin() + static_cast<std::ptrdiff_t>(i), explained_run, false);
        }
        text.own_words = static_cast<std::size_t>(std::count(text.own.begin(), text.own.end(), true));
    }
}

/// The fingerprints of what is own: of each window of grams the smallest, the last of equal ones.
std::unordered_set<Hash> fingerprints(const Text& text) {
    const std::vector<Hash> all = text.words.grams(gram);
    std::vector<Hash> grams;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto from = text.own.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(from, from + gram, true) != from + gram) grams.push_back(all[i]);
    }
    std::unordered_set<Hash> chosen;
    for (std::size_t i = 0; i < grams.size(); ++i) {
        if (i + window <= grams.size() || i == 0)
            chosen.insert(*std::min_element(
                grams.begin() + static_cast<std::ptrdiff_t>(i),
                grams.begin() + static_cast<std::ptrdiff_t>(std::min(i + window, grams.size()))));
    }
    return chosen;
}

/// A run of words that both have.
struct SameRun {
    std::size_t a, b, length;
};

/// All runs that cannot be made longer, the longest first.
std::vector<SameRun> runs_of(const Words& a, const Words& b) {
    std::vector<SameRun> runs;
    std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);  // length of the run that ends here
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = a.word[i] == b.word[j] ? above[j] + 1 : 0;
            const bool goes_on = i + 1 < a.size() && j + 1 < b.size() && a.word[i + 1] == b.word[j + 1];
            if (row[j + 1] >= gram && !goes_on)
                runs.push_back({i + 1 - row[j + 1], j + 1 - row[j + 1], row[j + 1]});
        }
        std::swap(above, row);
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const SameRun& x, const SameRun& y) { return x.length > y.length; });
    return runs;
}

/// What two texts share, each word once; `own` counts the words that are own in both.
std::vector<SameRun> tiles_of(const Text& a, const Text& b, std::size_t& own) {
    std::vector<bool> used_a(a.words.size()), used_b(b.words.size());
    std::vector<SameRun> tiles;
    own = 0;
    for (const SameRun& run : runs_of(a.words, b.words)) {
        for (std::size_t i = 0; i < run.length;) {  // the parts of the run that are still free
            std::size_t end = i, mine = 0;
            while (end < run.length && !used_a[run.a + end] && !used_b[run.b + end]) {
                mine += a.own[run.a + end] && b.own[run.b + end];
                ++end;
            }
            if (end - i >= gram && mine >= gram / 2) {
                tiles.push_back({run.a + i, run.b + i, end - i});
                own += mine;
                std::fill_n(used_a.begin() + static_cast<std::ptrdiff_t>(run.a + i), end - i, true);
                std::fill_n(used_b.begin() + static_cast<std::ptrdiff_t>(run.b + i), end - i, true);
            }
            i = end + 1;
        }
    }
    std::sort(tiles.begin(), tiles.end(), [](const SameRun& x, const SameRun& y) { return x.a < y.a; });
    return tiles;
}

/// The lines of what is own in both: a tile may begin and end with words that are explained, and have some in between.
std::vector<Passage> passages_of(const Text& a, const Text& b, const std::vector<SameRun>& tiles) {
    std::vector<Passage> passages;
    for (const SameRun& tile : tiles) {
        std::size_t last_own = 0;
        bool is_open = false;
        for (std::size_t i = 0; i < tile.length; ++i) {
            if (!a.own[tile.a + i] || !b.own[tile.b + i]) continue;
            const int line_a = a.words.line[tile.a + i], line_b = b.words.line[tile.b + i];
            const bool goes_on = is_open && i - last_own <= gram;
            const bool touches = !passages.empty() && line_a >= passages.back().first_a &&
                                 line_b >= passages.back().first_b && line_a <= passages.back().last_a + 1 &&
                                 line_b <= passages.back().last_b + 1;
            if (!goes_on && !touches) passages.push_back({line_a, line_a, line_b, line_b});
            passages.back().last_a = std::max(passages.back().last_a, line_a);
            passages.back().last_b = std::max(passages.back().last_b, line_b);
            last_own = i;
            is_open = true;
        }
    }
    return passages;
}

std::vector<Text> texts_of(const Class& graded, const Exercise& exercise) {
    std::map<std::string, std::size_t> place;
    std::vector<Text> texts;
    for (const Student& student : graded.students) {
        const auto entry = student.entries.find(exercise.id());
        if (entry == student.entries.end() || entry->second.file.empty() || entry->second.is_starter)
            continue;
        const std::string source = course::read_text_if_there(entry->second.file);
        const auto [found, is_new] = place.try_emplace(source, texts.size());
        if (is_new) texts.push_back({Words(source), {}});
        texts[found->second].students.push_back(&student);
    }
    return texts;
}

/// Pairs of texts that share fingerprints.
std::set<std::pair<std::size_t, std::size_t>> candidates(const std::vector<Text>& texts) {
    std::unordered_map<Hash, std::vector<std::size_t>> having;
    std::map<std::pair<std::size_t, std::size_t>, int> shared;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].own_words < least) continue;
        for (const Hash hash : fingerprints(texts[i])) {
            for (const std::size_t other : having[hash]) ++shared[{other, i}];
            having[hash].push_back(i);
        }
    }
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& [pair, count] : shared) pairs.insert(pair);
    return pairs;
}

}  // namespace

std::vector<Alike> alike_pairs(const Class& graded) {
    std::vector<Alike> all;
    for (const Exercise* exercise : graded.exercises) {
        std::vector<Text> texts = texts_of(graded, *exercise);
        const bool has_two = texts.size() > 1 || (texts.size() == 1 && texts[0].students.size() > 1);
        if (!has_two) continue;
        mark_own(texts, known_texts(*graded.course, *exercise));
        std::vector<Alike> found;
        const auto add = [&](const Text& a, const Text& b) {
            std::size_t own = 0;
            const std::vector<SameRun> tiles = tiles_of(a, b, own);
            const double share =
                static_cast<double>(own) / static_cast<double>(std::min(a.own_words, b.own_words));
            if (own < least || share < least_share) return;
            found.push_back({exercise, a.students, &a == &b ? std::vector<const Student*>() : b.students,
                             share, own, passages_of(a, b, tiles)});
        };
        for (const Text& text : texts) {
            if (text.students.size() > 1 && text.own_words >= least) add(text, text);
        }
        for (const auto& [i, j] : candidates(texts)) add(texts[i], texts[j]);
        std::stable_sort(found.begin(), found.end(), [](const Alike& x, const Alike& y) {
            return std::make_pair(x.share, x.words) > std::make_pair(y.share, y.words);
        });
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

}  // namespace classroom
