// SPDX-License-Identifier: Apache-2.0
#include "sim/energy/energy.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitcast {

namespace {

/// The maximum number of routers that a result lists.
constexpr std::size_t kMostRouters = 1024;

/// The value of energy.payload.
const char* payload_text(const EnergyPlan& plan) {
  return plan.format.payload_is_random ? "random" : "zero";
}

/// Adds the energy of each part of a row to the entry with the part's name.
void add_parts(const EnergyRow& row, const RouterEvents& events,
               std::vector<EnergyAccount::Part>& parts) {
  for (const EnergyPart& part : row.parts) {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const auto& known) { return known.name == part.name; });
    if (found == parts.end()) {
      parts.push_back({part.name, part.energy(events)});
    } else {
      found->energy += part.energy(events);
    }
  }
}

}  // namespace

EnergyAccount account_of(const EnergyPlan& plan, const std::vector<RouterEvents>& events,
                         std::uint64_t cycles) {
  EnergyAccount account{plan, cycles};
  std::vector<RouterEvents> of_rows(plan.rows.size());
  for (std::size_t r = 0; r < events.size(); ++r) {
    const EnergyPlan::Price& price = plan.prices[r];
    const EnergyRow& row = plan.rows[price.row];
    of_rows[price.row] += events[r];
    double dynamic = 0;
    for (const EnergyPart& part : row.parts) dynamic += part.energy(events[r]);
    account.routers.push_back(
        {r, events[r].flits_out, row.clock_pj * static_cast<double>(cycles), dynamic,
         price.link_bit_pj * events[r].link_bits + price.node_bit_pj * events[r].node_bits});
  }
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    add_parts(plan.rows[r], of_rows[r], account.parts);
  }
  return account;
}

double EnergyAccount::sum(double Router::*member) const {
  double sum = 0;
  for (const Router& router : routers) sum += router.*member;
  return sum;
}

const FigureTable<EnergyAccount::Part> kEnergyPartFigures{
    {"part", "", "Part of the RTL, as the table of energies names it.", &EnergyAccount::Part::name},
    {"dynamic_pj", "pJ", "Its energy in all routers.", &EnergyAccount::Part::energy},
};

const FigureTable<EnergyAccount::Router> kEnergyRouterFigures{
    {"router", "", "Number of the router.", &EnergyAccount::Router::router},
    {"flits", "flits", "Flits that crossed it in the window.", &EnergyAccount::Router::flits},
    {"clock_pj", "pJ", "Energy of its flip-flops' clock pins.", &EnergyAccount::Router::clock},
    {"dynamic_pj", "pJ", "Energy of its other cells.", &EnergyAccount::Router::dynamic},
    {"link_pj", "pJ", "Energy of the wires that it drives.", &EnergyAccount::Router::link},
};

const FigureTable<EnergyAccount> kEnergyFigures{
    {"energy.technology", "", "Cells and conditions.",
     [](const auto& a) { return a.plan.technology; }},
    {"energy.caveat", "", "Limits of the figures.", [](const auto& a) { return a.plan.caveat; }},
    {"energy.payload", "", "The assumed payload bits, which are not simulated.",
     [](const auto& a) { return payload_text(a.plan); }},
    {"energy.row", "",
     "Rows of the table by which routers are priced, at borders by the one that has at least "
     "their ports.",
     [](const auto& a) { return rows_text(a.plan.rows); }},
    {"energy.clock_pj", "pJ", "Clock pins of all flip-flops, in the window.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::clock); }},
    {"energy.dynamic_pj", "pJ", "All else in the routers, by counted events.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::dynamic); }},
    {"energy.link_pj", "pJ", "Wires of energy.link_mm and the pins at their ends.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::link); }},
    {"energy.pj_per_flit_hop", "pJ", "Dynamic and link energy for each router that a flit crossed.",
     [](const auto& a) -> ordered_json {
       const double hops = a.sum(&EnergyAccount::Router::flits);
       if (hops == 0) return nullptr;
       return (a.sum(&EnergyAccount::Router::dynamic) + a.sum(&EnergyAccount::Router::link)) / hops;
     }},
    {"energy.parts", "", "Dynamic energy by part of the routers.",
     [](const auto& a) { return kEnergyPartFigures.list(a.parts); }},
    {"energy.routers", "", "By router, at most 1024 of them.",
     [](const auto& a) {
       std::vector<EnergyAccount::Router> shown = a.routers;
       if (shown.size() > kMostRouters) shown.resize(kMostRouters);
       return kEnergyRouterFigures.list(shown);
     }},
};

std::string energy_line(const EnergyAccount& account) {
  using R = EnergyAccount::Router;
  const double dynamic = account.sum(&R::dynamic);
  const double link = account.sum(&R::link);
  const double hops = account.sum(&R::flits);
  constexpr double kMicro = 1e-6;
  return fmt::format(
      "clock {:.4g}, dynamic {:.4g}, links {:.4g} uJ in {} cycles; {:.4g} pJ per "
      "flit-hop without the clock; payloads taken as {}; {}",
      kMicro * account.sum(&R::clock), kMicro * dynamic, kMicro * link, account.cycles,
      hops > 0 ? (dynamic + link) / hops : 0, payload_text(account.plan), account.plan.caveat);
}

}  // namespace flitcast
