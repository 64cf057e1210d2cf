// SPDX-License-Identifier: Apache-2.0
// Finds the rows of an energy table for the routers of an experiment.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>

#include "base/sequences.h"
#include "config/text_file.h"
#include "config/wording.h"
#include "sim/energy/energy.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

constexpr const char* kNoCells = "none";
constexpr const char* kBuiltIn = "osu018";
constexpr const char* kOwnTable = "table";
constexpr const char* kRandom = "random";

/// Sizes of the RTL routers from which scripts/synth --energy makes rows: ports for a node and four
/// neighbours, and the cycles of the stages.
constexpr std::size_t kMostPorts = 5;
constexpr unsigned kRouteCycles = 1;
constexpr unsigned kVcAllocationCycles = 1;
constexpr unsigned kDepartureCycles = 2;

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

/// Throws ConfigError, with the reason and a hint, if tables have no rows for such routers of any
/// size.
void require_priced(const NetworkPlan& network, const Section& section) {
  const auto refuse = [&](const char* reason, const std::string& hint) {
    section.fail("cells", reason, hint + ", or leave energy out");
  };
  const RouterParams& router = network.params.router;
  if (network.implementation == &flow_level())
    refuse("flows have no events with energies", "set run.level: flit");
  if (!network.can.has_buffers) {
    if (network.params.circuits.stage_cycles == 1) return;
    refuse("tables of energies are about crossbars that a flit crosses in one cycle",
           "set router.stage_cycles to 1");
  }
  const OutputMode mode =
      network.routing == nullptr ? OutputMode::kOne : output_mode_of(*network.routing);
  if (mode == OutputMode::kAlternatives && network.can.unit != BufferUnit::kFlit) {
    refuse("no RTL has routers of whole packets that choose among outputs",
           "use a routing by which every packet has one route");
  }
  if (mode == OutputMode::kBranches) {
    refuse("no RTL has routers that copy packets, nor is there a row for them",
           "let the nodes pass messages on, or use router.kind circuit on a Clos network");
  }
  if (mode == OutputMode::kCombinations) {
    refuse("no RTL has routers that combine packets, nor is there a row for them",
           "let nodes combine (workload.forwarding, algorithm)");
  }
  if (router.pipeline.route != kRouteCycles ||
      router.pipeline.vc_allocation != kVcAllocationCycles) {
    refuse(
        "tables of energies are about routers with one cycle each of route computation and "
        "allocation of virtual channels, as the RTL has them",
        "leave router.pipeline out");
  }
  if (const auto [least, most] = buffer_depths(*network.topology, router); least != most) {
    refuse("a price is that of routers whose buffers are alike",
           "leave buffer_depth out of link.classes and link.exceptions");
  }
  if (router.buffer_depth < 2 && network.can.unit == BufferUnit::kFlit) {
    refuse("events of buffers of one flit cannot be told from outside",
           "set router.buffer_depth to 2 or more");
  }
}

/// Names the features of the routers that prices leave out, because no RTL has them.
std::vector<std::string> simplifications(const NetworkPlan& network) {
  std::vector<std::string> texts;
  if (network.params.router.options.any()) {
    texts.emplace_back("estimate: options of routers have no RTL and are priced as none");
  }
  if (network.can.has_buffers && network.routing != nullptr &&
      output_mode_of(*network.routing) == OutputMode::kAlternatives) {
    texts.emplace_back(
        "estimate: adaptive routers have no RTL and are priced as those with one "
        "route");
  }
  return texts;
}

/// Finds a row for every router, measured or estimated, and collects the rows that are used.
class RowChoice {
 public:
  /// Throws ConfigError with all router sizes that have no row.
  RowChoice(const EnergyTable& table, const NetworkPlan& network, const Section& section,
            std::uint32_t longest_packet)
      : table_(table), network_(network), section_(section), longest_packet_(longest_packet) {
    for (std::uint32_t r = 0; r < topology().router_count(); ++r) {
      const EnergyRow wanted = wanted_row(RouterId{r});
      add_once(wanted_, wanted);
      const EnergyRow* row = row_for(wanted);
      if (row == nullptr) row = estimate_for(wanted);
      if (row != nullptr) {
        of_router_.push_back(place_of(*row));
      } else {
        add_once(missing_, wanted);
      }
    }
    if (!missing_.empty()) refuse();
  }

