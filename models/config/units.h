// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace flitcast {

/// Relates time and data to the cycles and flits of a network.
struct Scale {
  std::optional<double> clock_ghz{};
  std::optional<double> flit_bits{};
};

/// A number with a unit: "5 ns", "0.5KiB", "1e3 ps".
struct Quantity {
  double number = 0;
  std::string unit;
};

/// The number and the unit of a text; absent if the text is anything else.
std::optional<Quantity> quantity_in(const std::string& text);

/// A quantity in the plain unit of a key, or the reason why it has no value there.
struct Converted {
  double value = 0;
  /// True if the quantity is a rate and the value is the time of a flit at that rate.
  bool is_inverted = false;
  std::string fault{};  ///< Empty if there is a value.
  std::string hint{};
};

/// Converts a quantity to the plain unit of a key, such as "cycles" or "flits". The value has 15
/// significant decimal digits, so that 0.1 ns at 10 GHz is one cycle and not a little more.
///
/// Source of the units: ISO 80000-1 (decimal prefixes) and IEC 80000-13 (Ki, Mi, Gi, Ti); B is a
/// byte and b a bit.
Converted convert(const Quantity& quantity, const std::string& plain, const Scale& scale);

/// The quantities that a key with that plain unit takes: "a time such as 5 ns"; empty if it takes
/// plain numbers only.
std::string quantities_text(const std::string& plain);

/// The units that a key with that plain unit takes.
std::vector<std::string> units_of(const std::string& plain);

}  // namespace flitcast
