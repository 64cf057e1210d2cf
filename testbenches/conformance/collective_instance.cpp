// SPDX-License-Identifier: Apache-2.0
#include "conformance/collective_instance.h"

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "collective/cost.h"
#include "collective/precondition.h"
#include "conformance/named_network.h"
#include "conformance/text.h"
#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast::conformance {
namespace {

using Subject = PreconditionError::Subject;

/// An algorithm by its name in the table.
struct Entry {
  const char* name;
  const char* operation;  ///< The operation's name in experiments.
  const char* algorithm;  ///< The algorithm's name in experiments.
  /// A regular expression for the values that the column may have if it is not empty.
  const char* rule;
  const char* defined;  ///< Columns that the algorithm's definition determines.
};

constexpr const char* kNoRule = "-";
constexpr const char* kTrails = "trail length \\d+|trails \\d+(; printed bound [\\d.]+)?";
constexpr const char* kDimensionOrder =
    "((farthest|seed|naive|naive \\(no precaution\\)|hop counter|source address)(, ?|$))*";

constexpr Entry kEntries[] = {
    {"rank doubling", "broadcast", "doubling", "rank doubling", "new"},
    {"doubling", "broadcast", "recursive_doubling", "dimension by dimension", "new,paths"},
    {"sbt", "broadcast", "binomial_tree", kNoRule, "new"},
    {"flooding", "broadcast", "flooding", "quiescent after \\d+", "new"},
    {"dimension-order", "broadcast", "dimension_order", kDimensionOrder, ""},
    {"dta", "broadcast", "double_tree", "e-cube msb first", "new,paths"},
    {"ho-kao", "broadcast", "ho_kao", "e-cube msb first", ""},
    {"u-mesh", "broadcast", "chain_halving", "chain halving", "new,paths"},
    {"tiling", "broadcast", "recursive_tiling", "xy \\+ yx", "new,paths"},
    {"edn", "broadcast", "extended_dominating_nodes", "xy", ""},
    {"dilated-diagonal", "broadcast", "dilated_diagonal", "xy", ""},
    {"aab", "gossip", "cube_classes", kNoRule, ""},
    {"oas", "scatter", "cube_classes", kNoRule, ""},
    {"aas", "all_to_all_scatter", "cube_colouring", kNoRule, ""},
    {"gossip hamiltonian", "gossip", "hamiltonian_cycles", kNoRule, ""},
    {"gossip zigzag thm 1", "gossip", "zigzag_cycles", kTrails, ""},
    {"gossip thm 2", "gossip", "zigzag_trails", kTrails, ""},
    {"gossip thm 3/4", "gossip", "zigzag_trails", kTrails, ""},
    {"gossip tadt", "gossip", "disjoint_trees", kNoRule, ""},
};

const Entry& entry_of(const Row& row) {
  const std::string& algorithm = row["algorithm"];
  std::string name = algorithm.substr(0, algorithm.find(" k="));
  // The table uses this name for two algorithms; on complete networks nodes double by rank.
  if (name == "doubling" && after(row["network"], "K") != nullptr) name = "rank doubling";
  const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                  [&name](const Entry& entry) { return entry.name == name; });
  if (found == std::end(kEntries)) throw std::invalid_argument("no algorithm \"" + name + "\"");
  return *found;
}

// Numbers beyond the nodes of any network are invalid sources like others.
NodeId source_of(const Row& row, Operation operation, const Topology& topology) {
  const std::string& text = row["source"];
  const bool every_node =
      operation == Operation::kGossip || operation == Operation::kAllToAllScatter;
  if (every_node && text == "-") return NodeId{};
  const bool number = text.size() > 1 && text.find_first_not_of("0123456789", 1) == text.npos;
  if (number && (text.front() == '-' || text.size() > 9)) {
    throw PreconditionError(Subject::kSource, "there is no node " + text + " in " + topology.name(),
                            "number them from 0");
  }
  return NodeId{static_cast<std::uint32_t>(to_count(text))};
}

unsigned ports_of(const Row& row, const Topology& topology) {
  if (row["ports"] == "all") return kAllPorts;
  const std::size_t ports = to_count(row["ports"]);
  if (ports == 0) throw PreconditionError(Subject::kPorts, "a node needs a port", "use 1 or more");
  return ports >= degree(topology) ? kAllPorts : static_cast<unsigned>(ports);
}

