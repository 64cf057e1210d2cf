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

/// What an experiment wants to know of energy: prices for its routers, and how its flits lie on
/// wires.
struct EnergyPlan {
  /// What a router costs.
  struct Price {
    std::size_t row = 0;     ///< In `rows`.
    double link_bit_pj = 0;  ///< Of a changed bit to other routers,
    double node_bit_pj = 0;  ///< and to nodes.
  };

  std::string technology;
  std::string caveat;
  std::vector<EnergyRow> rows;  ///< Of the table, those that are used.
  FlitFormat format;
  std::vector<Price> prices;  ///< By router.
};

/// What the routers have spent in the measured window, in pJ.
struct EnergyAccount {
  struct Router {
    std::size_t router = 0;
    double flits = 0;    ///< Sent through its switch.
    double clock = 0;    ///< Of its flip-flops, always on.
    double dynamic = 0;  ///< Of all else in it.
    double link = 0;     ///< Of the wires that it drives.
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

/// Nothing unless a table is named. Throws ConfigError for a table that cannot be read and for
/// routers that no row of it is about.
std::optional<EnergyPlan> energy_plan(const Configuration& configuration,
                                      const NetworkPlan& network, const Workload& workload);

/// Prices the events that the routers had in so many cycles, by router.
EnergyAccount account_of(const EnergyPlan& plan, const std::vector<RouterEvents>& events,
                         std::uint64_t cycles);

const FigureTable<EnergyAccount>& energy_figures();
/// Figures of the elements of lists.
const FigureTable<EnergyAccount::Part>& energy_part_figures();
const FigureTable<EnergyAccount::Router>& energy_router_figures();

/// "clock 1.2, dynamic 0.3, links 0.1 uJ in 10000 cycles; ...".
std::string energy_line(const EnergyAccount& account);

}  // namespace flitcast
