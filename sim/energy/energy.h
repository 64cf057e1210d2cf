// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/configuration.h"
#include "config/param.h"
#include "sim/energy/energy_fit.h"
#include "sim/energy/energy_table.h"
#include "sim/experiment/workload.h"

namespace flitcast {

/// The data for counting the energy of an experiment: prices of router events, and bits of flits.
struct EnergyPlan {
  /// The prices of a router's events.
  struct Price {
    std::size_t row = 0;     ///< Index in `rows`.
    double link_bit_pj = 0;  ///< Energy of a changed bit on a link to a router.
    double node_bit_pj = 0;  ///< Energy of a changed bit on a link to a node.
  };

  std::string technology;
  std::string caveat;
  std::vector<EnergyRow> rows;  ///< The rows of the table that are used.
  FlitFormat format;
  std::vector<Price> prices;  ///< Prices by router.
  /// Says how figures were estimated; empty if every router has a row of its own RTL.
  std::vector<std::string> estimates{};
  std::vector<EnergyCheck> checks{};  ///< The rows beside their estimates, if the fit is used.
};

/// Energy of the routers in the measured window, in pJ.
struct EnergyAccount {
  struct Router {
    std::size_t router = 0;
    double flits = 0;    ///< Flits sent through the router's switch.
    double clock = 0;    ///< Energy of the flip-flops, which are always clocked.
    double dynamic = 0;  ///< Energy of all other cells.
    double link = 0;     ///< Energy of the wires that the router drives.
  };
  struct Part {
    std::string name;
    double energy = 0;
  };

  EnergyPlan plan;
  std::uint64_t cycles = 0;
  std::vector<Router> routers{};
  std::vector<Part> parts{};  ///< Sums over all routers; together they are the dynamic energy.
  RouterEvents events{};      ///< The sum over all routers.

  double sum(double Router::*member) const;
};

/// The keys of the section `energy`.
std::vector<Param> energy_keys();

/// The plan for counting energy; absent unless the configuration names a table. Throws ConfigError
/// for a table that cannot be read and for routers that have no row in it and that its rows cannot
/// estimate.
std::optional<EnergyPlan> energy_plan(const Configuration& configuration,
                                      const NetworkPlan& network, std::uint32_t longest_packet);

/// Computes the energy of the routers' events in a number of cycles.
EnergyAccount account_of(const EnergyPlan& plan, const std::vector<RouterEvents>& events,
                         std::uint64_t cycles);

extern const FigureTable<EnergyAccount> kEnergyFigures;
/// The figures of list elements.
extern const FigureTable<EnergyAccount::Part> kEnergyPartFigures;
extern const FigureTable<EnergyAccount::Router> kEnergyRouterFigures;

/// Returns "clock 1.2, dynamic 0.3, links 0.1 uJ in 10000 cycles; ...".
std::string energy_line(const EnergyAccount& account);

}  // namespace flitcast
