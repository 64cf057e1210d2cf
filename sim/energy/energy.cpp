// SPDX-License-Identifier: Apache-2.0
#include "sim/energy/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "config/text_file.h"
#include "config/wording.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

constexpr const char* kNoCells = "none";
constexpr const char* kBuiltIn = "osu018";
constexpr const char* kOwnTable = "table";
constexpr const char* kRandom = "random";

/// Routers that a result lists.
constexpr std::size_t kMostRouters = 1024;

/// Stages of the RTL before the switch, which tables are about.
constexpr unsigned kRouteCycles = 1;
constexpr unsigned kVcAllocationCycles = 1;

unsigned bits_for(std::uint64_t values) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < values) ++bits;
  return std::max(bits, 1U);
}

EnergyTable table_of(const Section& section) {
  if (section.text("cells") == kBuiltIn) return read_energy_table(kBuiltInEnergyTable, kBuiltIn);
  const std::string path = section.path("table");
  std::ifstream file(path, std::ios::binary);
  const std::optional<std::string> text = file ? read_text(file) : std::nullopt;
  if (!text) section.fail("table", quoted(path) + " cannot be read", "name a table of energies");
  return read_energy_table(*text, path);
}

std::string rows_text(const EnergyTable& table) {
  std::string text;
  for (const EnergyRow& row : table.rows) text += (text.empty() ? "" : "; ") + row.text();
  return text.empty() ? "none" : text;
}

std::size_t most_ports(const Topology& topology) {
  std::size_t most = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    most = std::max({most, topology.input_count(RouterId{r}), topology.output_count(RouterId{r})});
  }
  return most;
}

/// What the network is, in the words of a row.
EnergyRow wanted_row(const NetworkPlan& network, const Section& section) {
  const RouterParams& router = network.params.router;
  EnergyRow row;
  row.router = network.router->name;
  row.ports = most_ports(*network.topology);
  row.virtual_channels = router.virtual_channels;
  row.buffer_depth = router.buffer_depth;
  row.width = section.count("width");
  row.departure = router.pipeline.departure();
  return row;
}

bool fits(const EnergyRow& row, const EnergyRow& wanted, std::uint32_t longest_packet) {
  return row.router == wanted.router && row.ports >= wanted.ports &&
         row.virtual_channels == wanted.virtual_channels &&
         row.buffer_depth == wanted.buffer_depth && row.width == wanted.width &&
         row.departure == wanted.departure &&
         (row.longest_packet == 0 || row.longest_packet >= longest_packet);
}

/// The smallest router that fits, or null.
const EnergyRow* row_for(const EnergyTable& table, const EnergyRow& wanted,
                         std::uint32_t longest_packet) {
  const EnergyRow* found = nullptr;
  for (const EnergyRow& row : table.rows) {
    if (fits(row, wanted, longest_packet) && (found == nullptr || row.ports < found->ports)) {
      found = &row;
    }
  }
  return found;
}

/// Why the routers are none of those of tables, whatever their sizes; empty if they are.
std::string unlike(const NetworkPlan& network) {
  const RouterParams& router = network.params.router;
  if (network.router->cores == nullptr)
    return "routers without buffers are in no table of energies";
  if (router.options.any()) return "routers with options are in no table of energies";
  if (network.routing != nullptr && ways_of(*network.routing) != Ways::kOne) {
    return "routers whose packets have several ways are in no table of energies";
  }
  if (router.pipeline.route != kRouteCycles ||
      router.pipeline.vc_allocation != kVcAllocationCycles) {
    return "tables of energies are about routers with one cycle each of route computation and "
           "allocation of virtual channels";
  }
  if (router.buffer_depth < 2 && !network.params.keeps_packets()) {
    return "events of buffers of one flit cannot be told from outside";
  }
  return "";
}

FlitFormat format_of(const NetworkPlan& network, const Section& section,
                     std::uint32_t longest_packet) {
  constexpr unsigned kNumberBits = 8;
  constexpr unsigned kLeastRemainingBits = 4;
  FlitFormat format;
  format.width = static_cast<unsigned>(section.count("width"));
  format.destination_bits = bits_for(network.topology->node_count());
  format.remaining_bits = std::max(kLeastRemainingBits, bits_for(longest_packet));
  format.number_bits = network.params.keeps_packets() ? kNumberBits : 0;
  format.payload_is_random = section.text("payload") == kRandom;
  if (format.header_bits() > format.width) {
    section.fail("width",
                 fmt::format("a header takes {} bits: {} for {} nodes, {} for packets of {} flits",
                             format.header_bits(), format.destination_bits,
                             network.topology->node_count(), format.remaining_bits, longest_packet),
                 "use a table of wider flits, fewer nodes or shorter packets");
  }
  return format;
}

}  // namespace

std::vector<Param> energy_keys() {
  std::vector<Param> keys{
      Param::choice(
          "cells",
          "Whose energies: of the 0.18 um cells that the RTL was synthesized in, or those "
          "of a table of one's own; none: nothing is counted.",
          {kNoCells, kBuiltIn, kOwnTable}),
      Param::file("table", "Energies per event, as in sim/energy/osu018.yaml."),
      Param::integer("width", "bits", "Of a flit, its header included.", 8, 4096).defaults_to(34),
      Param::number("link_mm", "mm", "Length of every channel between routers.", 0, 1000)
          .defaults_to(1),
      Param::choice("payload", "What flits carry; it is not counted but taken as this.",
                    {kRandom, "zero"}),
  };
  keys[0].default_echoed = false;
  keys[1].when = {"cells", {kOwnTable}};
  for (std::size_t k = 2; k < keys.size(); ++k) keys[k].when = {"cells", {kBuiltIn, kOwnTable}};
  return keys;
}