  std::vector<EnergyRow> rows() const {
    return mapped(used_, [](const EnergyRow* row) { return *row; });
  }

  /// Says how the rows were estimated, in addition to `texts`.
  std::vector<std::string> estimates(std::vector<std::string> texts) const {
    for (const EnergyRow& row : estimates_) {
      const std::string beyond = fit_->beyond(row);
      if (!beyond.empty()) texts.push_back("extrapolated: " + beyond);
    }
    if (!estimates_.empty()) texts.emplace_back("estimated from other rows of the table");
    return texts;
  }

  std::vector<EnergyCheck> checks() const {
    return estimates_.empty() ? std::vector<EnergyCheck>{} : fit_->checks();
  }

  /// A wire ends at the pins of the downstream router; all downstream routers of one router are
  /// alike.
  std::vector<EnergyPlan::Price> prices() const {
    const double millimetres = section_.number("link_mm");
    std::vector<EnergyPlan::Price> prices = mapped(of_router_, [&](std::size_t row) {
      return EnergyPlan::Price{row, table_.link_bit_pj(*used_[row], millimetres),
                               table_.link_bit_pj(*used_[row], 0)};
    });
    for (const Channel& channel : topology().channels()) {
      const EnergyRow& behind = *used_[of_router_[index(channel.to.router)]];
      prices[index(channel.from.router)].link_bit_pj = table_.link_bit_pj(behind, millimetres);
    }
    return prices;
  }

 private:
  const Topology& topology() const { return *network_.topology; }

  /// The row that a router needs, without energies.
  EnergyRow wanted_row(RouterId id) const {
    const RouterParams& router = network_.params.router;
    EnergyRow row;
    row.width = section_.count("width");
    if (!network_.can.has_buffers) {
      row.crossbar = "multicast";
      row.inputs = topology().input_count(id);
      row.outputs = topology().output_count(id);
      return row;
    }
    row.router = network_.router->name;
    row.ports = std::max(topology().input_count(id), topology().output_count(id));
    row.virtual_channels = router.virtual_channels;
    row.buffer_depth = router.buffer_depth;
    row.departure = router.pipeline.departure();
    return row;
  }

  bool fits(const EnergyRow& row, const EnergyRow& wanted) const {
    return row.configuration() == wanted.configuration() && row.ports >= wanted.ports &&
           row.departure == wanted.departure && stores_packets(row);
  }

  bool stores_packets(const EnergyRow& row) const {
    return row.longest_packet == 0 || row.longest_packet >= longest_packet_;
  }

  /// The estimate of a router without a row, or null.
  const EnergyRow* estimate_for(const EnergyRow& wanted) {
    if (!wanted.crossbar.empty()) return nullptr;
    if (!fit_) fit_.emplace(table_, wanted);
    if (!fit_->possible()) return nullptr;
    const EnergyRow row = fit_->estimate(wanted);
    if (!stores_packets(row)) return nullptr;
    const auto* const known =
        first_where(estimates_, [&](const auto& other) { return other.ports == row.ports; });
    return known != nullptr ? known : &estimates_.emplace_back(row);
  }

  /// The fitting row with the fewest ports, or null.
  const EnergyRow* row_for(const EnergyRow& wanted) const {
    const EnergyRow* found = nullptr;
    for (const EnergyRow& row : table_.rows) {
      if (fits(row, wanted) && (found == nullptr || row.ports < found->ports)) found = &row;
    }
    return found;
  }

  std::size_t place_of(const EnergyRow& row) {
    const std::size_t place = index_of(used_, &row);
    if (place == used_.size()) used_.push_back(&row);
    return place;
  }

  static void add_once(std::vector<EnergyRow>& rows, const EnergyRow& row) {
    const auto same = [&](const EnergyRow& other) { return other.text() == row.text(); };
    if (none_of(rows, same)) rows.push_back(row);
  }

