// SPDX-License-Identifier: Apache-2.0
#include "sim/energy/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/sequences.h"
#include "config/wording.h"

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
    auto* const found =
        first_where(parts, [&](const auto& known) { return known.name == part.name; });
    if (found == nullptr) {
      parts.push_back({part.name, part.energy(events)});
    } else {
      found->energy += part.energy(events);
    }
  }
}

/// The sum over all routers of a value of their rows; absent if a row lacks the value.
std::optional<double> total(const EnergyPlan& plan, std::optional<double> EnergyRow::*value) {
  return sum_if_all<double>(
      plan.prices, [&](const EnergyPlan::Price& price) { return plan.rows[price.row].*value; });
}

/// The largest difference, in per cent, between a row's value and its estimate from other rows.
ordered_json largest_error(const EnergyPlan& plan,
                           const std::function<std::optional<double>(const EnergyRow&)>& value) {
  std::optional<double> largest;
  for (const EnergyCheck& check : plan.checks) {
    const std::optional<double> measured = value(check.measured);
    const std::optional<double> estimated = value(check.estimated);
    if (!estimated || measured.value_or(0) == 0) return nullptr;
    constexpr double kPercent = 100;
    largest = std::max(largest.value_or(0), kPercent * std::abs(*estimated / *measured - 1));
  }
  return figure_of(largest);
}

ordered_json dynamic_error(const EnergyAccount& account) {
  return largest_error(account.plan, [&](const EnergyRow& row) -> std::optional<double> {
    return row.dynamic(account.events);
  });
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
    account.events += events[r];
    account.routers.push_back(
        {r, events[r].flits_out, row.clock_pj * static_cast<double>(cycles), row.dynamic(events[r]),
         price.link_bit_pj * events[r].link_bits + price.node_bit_pj * events[r].node_bits});
  }
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    add_parts(plan.rows[r], of_rows[r], account.parts);
  }
  return account;
}

double EnergyAccount::sum(double Router::*member) const {
  return sum_of<double>(routers, [&](const Router& router) { return router.*member; });
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
    {"energy.technology", "(text)", "Cells and conditions.",
     [](const auto& a) { return a.plan.technology; }},
    {"energy.caveat", "(text)", "Their limits.", [](const auto& a) { return a.plan.caveat; }},
    {"energy.payload", "(text)", "The assumed payload bits, which are not simulated.",
     [](const auto& a) { return payload_text(a.plan); }},
    {"energy.row", "(text)",
     "Rows of the table by which routers are priced, at borders by the one that has at least "
     "their ports.",
     [](const auto& a) { return rows_text(a.plan.rows); }},
    {"energy.clock_pj", "pJ", "Clock pins of all flip-flops, in the window.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::clock); }},
    {"energy.dynamic_pj", "pJ", "All else in the routers, by counted events.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::dynamic); }},
    {"energy.link_pj", "pJ", "Wires of energy.link_mm and the pins at their ends.",
     [](const auto& a) { return a.sum(&EnergyAccount::Router::link); }},
    {"energy.total_pj", "pJ", "Clock, dynamic and link energy; leakage is a power of its own.",
     [](const auto& a) {
       using R = EnergyAccount::Router;
       return a.sum(&R::clock) + a.sum(&R::dynamic) + a.sum(&R::link);
     }},
    {"energy.leakage_uw", "uW", "Leakage of all routers, at any clock.",
     [](const auto& a) { return figure_of(total(a.plan, &EnergyRow::leakage_uw)); }},
    {"energy.area_um2", "um^2", "Area of the cells of all routers.",
     [](const auto& a) { return figure_of(total(a.plan, &EnergyRow::area_um2)); }},
    {"energy.estimate", "(text)", "How prices were estimated; null if all are measured.",
     [](const auto& a) -> ordered_json {
       if (a.plan.estimates.empty()) return nullptr;
       return joined(a.plan.estimates, "; ");
     }},
    {"energy.clock_error", "%",
     "Largest error of the clock's energy when a row of the table is estimated from the others.",
     [](const auto& a) { return largest_error(a.plan, &EnergyRow::clock_pj); }},
    {"energy.dynamic_error", "%", "The same of the dynamic energy, for the events of this run.",
     dynamic_error},
    {"energy.leakage_error", "%", "The same of the leakage.",
     [](const auto& a) { return largest_error(a.plan, &EnergyRow::leakage_uw); }},
    {"energy.area_error", "%", "The same of the area.",
     [](const auto& a) { return largest_error(a.plan, &EnergyRow::area_um2); }},
    {"energy.input_pin_error", "%",
     "The same of the capacitance of an input, a part of the energy of links.",
     [](const auto& a) { return largest_error(a.plan, &EnergyRow::input_pin_pf); }},
    {"energy.pj_per_flit_hop", "pJ", "Dynamic and link energy for each router that a flit crossed.",
     [](const auto& a) -> ordered_json {
       const double hops = a.sum(&EnergyAccount::Router::flits);
       if (hops == 0) return nullptr;
       return (a.sum(&EnergyAccount::Router::dynamic) + a.sum(&EnergyAccount::Router::link)) / hops;
     }},
    {"energy.parts", "(list)", "Dynamic energy by part of the routers.",
     [](const auto& a) { return kEnergyPartFigures.list(a.parts); }},
    {"energy.routers", "(list)", "By router, at most 1024 of them.",
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
  std::string estimate = joined(account.plan.estimates, "; ");
  if (const ordered_json error = dynamic_error(account); !error.is_null()) {
    estimate += fmt::format("; fits without a row miss its dynamic energy by up to {:.2g} %",
                            error.get<double>());
  }
  return fmt::format(
      "clock {:.4g}, dynamic {:.4g}, links {:.4g} uJ in {} cycles; {:.4g} pJ per "
      "flit-hop without the clock; payloads taken as {}; {}{}{}",
      kMicro * account.sum(&R::clock), kMicro * dynamic, kMicro * link, account.cycles,
      hops > 0 ? (dynamic + link) / hops : 0, payload_text(account.plan), account.plan.caveat,
      estimate.empty() ? "" : "; ", estimate);
}

}  // namespace flitcast
