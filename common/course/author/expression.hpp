// Expressions over records, such as "100 * (ladder:v1:us / ladder:v2:us - 1)", and the forms of numbers in pages.
#pragma once

#include <functional>

#include "text.hpp"

namespace course {

/// Returns the value of a reference: "ladder:v1:us", "cpu.counts:v1:barriers" or "roofs:copy_gb_per_s". May throw Error.
using Lookup = std::function<double(const std::string& reference)>;

/// Evaluates an expression with + - * / ( ) min(a, b, ...) max(a, b, ...). Throws Error.
double evaluate(const std::string& expression, const Lookup& lookup);

/// Evaluates comparisons of expressions with < <= > >= ==, joined by "and". Throws Error.
bool holds(const std::string& condition, const Lookup& lookup);

/// The form of a number: the number of decimals, and whether commas separate thousands.
struct NumberForm {
    int decimals = 0;
    bool commas = false;
};
/// Returns the form of a number in a text: "1,187.5" has one decimal, and commas.
NumberForm form_of(const std::string& number);
/// Reads ".2", "," or ",.1" into the form. Returns false if the word is something else.
bool read_form(const std::string& word, NumberForm& form);
std::string written(double value, const NumberForm& form);

}  // namespace course
