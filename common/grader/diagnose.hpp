// From the pattern of wrong elements to one sentence about the mistake.
#pragma once

#include <diagnoses.hpp>
#include <grader/compare.hpp>
#include <utility>

namespace kit {

/// Rows and columns of a result, so that an exchange of the two can be recognised.
struct Shape {
    std::size_t rows = 0, columns = 0;
};

namespace detail {

/// Diagnosis and its sentence, for `name` with at least one wrong element.
template <class T>
class Pattern {
  public:
    using Verdict = std::pair<Diagnosis, std::string>;

    Pattern(std::string name, const std::vector<T>& got, const std::vector<T>& want,
            const Comparison& comparison, const Tolerance& tolerance, Shape shape)
        : name_("`" + std::move(name) + "`"),
          got_(got),
          want_(want),
          comparison_(comparison),
          tolerance_(tolerance),
          shape_(shape) {}

    Verdict verdict() const {
        const std::size_t n = want_.size(), wrong = comparison_.count;
        const std::size_t poisoned = count([&](std::size_t i) { return is_poison<T>(got_[i]); });
        const bool suffix = comparison_.last + 1 == n && comparison_.last - comparison_.first + 1 == wrong;
        const bool few = suffix && comparison_.first > 0 && 2 * wrong <= n;
        const bool many = suffix && comparison_.first >= 16 && comparison_.first % 16 == 0;
        if (poisoned == n) return {Diagnosis::not_written, name_ + " was never written"};
        if (few) return {Diagnosis::tail, end_is_wrong(poisoned == wrong)};
        if (many) {
            return {Diagnosis::first_block_only,
                    "only the first " + std::to_string(comparison_.first) + " values are right"};
        }
        if (poisoned > 0) {
            return {Diagnosis::not_written, count_of(poisoned, "value") + " of " + name_ + " never written"};
        }
        if (constant_not_finite()) return {Diagnosis::nan, sentence(Diagnosis::nan)};
        if (n >= 4 && moved(1)) return shifted("[i + 1]");
        if (n >= 4 && moved(-1)) return shifted("[i - 1]");
        for (const int block : {32, 64, 128, 256, 512, 1024}) {
            if (!moved(block) && !moved(-block)) continue;
            return {Diagnosis::block_offset,
                    std::string(sentence(Diagnosis::block_offset)) + " of " + std::to_string(block)};
        }
        if (transposed()) return {Diagnosis::transposed, sentence(Diagnosis::transposed)};
        if (count([&](std::size_t i) { return not_finite(got_[i]); }) > 0) {
            return {Diagnosis::nan, sentence(Diagnosis::nan)};
        }
        if (n == 1 && got_[0] == T{}) return {Diagnosis::constant_output, "the result is 0"};
        if (n >= 2 && constant(got_) && !constant(want_)) {
            return {Diagnosis::constant_output, "every value is " + to_text<T>(got_[0])};
        }
        if (imprecise()) return {Diagnosis::precision, sentence(Diagnosis::precision)};
        return {Diagnosis::wrong_value, ""};
    }

  private:
    /// Which values at the end, and if that is what is left over by blocks of some size: no more is known of blocks here.
    std::string end_is_wrong(bool never_written) const {
        const std::size_t n = want_.size(), first = comparison_.first;
        std::string text = "only the last value is wrong";
        if (first + 1 < n) {
            text = sentence(Diagnosis::tail);
            text += ", from [" + std::to_string(first) + "] to [" + std::to_string(n - 1) + "]";
        }
        if (never_written) text += " (never written)";
        for (const std::size_t block : {1024, 512, 256, 128, 64, 32}) {
            if (n % block != 0 && first == n / block * block)
                return text + ": what does not fill a block of " + std::to_string(block);
        }
        return text;
    }

    static Verdict shifted(const char* place) {
        return {Diagnosis::shifted,
                std::string(sentence(Diagnosis::shifted)) + ": at [i] stands what belongs at " + place};
    }

    template <class Predicate>
    std::size_t count(Predicate predicate) const {
        std::size_t total = 0;
        for (std::size_t i = 0; i < want_.size(); ++i) total += comparison_.wrong[i] && predicate(i);
        return total;
    }

    static bool not_finite(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            return !std::isfinite(value);
        } else {
            return false;
        }
    }

    bool constant_not_finite() const {
        return count([&](std::size_t i) { return not_finite(got_[i]); }) == want_.size();
    }

    static bool constant(const std::vector<T>& values) {
        for (const T& value : values) {
            if (!(value == values[0])) return false;
        }
        return true;
    }

    /// True if most elements hold what belongs `offset` places further on, and that is not what belongs here
    /// anyway.
    bool moved(std::ptrdiff_t offset) const {
        const auto n = static_cast<std::ptrdiff_t>(want_.size());
        if (std::abs(offset) >= n) return false;
        std::ptrdiff_t telling = 0, matching = 0;
        for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -offset);
             i < n - std::max<std::ptrdiff_t>(0, offset); ++i) {
            if (accept<T>(want_[i + offset], want_[i], tolerance_)) continue;
            ++telling;
            matching += accept<T>(got_[i], want_[i + offset], tolerance_);
        }
        return telling >= 3 && matching * 10 >= telling * 9;
    }

    bool transposed() const {
        const std::size_t n = want_.size();
        Shape shape = shape_;
        if (shape.rows * shape.columns != n) {
            shape.rows = shape.columns =
                static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(n))));
        }
        if (n < 4 || shape.rows * shape.columns != n || shape.rows < 2 || shape.columns < 2) return false;
        for (std::size_t row = 0; row < shape.rows; ++row) {
            for (std::size_t column = 0; column < shape.columns; ++column) {
                const T& got = got_[column * shape.rows + row];
                if (!accept<T>(got, want_[row * shape.columns + column], tolerance_)) return false;
            }
        }
        return true;
    }

    bool imprecise() const {
        if (tolerance_.abs == 0 && tolerance_.rel == 0) return false;
        const Tolerance wide{10 * tolerance_.abs, 10 * tolerance_.rel, true};
        return count([&](std::size_t i) { return !accept<T>(got_[i], want_[i], wide); }) == 0;
    }

    std::string name_;
    const std::vector<T>& got_;
    const std::vector<T>& want_;
    const Comparison& comparison_;
    const Tolerance& tolerance_;
    Shape shape_;
};

}  // namespace detail
}  // namespace kit