// Theorem 2 covers two dimensions, theorems 3 and 4 cover more; one function makes all of them.
void require_dimensions_of_theorem(const Entry& entry, const Topology& topology) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) return;
  const bool two = after(entry.name, "gossip thm 2") != nullptr;
  const bool more = after(entry.name, "gossip thm 3/4") != nullptr;
  if ((two && grid->dimensions() != 2) || (more && grid->dimensions() < 3)) {
    throw PreconditionError(Subject::kTopology,
                            std::string(entry.name) + " is not about " + topology.name(),
                            "use two dimensions with theorem 2, else more");
  }
}

void require_rule(const Entry& entry, const std::string& rule) {
  if (rule.empty() || after(rule, "must be rejected") != nullptr) return;
  if (entry.algorithm == std::string("recursive_tiling") && rule == "xy") {
    throw PreconditionError(Subject::kTopology, "recursive tiling cannot do with XY routing alone",
                            "let every message choose between XY and YX");
  }
  if (!std::regex_match(rule, std::regex(entry.rule))) {
    throw std::invalid_argument(std::string(entry.name) + " has no rule \"" + rule + "\"");
  }
}

/// The configuration that corresponds to "seed", "naive (no precaution)" or "farthest, hop
/// counter". A hop counter and the source's address in the packet stop a line at the same node.
Section dimension_order_workload(const std::string& rule) {
  const auto says = [&rule](const char* word) { return rule.find(word) != std::string::npos; };
  return Section::of("workload", {{"rule", says("seed") ? "seed" : "farthest"},
                                  {"stop", says("naive") ? "never" : "hop_counter"}});
}

Section workload_of(const Entry& entry, const Row& row) {
  require_rule(entry, row["rule"]);
  const bool has_keys = entry.algorithm == std::string("dimension_order");
  return has_keys ? dimension_order_workload(row["rule"]) : Section::of("workload", {});
}

void require_chunks(const Row& row, const Demand& demand) {
  const std::string& algorithm = row["algorithm"];
  const std::size_t parameter = algorithm.find(" k=");
  if (parameter == std::string::npos) return;
  if (to_count(algorithm.substr(parameter + 3)) == demand.chunks_per_node) return;
  throw PreconditionError(Subject::kTopology,
                          "on " + row["network"] + " a node has " +
                              std::to_string(demand.chunks_per_node) + " packets, unlike in " +
                              algorithm,
                          "choose another k");
}

// Section 0 counts 2n ports on every n-dimensional grid. Where a size below 3 reduces them,
// lower_bound() gives a tighter bound.
std::size_t specified_lower_bound(const Topology& topology, const Collective& collective) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  const auto& [demand, discipline, plan] = collective;
  if (grid != nullptr && demand.operation == Operation::kBroadcast &&
      discipline.switching == Switching::kWormhole && discipline.ports == kAllPorts) {
    return ceil_log(2 * grid->dimensions() + 1, demand.nodes);
  }
  return lower_bound(topology, demand, discipline).rounds;
}

}  // namespace

CollectiveInstance collective_instance(const Row& row) {
  const Entry& entry = entry_of(row);
  const Operation operation = operation_named(entry.operation);
  const Section workload = workload_of(entry, row);
  std::unique_ptr<Topology> topology = network_named(row["network"]);
  require_dimensions_of_theorem(entry, *topology);
  const unsigned ports = ports_of(row, *topology);
  const NodeId source = source_of(row, operation, *topology);
  const CollectiveMaker make = collectives().find(entry.algorithm)->make;
  Collective collective = make(workload, {*topology, source, ports, operation});
  require_chunks(row, collective.demand);
  collective.discipline.ports = ports;
  const std::size_t bound = specified_lower_bound(*topology, collective);
  return {std::move(topology), std::move(collective), bound, read_norm(entry.defined)};
}

CostModel cost_of(const Row& row) {
  return {to_count(row["ts"]), to_count(row["td"]), to_count(row["tm"]), to_count(row["m"])};
}

}  // namespace flitcast::conformance
