// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/clock_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace flitcast::verify {
namespace {

std::int64_t clog2(std::int64_t things) {
  std::int64_t bits = 0;
  while (bits < 62 && std::int64_t{1} << bits < things) ++bits;
  return bits;
}

/// The number of rows in "seq_adder_4", here 4; 0 for other texts.
std::uint64_t rows_of(const std::string& claim) {
  static const std::string kDesign = "seq_adder_";
  const std::string rows = claim.substr(std::min(claim.size(), kDesign.size()));
  const bool is_number =
      !rows.empty() && rows.size() < 5 && rows.find_first_not_of("0123456789") == std::string::npos;
  return is_number && claim.compare(0, kDesign.size(), kDesign) == 0 ? std::stoul(rows) : 0;
}

/// Evaluates a formula by recursive descent.
class Formula {
 public:
  Formula(const std::string& text, const clos::ControllerParams& params)
      : text_(text), params_(params) {}

  std::int64_t value() {
    const std::int64_t result = sum();
    if (next() != '\0') fail();
    return result;
  }

 private:
  [[noreturn]] void fail() const {
    std::string designs;
    for (const auto& entry : clos::controllers()) designs += entry.name + ", ";
    throw std::invalid_argument(
        fmt::format("clocks: \"{}\" is none of the designs {}seq_adder_ROWS and no formula of m, "
                    "r, x, numbers, "
                    "+ - * / ( ) and clog2( )",
                    text_, designs));
  }

  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  std::int64_t sum() {
    std::int64_t result = product();
    for (;;) {
      if (accept('+')) {
        result = checked(result + product());
      } else if (accept('-')) {
        result = checked(result - product());
      } else {
        return result;
      }
    }
  }

  std::int64_t product() {
    std::int64_t result = term();
    for (;;) {
      if (accept('*')) {
        result = checked(result * term());
      } else if (accept('/')) {
        const std::int64_t divisor = term();
        if (divisor == 0) fail();
        result /= divisor;
      } else {
        return result;
      }
    }
  }

  std::int64_t term() {
    if (accept('(')) return closed();
    if (std::isdigit(static_cast<unsigned char>(next())) != 0) return number();
    std::string name;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) {
      name += text_[at_++];
    }
    if (name == "m") return static_cast<std::int64_t>(params_.m);
    if (name == "r") return static_cast<std::int64_t>(params_.r);
    if (name == "x") return static_cast<std::int64_t>(params_.pass_limit);
    if (name == "clog2" && accept('(')) return clog2(closed());
    fail();
  }

  std::int64_t closed() {
    const std::int64_t result = sum();
    if (!accept(')')) fail();
    return result;
  }

  std::int64_t number() {
    std::int64_t result = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      result = checked(result * 10 + (text_[at_++] - '0'));
    }
    return result;
  }

  // Limits values so that no product of two overflows.
  std::int64_t checked(std::int64_t value) const {
    if (value > 1'000'000'000 || value < -1'000'000'000) fail();
    return value;
  }

  const std::string& text_;
  const clos::ControllerParams& params_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint64_t pass_clocks_of(const std::string& claim, const clos::ControllerParams& params) {
  if (const auto* design = find(clos::controllers(), claim)) {
    return design->make.pass_clocks(params.m, params.r);
  }
  if (const std::uint64_t rows = rows_of(claim)) return (params.m + rows - 1) / rows + 1;
  const std::int64_t clocks = Formula(claim, params).value();
  if (clocks >= 1) return static_cast<std::uint64_t>(clocks);
  throw std::invalid_argument(
      fmt::format("clocks: \"{}\" is {} for m = {}, r = {}; a pass takes at least one clock", claim,
                  clocks, params.m, params.r));
}

}  // namespace flitcast::verify
