// SPDX-License-Identifier: Apache-2.0
#include "sim/steps.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "config/wording.h"
#include "sim/decimal.h"

namespace flitcast {
namespace {

constexpr const char* kStepsForm = "write {from: A, to: B, step: S}, or a list of values";

using Triple = std::array<Decimal, 3>;

class Steps {
 public:
  Steps(const YamlValue& map, const std::string& name, std::vector<Problem>& problems)
      : map_(map), name_(name), problems_(problems) {}

  std::vector<YamlValue> values() {
    const std::optional<Triple> triple = read();
    if (!triple) return {};
    const auto& [from, to, step] = *triple;
    const std::int64_t way = to.digits - from.digits;
    if (step.digits == 0 || (way < 0) != (step.digits < 0 && way != 0)) {
      refuse(map_.place, "the step does not lead to `to`");
      return {};
    }
    const std::int64_t last = way / step.digits;
    if (last >= static_cast<std::int64_t>(kMostPoints)) {
      refuse(map_.place, "more than " + std::to_string(kMostPoints) + " values");
      return {};
    }
    std::vector<YamlValue> values;
    for (std::int64_t i = 0; i <= last; ++i) {
      values.push_back(value(Decimal{from.digits + i * step.digits, from.places}));
    }
    return values;
  }

 private:
  /// The three numbers with as many places each.
  std::optional<Triple> read() {
    const std::size_t before = problems_.size();
    for (const YamlEntry& entry : map_.entries) {
      if (entry.key == "from" || entry.key == "to" || entry.key == "step") continue;
      refuse(entry.place, "unknown key " + quoted(entry.key));
    }
    Triple triple{number("from"), number("to"), number("step")};
    if (problems_.size() != before) return std::nullopt;
    int places = 0;
    for (const Decimal& decimal : triple) places = std::max(places, decimal.places);
    for (Decimal& decimal : triple) {
      const auto aligned = decimal.with_places(places);
      if (!aligned) {
        refuse(map_.place, "the numbers need more than 17 digits");
        return std::nullopt;
      }
      decimal = *aligned;
    }
    return triple;
  }

  Decimal number(const char* key) {
    const YamlEntry* entry = map_.find(key);
    if (!entry) {
      refuse(map_.place, std::string("`") + key + "` is missing");
      return {};
    }
    const bool plain = entry->value.kind == YamlValue::Kind::kScalar && !entry->value.quoted;
    const auto decimal = plain ? Decimal::parse(entry->value.text) : std::nullopt;
    if (!decimal) refuse(entry->place, std::string("`") + key + "` is not a decimal number");
    return decimal.value_or(Decimal{});
  }

  YamlValue value(const Decimal& decimal) const {
    YamlValue value;
    value.kind = YamlValue::Kind::kScalar;
    value.place = map_.place;
    value.text = decimal.text();
    return value;
  }

  void refuse(const Place& place, std::string what) {
    problems_.push_back({place, name_, std::move(what), kStepsForm});
  }

  const YamlValue& map_;
  const std::string& name_;
  std::vector<Problem>& problems_;
};

}  // namespace

std::vector<YamlValue> steps(const YamlValue& map, const std::string& name,
                             std::vector<Problem>& problems) {
  return Steps(map, name, problems).values();
}

}  // namespace flitcast
