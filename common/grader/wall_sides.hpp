// The two sides of the wall (wall.hpp): what the worker sends, and how the judge uses it.
#pragma once

#include <grader/channel.hpp>
#include <grader/wall.hpp>
#include <string>
#include <vector>

namespace kit::detail {

constexpr int workers_file = 3;  ///< the file descriptor at which a worker finds its judge

/// The bytes that a test has read at one place.
struct Crossing {
    std::string name;
    std::vector<char> bytes;
};

inline std::string to_message(const Crossing& crossing) {
    return pack({crossing.name, std::string(crossing.bytes.begin(), crossing.bytes.end())});
}

inline Crossing crossing_from(const std::string& message) {
    std::vector<std::string> texts = unpack(message);
    texts.resize(2);
    return {texts[0], {texts[1].begin(), texts[1].end()}};
}

/// A request for the words `first` to `first + count - 1` of a sequence that depends on the seed.
struct WordsWanted {
    std::string name;
    std::uint64_t run = 0, first = 0, count = 0;
};

inline std::string to_message(const WordsWanted& wanted) {
    return pack({wanted.name, std::to_string(wanted.run), std::to_string(wanted.first),
                 std::to_string(wanted.count)});
}

inline std::string words_for(const std::string& message, std::uint64_t seed) {
    constexpr std::uint64_t most = 1 << 16, farthest = 1ull << 32;
    std::vector<std::string> texts = unpack(message);
    texts.resize(4);
    const auto number = [&](std::size_t i) { return std::strtoull(texts[i].c_str(), nullptr, 10); };
    const std::uint64_t first = std::min<std::uint64_t>(number(2), farthest),
                        count = std::min<std::uint64_t>(number(3), most),
                        own = mix(seed, texts[0], number(1));
    std::string words;
    words.reserve(count * sizeof first);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t word = Random::word(own, first + i);
        words.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    return words;
}

/// The worker's side of the wall: requests all random numbers from the judge, and sends all results to it.
class WorkersWall final : public Wall {
  public:
    explicit WorkersWall(const Channel& channel) : channel_(channel) {}

    std::shared_ptr<RandomWords> words(const std::string& name, std::uint64_t run) override {
        return std::make_shared<Asked>(channel_, name, run);
    }
    void pass(const std::string& name, std::vector<char>& bytes) override {
        channel_.send(Message::value, to_message(Crossing{name, bytes}));
    }
    bool is_judges() const override { return false; }

  private:
    class Asked final : public RandomWords {
      public:
        Asked(const Channel& channel, std::string name, std::uint64_t run)
            : channel_(channel), name_(std::move(name)), run_(run) {}
        std::uint64_t at(std::uint64_t i) override {
            constexpr std::uint64_t at_once = 1024;
            if (i < first_ || i >= first_ + words_.size()) {
                first_ = i, words_.resize(at_once);
                channel_.send(Message::words, to_message(WordsWanted{name_, run_, first_, at_once}));
                channel_.receive(words_.data(), at_once * sizeof words_[0]);
            }
            return words_[i - first_];
        }

      private:
        const Channel& channel_;
        std::string name_;
        std::uint64_t run_, first_ = 0;
        std::vector<std::uint64_t> words_;
    };

    const Channel& channel_;
};

/// Thrown if the test reads a value that the worker has not sent.
struct NotReturned {
    std::string name;
};

/// The judge's side of the wall when it runs a case again: the worker's values replace the judge's own
/// values.
class JudgesWall final : public Wall {
  public:
    explicit JudgesWall(const std::vector<Crossing>& kept) : kept_(kept) {}

    std::shared_ptr<RandomWords> words(const std::string&, std::uint64_t) override { return nullptr; }
    void pass(const std::string& name, std::vector<char>& bytes) override {
        if (next_ == kept_.size() || kept_[next_].name != name) throw NotReturned{name};
        bytes = kept_[next_++].bytes;
    }
    bool is_judges() const override { return true; }
    bool all_taken() const { return next_ == kept_.size(); }

  private:
    const std::vector<Crossing>& kept_;
    std::size_t next_ = 0;
};

}  // namespace kit::detail
