// SPDX-License-Identifier: Apache-2.0
#include "sim/decimal.h"

#include <algorithm>
#include <charconv>

namespace flitcast {
namespace {

/// Sums of a few numbers below it fit into 64 bits.
constexpr std::int64_t kLimit = 100'000'000'000'000'000;  // 10^17

/// The whole of `text` as an integer.
template <class Integer>
std::optional<Integer> integer_in(const std::string& text) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Decimal> Decimal::parse(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  std::string mantissa = text.substr(0, e);
  int exponent = 0;
  if (e != std::string::npos) {
    const std::string tail = text.substr(text.compare(e + 1, 1, "+") == 0 ? e + 2 : e + 1);
    const auto value = integer_in<int>(tail);
    if (!value || *value < -17 || *value > 17) return std::nullopt;
    exponent = *value;
  }
  const std::size_t point = mantissa.find('.');
  int places = 0;
  if (point != std::string::npos) {
    places = static_cast<int>(std::min<std::size_t>(mantissa.size() - point - 1, 99));
    mantissa.erase(point, 1);
  }
  const auto digits = integer_in<std::int64_t>(mantissa);
  if (!digits || *digits >= kLimit || *digits <= -kLimit) return std::nullopt;
  const Decimal decimal{*digits, places - exponent};
  return decimal.with_places(std::max(0, decimal.places));
}

std::optional<Decimal> Decimal::with_places(int more) const {
  Decimal result = *this;
  for (; result.places < more; ++result.places) {
    if (result.digits >= kLimit / 10 || result.digits <= -kLimit / 10) return std::nullopt;
    result.digits *= 10;
  }
  return result;
}

std::string Decimal::text() const {
  std::string text = std::to_string(digits < 0 ? -digits : digits);
  const auto wanted = static_cast<std::size_t>(places);
  if (text.size() <= wanted) text.insert(0, wanted + 1 - text.size(), '0');
  if (places > 0) {
    text.insert(text.size() - wanted, ".");
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return digits < 0 ? "-" + text : text;
}

}  // namespace flitcast
