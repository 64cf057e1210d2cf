// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/sweep/sweep.h"

namespace flitcast {
namespace {

/// Sums of a few numbers below this fit into 64 bits.
constexpr std::int64_t kLimit = 100'000'000'000'000'000;  // 10^17

constexpr const char* kStepsForm = "write {from: A, to: B, step: S} without units, or a list";

using Triple = std::array<Decimal, 3>;

/// Reads the values of {from: A, to: B, step: S}; see steps().
struct Steps {
  const YamlValue& map;
  const std::string& name;
  std::vector<Problem>& problems;

  std::vector<YamlValue> values() {
    const std::optional<Triple> triple = read();
    if (!triple) return {};
    const auto& [from, to, step] = *triple;
    const std::int64_t distance = to.digits - from.digits;
    if (step.digits == 0 || (distance < 0) != (step.digits < 0 && distance != 0)) {
      return refuse(map.place, "the step does not lead to `to`");
    }
    const std::int64_t last = distance / step.digits;
    if (last >= static_cast<std::int64_t>(kMostPoints)) {
      return refuse(map.place, "more than " + std::to_string(kMostPoints) + " values");
    }
    std::vector<YamlValue> values;
    for (std::int64_t i = 0; i <= last; ++i) {
      values.push_back(
          scalar(Decimal{from.digits + i * step.digits, from.places}.text(), map.place));
    }
    return values;
  }

  /// Reads the three numbers and extends them to the same number of places.
  std::optional<Triple> read() {
    const std::size_t before = problems.size();
    for (const YamlEntry& entry : map.entries) {
      if (entry.key == "from" || entry.key == "to" || entry.key == "step") continue;
      refuse(entry.place, "unknown key " + quoted(entry.key));
    }
    Triple triple{number("from"), number("to"), number("step")};
    if (problems.size() != before) return std::nullopt;
    const int places = largest_of<int>(triple, &Decimal::places);
    for (Decimal& decimal : triple) {
      const auto aligned = decimal.with_places(places);
      if (!aligned) {
        refuse(map.place, "the numbers need more than 17 digits");
        return std::nullopt;
      }
      decimal = *aligned;
    }
    return triple;
  }

  Decimal number(const char* key) {
    const YamlEntry* entry = map.find(key);
    if (!entry) {
      refuse(map.place, std::string("`") + key + "` is missing");
      return {};
    }
    const bool plain = entry->value.kind == YamlValue::Kind::kScalar && !entry->value.quoted;
    const auto decimal = plain ? Decimal::parse(entry->value.text) : std::nullopt;
    if (!decimal) refuse(entry->place, std::string("`") + key + "` is not a decimal number");
    return decimal.value_or(Decimal{});
  }

  /// Adds a problem, and returns no values.
  std::vector<YamlValue> refuse(const Place& place, std::string what) {
    problems.push_back({place, name, std::move(what), kStepsForm});
    return {};
  }
};

}  // namespace

std::optional<Decimal> Decimal::parse(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  std::string mantissa = text.substr(0, e);
  int exponent = 0;
  if (e != std::string::npos) {
    const std::string tail = text.substr(text.compare(e + 1, 1, "+") == 0 ? e + 2 : e + 1);
    const auto value = number_in<int>(tail);
    if (!value || *value < -17 || *value > 17) return std::nullopt;
    exponent = *value;
  }
  const std::size_t point = mantissa.find('.');
  int places = 0;
  if (point != std::string::npos) {
    places = static_cast<int>(std::min<std::size_t>(mantissa.size() - point - 1, 99));
    mantissa.erase(point, 1);
  }
  const auto digits = number_in<std::int64_t>(mantissa);
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

std::vector<YamlValue> steps(const YamlValue& map, const std::string& name,
                             std::vector<Problem>& problems) {
  return Steps{map, name, problems}.values();
}

}  // namespace flitcast
