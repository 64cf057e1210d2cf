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

#include "base/sequences.h"
#include "permutation/experiment.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

using Numbers = std::vector<double>;

double number(const ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) return value.get<double>();
  throw std::invalid_argument(value.dump() + " is no number");
}

std::size_t whole(double x) { return static_cast<std::size_t>(x); }

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

template <double choose_of(double, double)>
double extreme(const Numbers& all) {
  return std::accumulate(all.begin(), all.end(), all.at(0), choose_of);
}

/// The functions of numbers, or of the numbers of a list. A quotient such as 7/3*3 may miss the
/// whole number by an error of the last digit, so ceil and floor are not exact.
const std::map<std::string, double (*)(const Numbers& a)> kFunctions{
    {"ceil", [](const Numbers& a) { return std::ceil(a.at(0) - 1e-9); }},
    {"floor", [](const Numbers& a) { return std::floor(a.at(0) + 1e-9); }},
    {"abs", [](const Numbers& a) { return std::fabs(a.at(0)); }},
    {"sqrt", [](const Numbers& a) { return std::sqrt(a.at(0)); }},
    {"ln", [](const Numbers& a) { return std::log(a.at(0)); }},
    {"odd", [](const Numbers& a) { return std::fmod(a.at(0), 2) != 0 ? 1.0 : 0.0; }},
    {"even", [](const Numbers& a) { return std::fmod(a.at(0), 2) != 0 ? 0.0 : 1.0; }},
    {"mod", [](const Numbers& a) { return std::fmod(a.at(0), a.at(1)); }},
    {"C", [](const Numbers& a) { return choose(a.at(0), a.at(1)); }},
    {"log", [](const Numbers& a) { return rounded_log(a.at(0), a.at(1)); }},
    {"limit",
     [](const Numbers& a) { return clopper_pearson_limit(whole(a.at(0)), whole(a.at(1))); }},
    {"min", extreme<std::fmin>},
    {"max", extreme<std::fmax>},
    {"smallest", extreme<std::fmin>},
    {"largest", extreme<std::fmax>},
    {"total", [](const Numbers& a) { return std::accumulate(a.begin(), a.end(), 0.0); }},
    {"product",
     [](const Numbers& a) {
       return std::accumulate(a.begin(), a.end(), 1.0, std::multiplies<>());
     }},
};

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
    if (take("[")) return all_of(arguments_up_to("]"));
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

  ordered_json call(const std::string& name) {
    const std::vector<std::string> texts = arguments_up_to(")");
    const auto value = [&](std::size_t i) { return evaluate(texts.at(i), values_); };
    try {
      if (name == "if") return value(is_true(value(0)) ? 1 : 2);
      if (name == "list") return all_of_range(texts);
      if (name == "sum") return kFunctions.at("total")(numbers_in(all_of_range(texts)));
      if (name == "size") return value(0).size();
      if (name == "at") return value(0).at(whole(number(value(1))) - 1);
      ordered_json list = texts.size() == 1 ? value(0) : all_of(texts);
      if (!list.is_array()) list = all_of(texts);
      const auto found = kFunctions.find(name);
      if (found == kFunctions.end()) fail("there is no function \"" + name + "\"");
      return found->second(numbers_in(list));
    } catch (const std::exception& error) {
      fail("\"" + name + "\" has no value for these arguments: " + error.what());
    }
  }

  /// The texts of the arguments up to the end of the call, or the list.
  std::vector<std::string> arguments_up_to(const std::string& end) {
    std::vector<std::string> texts;
    if (take(end)) return texts;
    do {
      const std::size_t begin = at_;
      for (int depth = 0; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (depth == 0 && (c == ',' || c == ')' || c == ']')) break;
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
      }
      texts.push_back(text_.substr(begin, at_ - begin));
    } while (take(","));
    expect(end);
    return texts;
  }

  ordered_json all_of(const std::vector<std::string>& texts) const {
    return ordered_json(
        mapped(texts, [&](const std::string& text) { return evaluate(text, values_); }));
  }

  /// The values of "i, from, to, formula" for every i.
  ordered_json all_of_range(const std::vector<std::string>& texts) const {
    ordered_json list = ordered_json::array();
    Values values = values_;
    const double to = number(evaluate(texts.at(2), values_));
    for (double i = number(evaluate(texts.at(1), values_)); i <= to; ++i) {
      values[texts[0]] = i;
      list.push_back(evaluate(texts.at(3), values));
    }
    return list;
  }

  static Numbers numbers_in(const ordered_json& list) {
    return mapped(list, [](const ordered_json& one) { return number(one); });
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
