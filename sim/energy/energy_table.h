// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/router_events.h"

namespace flitcast {

/// A part of a router, and the price of each event in it.
struct EnergyPart {
  std::string name;
  std::vector<double> prices{};  ///< Energies in pJ, by event_names().

  double energy(const RouterEvents& events) const;
};

/// A configuration of a router, or of a crossbar of circuits, with known energies.
struct EnergyRow {
  std::string router;  ///< The name under router.kind; empty for crossbars.
  std::size_t ports = 0;
  std::size_t virtual_channels = 0;
  std::size_t buffer_depth = 0;
  std::size_t departure = 0;       ///< Cycles from the grant of the switch to the link.
  std::size_t longest_packet = 0;  ///< In flits, if routers store packets as a whole; else 0.

  std::string crossbar;  ///< "multicast" or "replicating"; empty for routers.
  std::size_t inputs = 0;
  std::size_t outputs = 0;

  std::size_t width = 0;               ///< Bits of a flit.
  double clock_pj = 0;                 ///< Energy of a clock cycle.
  std::optional<double> leakage_uw{};  ///< Leakage: power of a router whose clock is stopped.
  std::optional<double> area_um2{};    ///< Area of the router's cells.
  double input_pin_pf = 0;             ///< Capacitance of an input bit, as a load of its driver.
  std::vector<EnergyPart> parts{};
  bool estimated = false;  ///< Fitted to other rows, see energy_fit.h.

  /// The dynamic energy of events, in pJ.
  double dynamic(const RouterEvents& events) const;
  /// Returns "wormhole, 5 ports, 4 VCs of 8, 34 bits", "multicast crossbar, 4x13, 34 bits".
  std::string text() const;
  /// Returns the name of the row for scripts/synth --energy --configurations: "wormhole-4x8x34".
  std::string configuration() const;
};

/// Returns "wormhole, ...; virtual_cut_through, ...".
std::string rows_text(const std::vector<EnergyRow>& rows);

/// Energies of routers. scripts/synth --energy derives them from the RTL; a user may derive them
/// for another technology.
struct EnergyTable {
  std::string technology;
  std::string caveat;
  double volts = 0;
  double wire_pf_per_mm = 0;
  std::vector<EnergyRow> rows{};

  /// Energy in pJ of a changed bit on a link of this length to a router of that row.
  double link_bit_pj(const EnergyRow& row, double millimetres) const;
};

/// Reads the YAML text of a table; throws ConfigError with all its problems.
/// @param name  The file name, for messages.
EnergyTable read_energy_table(const std::string& text, const std::string& name);

/// The text of the built-in table, energy/osu018.yaml.
extern const char* const kBuiltInEnergyTable;

}  // namespace flitcast
