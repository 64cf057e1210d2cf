// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/router_events.h"

namespace flitcast {

/// A part of a router, and what each event costs in it.
struct EnergyPart {
  std::string name;
  std::vector<double> prices{};  ///< pJ, by event_names().

  double energy(const RouterEvents& events) const;
};

/// A configuration of a router whose energies are known.
struct EnergyRow {
  std::string router;  ///< As under router.kind.
  std::size_t ports = 0;
  std::size_t virtual_channels = 0;
  std::size_t buffer_depth = 0;
  std::size_t width = 0;           ///< Bits of a flit.
  std::size_t departure = 0;       ///< Cycles from the grant of the switch to the link.
  std::size_t longest_packet = 0;  ///< Flits, where packets are kept whole; else 0.
  double clock_pj = 0;             ///< Of a cycle.
  double input_pin_pf = 0;         ///< That a bit of an input is for who drives it.
  std::vector<EnergyPart> parts{};

  /// "wormhole, 5 ports, 4 VCs of 8, 34 bits".
  std::string text() const;
};

/// Energies of routers, as scripts/synth --energy derives them from the RTL or a user from a
/// technology of his own.
struct EnergyTable {
  std::string technology;
  std::string caveat;
  double volts = 0;
  double wire_pf_per_mm = 0;
  std::vector<EnergyRow> rows{};

  /// pJ of a changed bit on a link of so many millimetres to a router of that row.
  double link_bit_pj(const EnergyRow& row, double millimetres) const;
};

/// Reads the YAML text of a table; throws ConfigError with all its problems. Rows of crossbars are
/// not read.
/// @param name  Of its file, for messages.
EnergyTable read_energy_table(const std::string& text, const std::string& name);

/// Text of the table that comes with the program, energy/osu018.yaml.
extern const char* const kBuiltInEnergyTable;

}  // namespace flitcast
