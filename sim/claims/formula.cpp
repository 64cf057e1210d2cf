// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

using Arguments = std::vector<ordered_json>;
using Function = std::function<ordered_json(const Arguments&)>;

double number(const ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) return value.get<double>();
  throw std::invalid_argument(value.dump() + " is no number");
}

std::size_t index_of(const ordered_json& place) {
  return static_cast<std::size_t>(number(place)) - 1;
}

double choose(double n, double k) {
  double product = 1;
  for (double i = 1; i <= k; ++i) product = product * (n - k + i) / i;
  return std::round(product);
}

// The least r with base^r >= x.
double rounded_log(double base, double x) {
  if (base <= 1) throw std::invalid_argument("no logarithm to a base of 1 or less");
  double power = 1;
  double r = 0;
  for (; power < x; ++r) power *= base;
  return r;
}

std::vector<double> numbers(const ordered_json& list) {
  std::vector<double> all;
  for (const ordered_json& one : list) all.push_back(number(one));
  if (all.empty()) throw std::invalid_argument("an empty list has no such element");
  return all;
}

double is_odd(double x) { return std::fmod(x, 2) != 0 ? 1 : 0; }
// A quotient such as 7/3*3 may miss the whole number by an error of the last digit.
double rounded_up(double x) { return std::ceil(x - 1e-9); }
double rounded_down(double x) { return std::floor(x + 1e-9); }

const std::map<std::string, Function>& functions() {
  const auto of_one = [](double (*function)(double)) {
    return [function](const Arguments& a) { return function(number(a.at(0))); };
  };
  const auto of_two = [](double (*function)(double, double)) {
    return [function](const Arguments& a) { return function(number(a.at(0)), number(a.at(1))); };
  };
  const auto of_list = [](double (*function)(const std::vector<double>&)) {
    return [function](const Arguments& a) { return function(numbers(a.at(0))); };
  };
  static const std::map<std::string, Function> functions{
      {"ceil", of_one(rounded_up)},
      {"floor", of_one(rounded_down)},
      {"abs", of_one(std::fabs)},
      {"sqrt", of_one(std::sqrt)},
      {"ln", of_one(std::log)},
      {"odd", of_one(is_odd)},
      {"even", of_one([](double x) { return 1 - is_odd(x); })},
      {"mod", of_two(std::fmod)},
      {"min", of_two(std::fmin)},
      {"max", of_two(std::fmax)},
      {"C", of_two(choose)},
      {"log", of_two(rounded_log)},
      {"largest",
       of_list([](const auto& all) { return *std::max_element(all.begin(), all.end()); })},
      {"smallest",
       of_list([](const auto& all) { return *std::min_element(all.begin(), all.end()); })},
      {"total",
       of_list([](const auto& all) { return std::accumulate(all.begin(), all.end(), 0.0); })},
      {"product", of_list([](const auto& all) {
         return std::accumulate(all.begin(), all.end(), 1.0, std::multiplies<>());
       })},
      {"size", [](const Arguments& a) { return a.at(0).size(); }},
      {"at", [](const Arguments& a) { return a.at(0).at(index_of(a.at(1))); }},
  };
  return functions;
}

// The operators of two values, those that bind weakest first.
using Operator = ordered_json (*)(const ordered_json& a, const ordered_json& b);
const std::vector<std::map<std::string, Operator>> kOperators{
    {{"or", [](const auto& a, const auto& b) { return ordered_json(is_true(a) || is_true(b)); }}},
    {{"and", [](const auto& a, const auto& b) { return ordered_json(is_true(a) && is_true(b)); }}},
    {{"=", [](const auto& a, const auto& b) { return ordered_json(are_equal(a, b)); }},
     {"<>", [](const auto& a, const auto& b) { return ordered_json(!are_equal(a, b)); }},
     {"<=", [](const auto& a, const auto& b) { return ordered_json(at_most(a, b)); }},
     {">=", [](const auto& a, const auto& b) { return ordered_json(at_most(b, a)); }},
     {"<", [](const auto& a, const auto& b) { return ordered_json(!at_most(b, a)); }},
     {">", [](const auto& a, const auto& b) { return ordered_json(!at_most(a, b)); }}},
    {{"+", [](const auto& a, const auto& b) { return ordered_json(number(a) + number(b)); }},
     {"-", [](const auto& a, const auto& b) { return ordered_json(number(a) - number(b)); }}},
    {{"*", [](const auto& a, const auto& b) { return ordered_json(number(a) * number(b)); }},
     {"/", [](const auto& a, const auto& b) { return ordered_json(number(a) / number(b)); }}}};

/// Reads a formula from left to right and computes its value.
class FormulaReader {
 public:
  FormulaReader(const std::string& text, Values values) : text_(text), values_(std::move(values)) {}

  ordered_json all() {
    ordered_json value = joined();
    if (!peek().empty()) fail("\"" + peek() + "\" is too much");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("formula \"" + text_ + "\": " + what);
  }

