// Expressions over records, such as "100 * (ladder:v1:us / ladder:v2:us - 1)", and the formats of numbers in
// pages.
#pragma once

#include <functional>

#include "text.hpp"

namespace course {

/// Returns the value of a reference, such as "ladder:v1:us", "cpu.counts:v1:barriers" or
/// "roofs:copy_gb_per_s". Can throw Error.
using Lookup = std::function<double(const std::string& reference)>;

/// Evaluates an expression with + - * / ( ) min(a, b, ...) max(a, b, ...). Throws Error if the expression is
/// invalid.
double evaluate(const std::string& expression, const Lookup& lookup);

/// Evaluates comparisons of expressions with < <= > >= ==, joined by "and". Throws Error if the condition is
/// invalid.
bool holds(const std::string& condition, const Lookup& lookup);

/// The format of a number: how many decimals, and whether commas separate thousands.
struct NumberForm {
    int decimals = 0;
    bool commas = false;
};
/// Returns the format of a number in a text. For example, "1,187.5" has one decimal, and commas.
NumberForm form_of(const std::string& number);
/// Reads a format such as ".2", "," or ",.1". Returns false if the word is not a format.
bool read_form(const std::string& word, NumberForm& form);
std::string written(double value, const NumberForm& form);

}  // namespace course