std::optional<EnergyPlan> energy_plan(const Configuration& configuration,
                                      const NetworkPlan& network, const Workload& workload) {
  const Section& section = configuration.section("energy");
  if (section.text("cells") == kNoCells) return std::nullopt;
  const std::string why_not = unlike(network);
  if (!why_not.empty()) {
    section.fail("cells", why_not,
                 "use wormhole, virtual cut-through or store-and-forward routers "
                 "without options, or leave energy out");
  }
  const EnergyTable table = table_of(section);
  const EnergyRow wanted = wanted_row(network, section);
  const std::uint32_t longest = workload.longest_packet();
  const EnergyRow* const row = row_for(table, wanted, longest);
  if (row == nullptr) {
    section.fail(
        "cells",
        fmt::format("the table has no row for {}, {} cycles of departure and packets of up "
                    "to {} flits; it has {}",
                    wanted.text(), wanted.departure, longest, rows_text(table)),
        "use one of these, or make the row by scripts/synth --energy");
  }
  return EnergyPlan{table.technology,
                    table.caveat,
                    *row,
                    format_of(network, section, longest),
                    table.link_bit_pj(*row, section.number("link_mm")),
                    table.link_bit_pj(*row, 0)};
}

EnergyAccount account_of(const EnergyPlan& plan, const std::vector<RouterEvents>& events,
                         std::uint64_t cycles) {
  EnergyAccount account{plan, cycles};
  RouterEvents all;
  for (std::size_t r = 0; r < events.size(); ++r) {
    all += events[r];
    double dynamic = 0;
    for (const EnergyPart& part : plan.row.parts) dynamic += part.energy(events[r]);
    account.routers.push_back(
        {r, events[r].flits_out, plan.row.clock_pj * static_cast<double>(cycles), dynamic,
         plan.link_bit_pj * events[r].link_bits + plan.node_bit_pj * events[r].node_bits});
  }
  for (const EnergyPart& part : plan.row.parts) {
    account.parts.push_back({part.name, part.energy(all)});
  }
  return account;
}

double EnergyAccount::sum(double Router::*member) const {
  double sum = 0;
  for (const Router& router : routers) sum += router.*member;
  return sum;
}

const FigureTable<EnergyAccount::Part>& energy_part_figures() {
  using P = EnergyAccount::Part;
  static const FigureTable<P> table{
      {"part", "", "Of the RTL, as the table of energies names it.", &P::name},
      {"dynamic_pj", "pJ", "What it spent in all routers.", &P::energy},
  };
  return table;
}

const FigureTable<EnergyAccount::Router>& energy_router_figures() {
  using R = EnergyAccount::Router;
  static const FigureTable<R> table{
      {"router", "", "Number of the router.", &R::router},
      {"flits", "flits", "Flits that crossed it in the window.", &R::flits},
      {"clock_pj", "pJ", "Of its flip-flops' clock pins.", &R::clock},
      {"dynamic_pj", "pJ", "Of everything else in it.", &R::dynamic},
      {"link_pj", "pJ", "Of the wires that it drives.", &R::link},
  };
  return table;
}

const FigureTable<EnergyAccount>& energy_figures() {
  using A = EnergyAccount;
  static const FigureTable<A> table{
      {"energy.technology", "", "Cells and conditions.",
       [](const A& a) { return a.plan.technology; }},
      {"energy.caveat", "", "What the figures are not.", [](const A& a) { return a.plan.caveat; }},
      {"energy.payload", "", "What payloads were taken as, since nothing of them is simulated.",
       [](const A& a) { return a.plan.format.payload_is_random ? kRandom : "zero"; }},
      {"energy.row", "", "The router of the table by which all are priced, those at borders too.",
       [](const A& a) { return a.plan.row.text(); }},
      {"energy.clock_pj", "pJ", "Clock pins of all flip-flops, in the window.",
       [](const A& a) { return a.sum(&A::Router::clock); }},
      {"energy.dynamic_pj", "pJ", "All else in the routers, by counted events.",
       [](const A& a) { return a.sum(&A::Router::dynamic); }},
      {"energy.link_pj", "pJ", "Wires of energy.link_mm and the pins at their ends.",
       [](const A& a) { return a.sum(&A::Router::link); }},
      {"energy.pj_per_flit_hop", "pJ",
       "Dynamic and link energy for each router that a flit crossed.",
       [](const A& a) -> ordered_json {
         const double hops = a.sum(&A::Router::flits);
         if (hops == 0) return nullptr;
         return (a.sum(&A::Router::dynamic) + a.sum(&A::Router::link)) / hops;
       }},
      {"energy.parts", "", "Dynamic energy by part of the routers.",
       [](const A& a) { return energy_part_figures().list(a.parts); }},
      {"energy.routers", "", "By router, at most 1024 of them.",
       [](const A& a) {
         std::vector<A::Router> shown = a.routers;
         if (shown.size() > kMostRouters) shown.resize(kMostRouters);
         return energy_router_figures().list(shown);
       }},
  };
  return table;
}

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
      hops > 0 ? (dynamic + link) / hops : 0,
      account.plan.format.payload_is_random ? kRandom : "zero", account.plan.caveat);
}

}  // namespace flitcast