  /// The next word, number or sign; empty at the end.
  std::string peek() const {
    std::size_t at = text_.find_first_not_of(' ', at_);
    if (at == std::string::npos) return "";
    const auto in_word = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      return std::isalnum(c) != 0 || c == '_' || c == '.';
    };
    std::size_t end = at + 1;
    if (in_word(at)) {
      while (end < text_.size() && in_word(end)) ++end;
    } else if (end < text_.size() && std::string("<>").find(text_[at]) != std::string::npos) {
      if (text_[end] == '=' || text_[end] == '>') ++end;
    }
    return text_.substr(at, end - at);
  }

  bool take(const std::string& sign) {
    if (peek() != sign) return false;
    at_ = text_.find_first_not_of(' ', at_) + sign.size();
    return true;
  }

  void expect(const std::string& sign) {
    if (!take(sign)) fail("\"" + sign + "\" is missing before \"" + peek() + "\"");
  }

  /// Values joined by operators that bind at least as strongly as those of a level.
  ordered_json joined(std::size_t level = 0) {
    if (level == kOperators.size()) return power();
    ordered_json value = joined(level + 1);
    for (;;) {
      const auto found = kOperators[level].find(peek());
      if (found == kOperators[level].end()) return value;
      take(found->first);
      value = found->second(value, joined(level + 1));
    }
  }

  ordered_json power() {
    if (take("-")) return -number(power());
    if (take("not")) return !is_true(joined(2));
    ordered_json value = atom();
    if (!take("^")) return value;
    return std::pow(number(value), number(power()));
  }

  ordered_json atom() {
    if (take("(")) {
      ordered_json value = joined();
      expect(")");
      return value;
    }
    if (take("[")) return listed("]");
    if (take("'")) return quoted_word();
    const std::string word = peek();
    if (word.empty()) fail("it ends too early");
    take(word);
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return std::stod(word);
    if (take("(")) return call(word);
    const auto found = values_.find(word);
    if (found == values_.end()) fail("\"" + word + "\" has no value");
    return found->second;
  }

  /// The text up to the next quotation mark.
  ordered_json quoted_word() {
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string::npos) fail("a quotation mark is missing");
    const std::string word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }

  Arguments listed(const std::string& end) {
    Arguments values;
    if (take(end)) return values;
    do {
      values.push_back(joined());
    } while (take(","));
    expect(end);
    return values;
  }

  ordered_json call(const std::string& name) {
    if (name == "if") return choice();
    if (name == "list" || name == "sum") return bound_name(name == "sum");
    const auto found = functions().find(name);
    if (found == functions().end()) fail("there is no function \"" + name + "\"");
    const Arguments arguments = listed(")");
    try {
      return found->second(arguments);
    } catch (const std::exception&) {
      fail("\"" + name + "\" has no value for these arguments");
    }
  }

  /// The text of the next argument, which is not evaluated.
  std::string skipped() {
    const std::size_t begin = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ')')) break;
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
    }
    return text_.substr(begin, at_ - begin);
  }

  ordered_json choice() {
    const bool first = is_true(joined());
    expect(",");
    const std::string one = skipped();
    expect(",");
    const std::string other = skipped();
    expect(")");
    return evaluate(first ? one : other, values_);
  }

  /// list(i, from, to, formula) or sum(i, from, to, formula).
  ordered_json bound_name(bool summed) {
    const std::string name = peek();
    take(name);
    expect(",");
    const double from = number(joined());
    expect(",");
    const double to = number(joined());
    expect(",");
    const std::string formula = skipped();
    expect(")");
    ordered_json list = ordered_json::array();
    double total = 0;
    Values values = values_;
    for (double i = from; i <= to; ++i) {
      values[name] = i;
      list.push_back(evaluate(formula, values));
      if (summed) total += number(list.back());
    }
    return summed ? ordered_json(total) : list;
  }

  const std::string& text_;
  Values values_;
  std::size_t at_ = 0;
};

}  // namespace

ordered_json evaluate(const std::string& formula, const Values& values) {
  ordered_json value = FormulaReader(formula, values).all();
  // Whole numbers are written without a decimal point.
  if (value.is_number_float() && std::fabs(value.get<double>()) < 1e15 &&
      std::trunc(value.get<double>()) == value.get<double>()) {
    return static_cast<std::int64_t>(value.get<double>());
  }
  return value;
}

bool is_true(const ordered_json& value) { return number(value) != 0; }

bool at_most(const ordered_json& one, const ordered_json& other) {
  return are_equal(one, other) || number(one) < number(other);
}

bool are_equal(const ordered_json& one, const ordered_json& other) {
  if (one.is_array() && other.is_array()) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), are_equal);
  }
  const bool comparable = !one.is_structured() && !other.is_structured();
  if (!comparable || one.is_string() || other.is_string()) return one == other;
  const double a = number(one);
  const double b = number(other);
  return std::fabs(a - b) <= 1e-9 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

}  // namespace flitcast::claims
