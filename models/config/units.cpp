// SPDX-License-Identifier: Apache-2.0
#include "config/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {
namespace {

enum class Dimension { kTime, kSize, kRate, kFrequency };

/// The names and examples of dimensions, in their order.
constexpr struct {
  const char* name;
  const char* example;
} kDimensions[] = {
    {"a time", "5 ns"}, {"a size", "64 B"}, {"a rate", "32 GB/s"}, {"a frequency", "1.2 GHz"}};

constexpr std::size_t index(Dimension dimension) { return static_cast<std::size_t>(dimension); }

struct Unit {
  std::string name;
  Dimension dimension;
  double si;  ///< The size of the unit in seconds, bits, bits per second or hertz.
};

const std::vector<Unit>& units() {
  static const std::vector<Unit> all = [] {
    using D = Dimension;
    std::vector<Unit> units{
        {"ps", D::kTime, 1e-12},     {"ns", D::kTime, 1e-9},      {"us", D::kTime, 1e-6},
        {"ms", D::kTime, 1e-3},      {"s", D::kTime, 1},          {"Hz", D::kFrequency, 1},
        {"kHz", D::kFrequency, 1e3}, {"MHz", D::kFrequency, 1e6}, {"GHz", D::kFrequency, 1e9}};
    const std::vector<Unit> sizes{
        {"b", D::kSize, 1},        {"kb", D::kSize, 1e3},     {"Mb", D::kSize, 1e6},
        {"Gb", D::kSize, 1e9},     {"Tb", D::kSize, 1e12},    {"B", D::kSize, 8},
        {"kB", D::kSize, 8e3},     {"MB", D::kSize, 8e6},     {"GB", D::kSize, 8e9},
        {"TB", D::kSize, 8e12},    {"KiB", D::kSize, 0x1p13}, {"MiB", D::kSize, 0x1p23},
        {"GiB", D::kSize, 0x1p33}, {"TiB", D::kSize, 0x1p43}};
    units.insert(units.end(), sizes.begin(), sizes.end());
    for (const Unit& size : sizes) units.push_back({size.name + "/s", D::kRate, size.si});
    return units;
  }();
  return all;
}

/// A unit of keys, whose size is a product of powers of the clock and of the flit width.
struct PlainUnit {
  const char* name;
  Dimension dimension;
  double factor;          ///< In seconds, bits, bits per second or hertz.
  int clock;              ///< The exponent of the clock.
  int width;              ///< The exponent of the flit width.
  bool inverted = false;  ///< A value is the plain unit divided by the quantity.

  double si(const Scale& scale) const {
    return factor * std::pow(scale.clock_ghz.value_or(1) * 1e9, clock) *
           std::pow(scale.flit_bits.value_or(1), width);
  }
};

/// The dimensions of keys by their units; a key whose unit is not here takes plain numbers only.
constexpr PlainUnit kPlainUnits[] = {
    {"cycles", Dimension::kTime, 1, -1, 0},
    {"cycles per flit", Dimension::kTime, 1, -1, 0},
    {"cycles per flit", Dimension::kRate, 1, 1, 1, true},
    {"flits", Dimension::kSize, 1, 0, 1},
    {"flits per node and cycle", Dimension::kRate, 1, 1, 1},
    {"flits per cycle", Dimension::kRate, 1, 1, 1},
    {"bits", Dimension::kSize, 1, 0, 0},
    {"bytes", Dimension::kSize, 8, 0, 0},
    {"MHz", Dimension::kFrequency, 1e6, 0, 0},
    {"GHz", Dimension::kFrequency, 1e9, 0, 0},
};

/// The plain units with that name, one for each dimension that the key takes.
std::vector<PlainUnit> plain_units(const std::string& name) {
  return filtered(kPlainUnits, [&](const PlainUnit& unit) { return unit.name == name; });
}

double in_fifteen_digits(double value) {
  return std::isfinite(value) ? number_in<double>(fmt::format("{:.15g}", value)).value() : value;
}

Converted refused(std::string fault, std::string hint) {
  return {0, false, std::move(fault), std::move(hint)};
}

/// Refuses a quantity whose plain unit depends on a key that is not given.
Converted without_scale(const PlainUnit& plain, const Scale& scale) {
  std::vector<std::string> needs;
  std::vector<std::string> keys;
  if (plain.clock != 0 && !scale.clock_ghz) {
    needs.emplace_back("a clock");
    keys.emplace_back("clock: 1 GHz");
  }
  if (plain.width != 0 && !scale.flit_bits) {
    needs.emplace_back("the width of a flit");
    keys.emplace_back("flit_width: 128 b");
  }
  if (needs.empty()) return {};
  return refused(
      "needs " + listed(needs),
      fmt::format("write {} at the top of the file, or plain {}", listed(keys), plain.name));
}

}  // namespace

std::optional<Quantity> quantity_in(const std::string& text) {
  if (text.find_first_of("0123456789") > text.find_first_not_of("-.")) return std::nullopt;
  Quantity quantity;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, quantity.number);
  const char* const unit = std::find_if(stop, end, [](char c) { return c != ' '; });
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (error != std::errc() || unit == end || !is_letter(*unit)) return std::nullopt;
  quantity.unit.assign(unit, end);
  return quantity;
}

Converted convert(const Quantity& quantity, const std::string& plain, const Scale& scale) {
  if (quantity.unit == plain) return {quantity.number};
  const Unit* const unit =
      first_where(units(), [&](const Unit& one) { return one.name == quantity.unit; });
  const std::string hint = fmt::format("write {}, or plain {}", quantities_text(plain), plain);
  if (unit == nullptr) {
    const std::string meant = closest(quantity.unit, units_of(plain));
    return refused("has no known unit",
                   meant.empty() ? hint : "did you mean " + meant + "? Otherwise " + hint);
  }
  for (const PlainUnit& own : plain_units(plain)) {
    if (own.dimension != unit->dimension) continue;
    Converted missing = without_scale(own, scale);
    if (!missing.fault.empty()) return missing;
    const double si = quantity.number * unit->si;
    const double value = own.inverted ? own.si(scale) / si : si / own.si(scale);
    return {in_fifteen_digits(value), own.inverted};
  }
  return refused(fmt::format("is {}", kDimensions[index(unit->dimension)].name), hint);
}

std::string quantities_text(const std::string& plain) {
  return either(mapped(plain_units(plain), [](const PlainUnit& unit) {
    const auto& [name, example] = kDimensions[index(unit.dimension)];
    return fmt::format("{} such as {}", name, example);
  }));
}

std::vector<std::string> units_of(const std::string& plain) {
  std::vector<std::string> names;
  for (const PlainUnit& own : plain_units(plain)) {
    for (const Unit& unit : units()) {
      if (unit.dimension == own.dimension) names.push_back(unit.name);
    }
  }
  return names;
}

}  // namespace flitcast
