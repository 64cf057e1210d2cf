// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/configuration.h"
#include "config/param.h"
#include "sim/energy/energy_table.h"
#include "sim/experiment/workload.h"

namespace flitcast {

/// How an experiment counts energy: the prices of its routers' events, and the bits of its flits.
struct EnergyPlan {
  /// The prices of a router's events.
  struct Price {
    std::size_t row = 0;     ///< In `rows`.
    double link_bit_pj = 0;  ///< Energy of a changed bit on a link to a router.
    double node_bit_pj = 0;  ///< Energy of a changed bit on a link to a node.
  };

  std::string technology;
  std::string caveat;
  std::vector<EnergyRow> rows;  ///< The rows of the table that are used.
  FlitFormat format;
  std::vector<Price> prices;  ///< By router.
};

/// Energy of the routers in the measured window, in pJ.
struct EnergyAccount {
  struct Router {
    std::size_t router = 0;
    double flits = 0;    ///< Flits sent through its switch.
    double clock = 0;    ///< Energy of its flip-flops, always on.
    double dynamic = 0;  ///< Energy of its other cells.
    double link = 0;     ///< Energy of the wires that it drives.
  };
  struct Part {
    std::string name;
    double energy = 0;
  };

  EnergyPlan plan;
  std::uint64_t cycles = 0;
  std::vector<Router> routers{};
  std::vector<Part> parts{};  ///< All routers together; their sum is the dynamic energy.

  double sum(double Router::*member) const;
};

/// Keys of the section `energy`.
std::vector<Param> energy_keys();

/// Absent unless a table is named. Throws ConfigError for a table that cannot be read and for
/// routers that it has no row for.
std::optional<EnergyPlan> energy_plan(const Configuration& configuration,
                                      const NetworkPlan& network, std::uint32_t longest_packet);

/// Prices the routers' events in a number of cycles.
EnergyAccount account_of(const EnergyPlan& plan, const std::vector<RouterEvents>& events,
                         std::uint64_t cycles);

const FigureTable<EnergyAccount>& energy_figures();
/// Figures of the elements of lists.
const FigureTable<EnergyAccount::Part>& energy_part_figures();
const FigureTable<EnergyAccount::Router>& energy_router_figures();

/// "clock 1.2, dynamic 0.3, links 0.1 uJ in 10000 cycles; ...".
std::string energy_line(const EnergyAccount& account);

}  // namespace flitcast
