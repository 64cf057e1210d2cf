// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/energy/energy_table.h"

namespace flitcast {

/// A row of a table beside its estimate from the other rows alone.
struct EnergyCheck {
  EnergyRow measured;
  EnergyRow estimated;
};

/// Estimates routers without a row in a table of energies.
///
/// With P ports, V virtual channels of D flits and W bits, each value of a port is a sum of terms
///
///   c0 P W + c1 V + c2 V D W + c3 P V V + c4 + c5 V D      with all c >= 0:
///
/// crossbar, state of a VC, slots, allocators, control, and counters with decoders of slots. Area,
/// leakage and clock are those of P ports; events and pins belong to one port. At most 3 terms are
/// used, those with the least sum of squared relative errors over all rows, so no value falls when
/// the router grows.
class EnergyFit {
 public:
  /// Uses the rows with the parts, departure and storage of the rows of the wanted router's kind.
  EnergyFit(const EnergyTable& table, const EnergyRow& wanted);

  /// False if there are too few rows for a fit.
  bool possible() const;
  /// The estimate for a router, which at a port count between those of rows has the next larger.
  EnergyRow estimate(const EnergyRow& wanted) const;
  /// Returns "8 VCs beyond the measured 1 to 4" for each size outside those of the rows; else "".
  std::string beyond(const EnergyRow& estimate) const;
  /// Every row, estimated from the others.
  std::vector<EnergyCheck> checks() const;

 private:
  explicit EnergyFit(std::vector<EnergyRow> rows) : rows_(std::move(rows)) {}

  std::vector<EnergyRow> rows_;
};

}  // namespace flitcast
