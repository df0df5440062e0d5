// Finds the pattern of wrong elements, such as a transposed result.
#pragma once

#include <grader/compare.hpp>

namespace kit {

/// The number of rows and columns of a result. With this shape, a transposed result can be recognized.
struct Shape {
    std::size_t rows = 0, columns = 0;
};

namespace detail {

/// Creates the failure of the output `name`, which has at least one wrong element, from the wrong elements
/// and their pattern.
template <class T>
class Patterns {
  public:
    Patterns(const std::string& name, const std::vector<T>& got, const std::vector<T>& want,
             const Comparison& comparison, const Tolerance& tolerance, Shape shape)
        : got_(got), want_(want), comparison_(comparison), tolerance_(tolerance), shape_(shape) {
        found_.fault = facts::Fault::values;
        facts::Difference& values = found_.difference;
        values.what = name;
        values.wrong = comparison.count, values.of = want.size();
        values.first = comparison.first, values.last = comparison.last;
        values.unwritten = count([&](std::size_t i) { return is_poison<T>(got_[i]); });
        constexpr std::size_t most_kept = 5;
        for (std::size_t i = comparison.first; i <= comparison.last && values.elements.size() < most_kept;
             ++i)
            if (comparison.wrong[i]) values.elements.push_back(element_of<T>(i, got[i], want[i], tolerance));
    }

    /// Returns the failure with the wrong elements, without a pattern.
    const facts::Failure& values() const { return found_; }

    facts::Failure failure() {
        using facts::Pattern;
        const std::size_t n = want_.size(), wrong = comparison_.count, first = comparison_.first,
                          poisoned = found_.difference.unwritten;
        const bool suffix = comparison_.last + 1 == n && comparison_.last - first + 1 == wrong;
        const bool few = suffix && first > 0 && 2 * wrong <= n;
        const bool many = suffix && first >= 16 && first % 16 == 0;
        if (poisoned == n) return is(Diagnosis::not_written, Pattern::never_written);
        if (few) return is(Diagnosis::tail, Pattern::end, unfilled_block());
        if (many) return is(Diagnosis::first_block_only, Pattern::beginning_is_right);
        if (poisoned > 0) return is(Diagnosis::not_written, Pattern::some_never_written);
        if (constant_not_finite()) return is(Diagnosis::nan, Pattern::not_finite);
        if (n >= 4 && moved(1)) return is(Diagnosis::shifted, Pattern::shifted_left);
        if (n >= 4 && moved(-1)) return is(Diagnosis::shifted, Pattern::shifted_right);
        for (const int block : {32, 64, 128, 256, 512, 1024}) {
            if (moved(block) || moved(-block))
                return is(Diagnosis::block_offset, Pattern::block_offset, static_cast<std::size_t>(block));
        }
        if (transposed()) return is(Diagnosis::transposed, Pattern::transposed);
        if (count([&](std::size_t i) { return not_finite(got_[i]); }) > 0)
            return is(Diagnosis::nan, Pattern::not_finite);
        if (n == 1 && got_[0] == T{}) return is(Diagnosis::constant_output, Pattern::zero);
        if (n >= 2 && constant(got_) && !constant(want_))
            return is(Diagnosis::constant_output, Pattern::constant);
        if (imprecise()) return is(Diagnosis::precision, Pattern::imprecise);
        return is(Diagnosis::wrong_value, Pattern::none);
    }

  private:
    facts::Failure is(Diagnosis diagnosis, facts::Pattern pattern, std::size_t block = 0) {
        found_.diagnosis = diagnosis;
        found_.pattern = pattern;
        found_.difference.block = block;
        return found_;
    }

    /// Returns the block size if the wrong elements are exactly those after the last full block of that size;
    /// otherwise 0.
    std::size_t unfilled_block() const {
        const std::size_t n = want_.size();
        for (const std::size_t block : {1024, 512, 256, 128, 64, 32})
            if (n % block != 0 && comparison_.first == n / block * block) return block;
        return 0;
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

    /// Returns whether most wrong elements have the value that is expected `offset` elements later, and this
    /// value differs from their own expected value.
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

    facts::Failure found_;
    const std::vector<T>& got_;
    const std::vector<T>& want_;
    const Comparison& comparison_;
    const Tolerance& tolerance_;
    Shape shape_;
};

}  // namespace detail
}  // namespace kit