  [[noreturn]] void refuse() const {
    const auto alike = filtered(table_.rows, [&](const EnergyRow& row) {
      return row.crossbar.empty() == missing_.front().crossbar.empty();
    });
    std::string wanted = rows_text(missing_);
    if (network_.can.has_buffers) {
      wanted += fmt::format(", {} cycles of departure and packets of up to {} flits",
                            missing_.front().departure, longest_packet_);
    }
    section_.fail("cells",
                  fmt::format("the table has no row for {}; it has {}", wanted,
                              alike.empty() ? "none" : rows_text(alike)),
                  hint());
  }

  /// A hint with the command that makes a table of all needed rows, or the reason why it cannot be
  /// made.
  std::string hint() const {
    for (const EnergyRow& row : missing_) {
      std::string rtl_limit;
      if (row.ports > kMostPorts) {
        rtl_limit = fmt::format("routers of {} ports", kMostPorts);
      } else if (row.crossbar.empty() && row.departure != kDepartureCycles) {
        rtl_limit = fmt::format("{} cycles of departure", kDepartureCycles);
      }
      if (rtl_limit.empty()) continue;
      return "use one of these; no other can be made, as the RTL has " + rtl_limit;
    }
    std::string names;
    for (const EnergyRow& row : wanted_) {
      const std::string name = row.configuration();
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ",") + name;
    }
    return "use one of these, or make what is needed by scripts/synth --energy --configurations " +
           names + ", and name build/energy/energy.yaml under energy.table";
  }

  const EnergyTable& table_;
  const NetworkPlan& network_;
  const Section& section_;
  const std::uint32_t longest_packet_;
  std::optional<EnergyFit> fit_;        // The fit for the routers' kind, once one has no row.
  std::deque<EnergyRow> estimates_;     // Rows that the table lacks, by ports.
  std::vector<const EnergyRow*> used_;  // Rows of the table, or estimates, that are used.
  std::vector<std::size_t> of_router_;  // Index into used_ for each router.
  std::vector<EnergyRow> wanted_;       // Rows that routers need, without duplicates.
  std::vector<EnergyRow> missing_;      // Needed rows that the table lacks.
};

FlitFormat format_of(const NetworkPlan& network, const Section& section,
                     std::uint32_t longest_packet) {
  constexpr unsigned kNumberBits = 8;
  constexpr unsigned kLeastRemainingBits = 4;
  FlitFormat format;
  format.width = static_cast<unsigned>(section.count("width"));
  format.payload_is_random = section.text("payload") == kRandom;
  if (!network.can.has_buffers) {
    format.destination_bits = format.remaining_bits = format.head_bits = 0;
    return format;
  }
  format.destination_bits = bits_for(network.topology->node_count());
  format.remaining_bits = std::max(kLeastRemainingBits, bits_for(longest_packet));
  format.number_bits = network.can.unit == BufferUnit::kPacket ? kNumberBits : 0;
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
          "Source of the energies: the 0.18 um cells that the RTL was synthesized in, or a "
          "table of your own; none: energy is not counted.",
          {kNoCells, kBuiltIn, kOwnTable})
          .dumped_if_changed(),
      Param::file("table", "Energies per event, as in sim/energy/osu018.yaml."),
      Param::integer("width", "bits", "Bits of a flit, its header included.", 8, 4096)
          .defaults_to(34)
          .follows(kFlitBits),
      Param::number("link_mm", "mm", "Length of every channel between routers.", 0, 1000)
          .defaults_to(1),
      Param::choice("payload", "Assumed payload of flits, which is not simulated.",
                    {kRandom, "zero"}),
  };
  keys[1].when = {"cells", {kOwnTable}};
  for (std::size_t k = 2; k < keys.size(); ++k) keys[k].when = {"cells", {kBuiltIn, kOwnTable}};
  return keys;
}

std::optional<EnergyPlan> energy_plan(const Configuration& configuration,
                                      const NetworkPlan& network, std::uint32_t longest_packet) {
  const Section& section = configuration.section("energy");
  if (section.text("cells") == kNoCells) return std::nullopt;
  require_priced(network, section);
  const EnergyTable table = table_of(section);
  const RowChoice choice(table, network, section, longest_packet);
  return EnergyPlan{
      table.technology,
      table.caveat + (!network.can.has_buffers ? "; without the controller of the circuits" : ""),
      choice.rows(),
      format_of(network, section, longest_packet),
      choice.prices(),
      choice.estimates(simplifications(network)),
      choice.checks()};
}

}  // namespace flitcast
