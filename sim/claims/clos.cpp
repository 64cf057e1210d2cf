// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: collective operations and the single-rate Clos network. Ports and
// switches have numbers from 1 in parameters and figures, as on the page.
#include "topology/clos.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/bounds/bounds.h"
#include "collective/arithmetic.h"
#include "sim/claims/middle_assignments.h"
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

// Collective operations between p ranks.

VerifiedCollective among_ranks(std::size_t p, Operation operation, const std::string& algorithm) {
  const auto nodes = network_named("K" + std::to_string(std::max<std::size_t>(p, 2)), "p");
  return on_step_machine({*nodes, NodeId{}, 1, operation, nodes_after(NodeId{}, p / 2, p), p},
                         algorithm);
}

/// By rank and part: whether the rank holds this chunk, or this contribution in its sum.
using Holdings = std::vector<std::vector<bool>>;

/// What ranks hold at the start of a schedule, and after its last round.
std::pair<Holdings, Holdings> holdings_of(const Collective& collective) {
  const Schedule& schedule = collective.plan.schedule;
  const std::size_t parts = collective.demand.chunks();
  Holdings first(collective.demand.nodes, std::vector<bool>(parts));
  for (std::size_t part = 0; part < parts; ++part) {
    first[index(collective.demand.origin(to_id<ChunkId>(part)))][part] = true;
  }
  Holdings last = first;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const Holdings before = last;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const std::vector<bool>& sender = before[index(schedule.message(m).from)];
      const ChunkId item = schedule.items(m)[0];
      for (const NodeId to : schedule.receivers(m)) {
        for (std::size_t part = 0; part < parts; ++part) {
          const bool carried = is_sum(item) || index(item) == part;
          if (carried && sender[part]) last[index(to)][part] = true;
        }
      }
    }
  }
  return {first, last};
}

/// By rank: the parts that it must hold at the end and does hold.
std::vector<std::size_t> wanted_parts(const Demand& demand, const Holdings& holdings) {
  std::vector<std::size_t> counts(demand.nodes);
  for (std::size_t rank = 0; rank < demand.nodes; ++rank) {
    for (std::size_t part = 0; part < holdings[rank].size(); ++part) {
      const bool wanted = demand.wants(to_id<NodeId>(rank), to_id<ChunkId>(part));
      if (wanted && holdings[rank][part]) ++counts[rank];
    }
  }
  return counts;
}

/// The collective part of a run of the same messages on a network with one middle switch.
ordered_json on_one_switch(std::size_t p, Operation operation, const std::string& algorithm) {
  ordered_json workload{{"kind", "collective"},
                        {"operation", to_text(operation)},
                        {"algorithm", algorithm},
                        {"length", 4}};
  if (operation == Operation::kMulticast) workload["receivers"] = p / 2;
  const ordered_json result = run_on_network(
      {{"topology", {{"kind", "clos"}, {"ports", 1}, {"middle_switches", 1}, {"switches", p}}},
       {"routing", {{"kind", "central_control"}}},
       {"router", {{"kind", "wormhole"}, {"virtual_channels", 4}}},
       {"workload", workload}});
  return result.at("collective");
}

constexpr std::size_t kMostRanksRun = 16;

/// The faults of an operation by both algorithms on the step machine, and its difference from the
/// time by the cost model on the network.
std::size_t faults_of(std::size_t p, Operation operation, const VerifiedCollective& unicasts) {
  std::size_t faults = unicasts.verification.faults;
  faults += among_ranks(p, operation, "multicast_rounds").verification.faults;
  if (p < 2 || p > kMostRanksRun) return faults;
  const ordered_json run = on_one_switch(p, operation, "unicast_rounds");
  return faults + (run.at("cycles") == run.at("analytic_cycles") ? 0 : 1);
}

Figures collective_types(const Section& parameters) {
  const std::size_t p = parameters.count("p");
  Figures figures;
  std::size_t faults = 0;
  std::size_t duplicates = 0;
  for (const OperationName& name : operations()) {
    const Operation operation = name.operation;
    if (!collectives().find("unicast_rounds")->carries_out(operation)) continue;
    const VerifiedCollective verified = among_ranks(p, operation, "unicast_rounds");
    const Demand& demand = verified.collective.demand;
    const auto [first, last] = holdings_of(verified.collective);
    const std::vector<std::size_t> before = wanted_parts(demand, first);
    const std::vector<std::size_t> after = wanted_parts(demand, last);
    faults += faults_of(p, operation, verified);
    duplicates += verified.verification.duplicates;
    figures.values[std::string(name.name) + "_before"] = before;
    figures.values[std::string(name.name) + "_after"] = after;
    figures.values[std::string(name.name) + "_receipts"] =
        std::accumulate(after.begin(), after.end(), std::size_t{0}) -
        std::accumulate(before.begin(), before.end(), std::size_t{0});
  }
  figures.values["faults"] = faults;
  figures.values["duplicates"] = duplicates;
  return figures;
}

/// The values of ranks combined along the tree of a reduction, by every operator.
Figures reduce_operators(const Section& parameters) {
  std::vector<std::int64_t> values = parameters.integers("values");
  const std::size_t p = values.empty() ? parameters.count("p") : values.size();
  if (values.empty()) {
    values.resize(p);
    std::iota(values.begin(), values.end(), 1);
  }
  const VerifiedCollective verified = among_ranks(p, Operation::kReduce, "binomial");
  const Schedule& schedule = verified.collective.plan.schedule;
  Figures figures;
  figures.values["faults"] = verified.verification.faults;
  ordered_json differing = 0;
  for (const Arithmetic::Operator& one : Arithmetic::operators()) {
    const Arithmetic arithmetic(one.name, "int64");
    std::vector<Elements> sums;
    for (const std::int64_t value : values) {
      const bool truth = value != 0;
      sums.push_back({one.logical ? truth : static_cast<std::uint64_t>(value)});
    }
    Elements in_order = sums[0];  // Of all ranks, one after the other.
    for (std::size_t rank = 1; rank < p; ++rank) arithmetic.combine(sums[rank], in_order);
    for (std::size_t m = 0; m < schedule.size(); ++m) {
      arithmetic.combine(sums[index(schedule.message(m).from)],
                         sums[index(schedule.receivers(m)[0])]);
    }
    figures.values[one.name] = static_cast<std::int64_t>(sums[0][0]);
    if (sums[0] != in_order) differing = differing.get<int>() + 1;
  }
  figures.values["differing"] = differing;
  return figures;
}

/// The times at which ranks have carried out schedules, each message taking a unit of time. A rank
/// sends in a round after all messages to it in earlier rounds.
std::vector<std::uint64_t> leave_times(const std::vector<VerifiedCollective>& phases,
                                       std::vector<std::uint64_t> times) {
  for (const VerifiedCollective& phase : phases) {
    const Schedule& schedule = phase.collective.plan.schedule;
    for (std::size_t round = 0; round < schedule.rounds(); ++round) {
      const std::vector<std::uint64_t> before = times;
      for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
        for (const NodeId to : schedule.receivers(m)) {
          std::uint64_t& time = times[index(to)];
          time = std::max(time, before[index(schedule.message(m).from)] + 1);
        }
      }
    }
  }
  return times;
}

Figures barriers(const Section& parameters) {
  const std::size_t p = parameters.count("p");
  std::vector<std::pair<const char*, std::vector<VerifiedCollective>>> kinds(3);
  kinds[0] = {"dissemination", {among_ranks(p, Operation::kBarrier, "unicast_rounds")}};
  kinds[1] = {"gather_broadcast",
              {among_ranks(p, Operation::kReduce, "unicast_rounds"),
               among_ranks(p, Operation::kBroadcast, "unicast_rounds")}};
  kinds[2] = {"hardware", {among_ranks(p, Operation::kBarrier, "multicast_rounds")}};
  Random random(parameters.count("seed"));
  std::size_t violations = 0;
  std::vector<std::uint64_t> arrivals(p);
  Figures figures;
  for (std::size_t run = 0; run < 100; ++run) {
    for (std::uint64_t& arrival : arrivals) arrival = random.below(4 * p);
    const std::uint64_t latest = *std::max_element(arrivals.begin(), arrivals.end());
    for (const auto& [name, phases] : kinds) {
      const std::vector<std::uint64_t> leaves = leave_times(phases, arrivals);
      figures.values[std::string(name) + "_leaves"] = leaves;
      violations += static_cast<std::size_t>(std::count_if(
          leaves.begin(), leaves.end(), [=](std::uint64_t leave) { return leave < latest; }));
    }
  }
  std::size_t faults = 0;
  for (const auto& [name, phases] : kinds) {
    std::size_t rounds = 0;
    for (const VerifiedCollective& phase : phases) {
      rounds += phase.verification.rounds;
      faults += phase.verification.faults;
    }
    figures.values[name] = rounds;
  }
  figures.values["arrivals"] = arrivals;
  figures.values["violations"] = violations;
  if (p >= 2 && p <= kMostRanksRun) {
    const ordered_json run = on_one_switch(p, Operation::kBarrier, "unicast_rounds");
    figures.values["cycles"] = run.at("cycles");
    if (run.at("cycles") != run.at("analytic_cycles")) ++faults;
  }
  figures.values["faults"] = faults;
  return figures;
}

/// The node at coordinates, dimension 0 first; those that are missing are 0.
NodeId node_at(const Section& parameters, const std::string& key, const Topology& topology) {
  const std::vector<std::size_t> sizes = topology.node_grid();
  const std::vector<std::int64_t> coordinates = parameters.integers(key);
  std::size_t node = 0;
  std::size_t stride = 1;
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    const auto at = static_cast<std::size_t>(coordinates[d]);
    if (d >= sizes.size() || at >= sizes[d]) {
      parameters.fail(key, "lies outside of the network", "take coordinates below its sizes");
    }
    node += at * stride;
    stride *= sizes[d];
  }
  return to_id<NodeId>(node);
}

/// A multicast by three means. On the network each takes some cycles, and no message is left.
Figures multicast_support(const Section& parameters) {
  const std::string name = parameters.text("network");
  const auto topology = network_named(name, "network");
  const bool on_mesh = name[0] == 'M';
  if (!on_mesh && name[0] != 'Q') {
    parameters.fail("network", name + " has no such multicasts", "take a mesh or a hypercube");
  }
  const NodeId source = node_at(parameters, "source", *topology);
  const std::size_t d = parameters.count("d");
  if (d >= topology->node_count()) {
    parameters.fail("d", "there are not as many nodes", "take fewer than the nodes");
  }
  const CollectiveContext context{*topology, source, 1, Operation::kMulticast,
                                  nodes_after(source, d, topology->node_count())};
  std::vector<std::pair<const char*, const char*>> means{{"unicast", "separate_unicasts"},
                                                         {"software", on_mesh ? "umesh" : "ucube"}};
  Figures figures;
  figures.values["faults"] = 0;
  for (const auto& [mean, algorithm] : means) {
    const VerifiedCollective verified = on_step_machine(context, algorithm);
    const Schedule& schedule = verified.collective.plan.schedule;
    std::size_t hops = 0;
    for (std::size_t m = 0; m < schedule.size(); ++m) hops += schedule.path(m).size();
    figures.values[mean] = verified.verification.rounds;
    figures.values[std::string(mean) + "_links"] = hops;
    figures.values["faults"] =
        figures.values["faults"].get<std::size_t>() + verified.verification.faults;
  }
  const VerifiedCollective copied = on_step_machine(context, "multicast_rounds");
  figures.values["hardware"] = copied.verification.transmissions;
  if (on_mesh) means.emplace_back("hardware", "xy_tree");
  std::size_t unfinished = 0;
  for (const auto& [mean, algorithm] : means) {
    const ordered_json result = run_on_network(
        {{"topology", topology_section(name, "network")},
         {"router", {{"kind", "wormhole"}, {"virtual_channels", 2}, {"buffer_depth", 16}}},
         {"routing", {{"kind", on_mesh ? "dimension_order" : "e_cube"}}},
         {"workload",
          {{"kind", "collective"},
           {"operation", "multicast"},
           {"algorithm", algorithm},
           {"source", index(source)},
           {"receivers", d}}}});
    figures.values[std::string(mean) + "_cycles"] = result.at("collective").at("cycles");
    if (result.at("status") != "ok") ++unfinished;
  }
  figures.values["deadlocks"] = unfinished;
  return figures;
}

// Patterns and structure.

/// An integer of any size: a number if it fits, else text.
ordered_json integer_of(const mpz_class& value) {
  if (value.fits_slong_p()) return value.get_si();
  return value.get_str();
}

/// The number of patterns by which outputs can choose inputs, one output after the other. The state
/// is the number of inputs that are taken.
mpz_class patterns_by_output(std::size_t n, bool multicast, bool idle) {
  std::vector<mpz_class> ways(n + 1);
  ways[0] = 1;
  for (std::size_t output = 0; output < n; ++output) {
    std::vector<mpz_class> next(n + 1);
    for (std::size_t taken = 0; taken <= n; ++taken) {
      next[taken] += ways[taken] * ((multicast ? taken : 0) + (idle ? 1U : 0U));
      if (taken < n) next[taken + 1] += ways[taken] * (n - taken);
    }
    ways = next;
  }
  return std::accumulate(ways.begin(), ways.end(), mpz_class(0));
}

Figures pattern_counts(const Section& parameters) {
  const std::size_t n = parameters.count("N");
  Figures figures;
  figures.values = {{"permutations", integer_of(patterns_by_output(n, false, false))},
                    {"multicasts", integer_of(patterns_by_output(n, true, false))},
                    {"partial_permutations", integer_of(patterns_by_output(n, false, true))},
                    {"partial_multicasts", integer_of(patterns_by_output(n, true, true))},
                    {"N_factorial", integer_of(clos::permutation_assignments(n))},
                    {"N_power", integer_of(clos::multicast_assignments(n, n))},
                    {"partial_power", integer_of(clos::multicast_assignments(n + 1, n))}};
  return figures;
}

/// "{}, {0}+{1,2}": by input switch, those with fewer connections first, the output switches of its
/// connections, smaller ones first; output switches renamed so that the text is the first of all.
std::string demand_text(const std::vector<SwitchConnection>& connections, std::size_t r) {
  std::vector<std::size_t> names(r);
  std::iota(names.begin(), names.end(), 0);
  std::string first;
  do {
    std::vector<std::vector<std::string>> switches(r);
    for (const SwitchConnection& connection : connections) {
      std::vector<std::size_t> outputs;
      for (const std::size_t k : connection.outputs) outputs.push_back(names[k]);
      std::sort(outputs.begin(), outputs.end());
      if (outputs.empty()) continue;
      switches[connection.input_switch].push_back(fmt::format("{{{}}}", fmt::join(outputs, ",")));
    }
    for (auto& one : switches) {
      std::sort(one.begin(), one.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
      });
    }
    std::sort(switches.begin(), switches.end(), [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    std::vector<std::string> texts;
    for (const auto& one : switches) {
      texts.push_back(one.empty() ? "{}" : fmt::format("{}", fmt::join(one, "+")));
    }
    const std::string text = fmt::format("{}", fmt::join(texts, ", "));
    if (first.empty() || text < first) first = text;
  } while (std::next_permutation(names.begin(), names.end()));
  return first;
}

/// Removes output switches from connections as long as they have no routes.
void shrink(std::vector<SwitchConnection>& connections, std::size_t m) {
  for (SwitchConnection& connection : connections) {
    for (std::size_t at = connection.outputs.size(); at-- > 0;) {
      const std::size_t k = connection.outputs[at];
      connection.outputs.erase(connection.outputs.begin() + static_cast<std::ptrdiff_t>(at));
      if (!MiddleAssignments(connections, m).any()) continue;
      connection.outputs.insert(connection.outputs.begin() + static_cast<std::ptrdiff_t>(at), k);
    }
  }
}

/// The multicast demands at switch level in which every output switch is wanted n times, by n
/// inputs. All others are parts of them.
class FullDemands {
 public:
  FullDemands(std::size_t n, std::size_t r) : n_(n), connections_(n * r) {
    for (std::size_t p = 0; p < n * r; ++p) connections_[p].input_switch = p / n;
  }

  void for_each(const std::function<void(const std::vector<SwitchConnection>&)>& visit,
                std::size_t k = 0, std::size_t from = 0, std::size_t chosen = 0) {
    const std::size_t ports = connections_.size();
    if (k == ports / n_) return visit(connections_);
    if (chosen == n_) return for_each(visit, k + 1);
    for (std::size_t p = from; p < ports; ++p) {
      connections_[p].outputs.push_back(k);
      for_each(visit, k, p + 1, chosen + 1);
      connections_[p].outputs.pop_back();
    }
  }

 private:
  std::size_t n_;
  std::vector<SwitchConnection> connections_;
};

constexpr std::size_t kMostPortsTried = 8;
constexpr double kMostDemands = 20000;

Figures permutation_network(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const std::size_t m = parameters.count("m");
  mpz_class choices;
  mpz_bin_uiui(choices.get_mpz_t(), n * r, n);
  const bool small = n * r <= kMostPortsTried;
  if (!small || std::pow(choices.get_d(), static_cast<double>(r)) > kMostDemands) {
    parameters.fail("n", "there are too many assignments", "take n r <= 6, or n = 4 and r = 2");
  }
  std::vector<std::size_t> outputs(n * r);
  std::iota(outputs.begin(), outputs.end(), 0);
  std::size_t tried = 0;
  std::size_t routed = 0;
  do {
    std::vector<SwitchConnection> connections;
    for (std::size_t p = 0; p < n * r; ++p) connections.push_back({p / n, {outputs[p] / n}});
    ++tried;
    if (MiddleAssignments(connections, m).any()) ++routed;
  } while (std::next_permutation(outputs.begin(), outputs.end()));
  std::size_t demands = 0;
  std::size_t failing = 0;
  std::string example;
  FullDemands(n, r).for_each([&](const std::vector<SwitchConnection>& demand) {
    ++demands;
    if (MiddleAssignments(demand, m).any()) return;
    ++failing;
    if (failing > 200) return;
    std::vector<SwitchConnection> smallest = demand;
    shrink(smallest, m);
    const std::string text = demand_text(smallest, r);
    if (example.empty() || std::pair(text.size(), text) < std::pair(example.size(), example)) {
      example = text;
    }
  });
  return {{{"permutations", tried},
           {"permutations_routed", routed},
           {"demands", demands},
           {"failing", failing},
           {"fail", example},
           {"all_multicasts", failing == 0}}};
}

/// The switches of the topology, stage by stage, and their crosspoints.
Figures clos_structure(const Section& parameters) {
  const std::size_t m = parameters.count("m");
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const Clos network({{n, m}}, r);
  std::vector<std::size_t> switches(3);
  std::vector<std::size_t> crosspoints(2);  // Of the outer stages, of the middle stage.
  for (const RouterId router : network.routers()) {
    const std::size_t stage = index(router) < r ? 0 : index(router) < r + m ? 1 : 2;
    ++switches[stage];
    crosspoints[stage == 1 ? 1 : 0] += network.input_count(router) * network.output_count(router);
  }
  std::set<std::pair<RouterId, RouterId>> joined;
  for (const Channel& link : network.channels()) joined.emplace(link.from.router, link.to.router);
  Figures figures;
  figures.values = {{"ports", network.node_count()},
                    {"stages", switches},
                    {"switches", network.router_count()},
                    {"links", network.channels().size()},
                    {"joined_pairs", joined.size()},
                    {"parts", crosspoints},
                    {"crosspoints", crosspoints[0] + crosspoints[1]}};
  if (network.channels().size() > kMostNodesDrawn) return figures;
  const Layout layout = network.layout();
  Drawing drawing;
  for (const Channel& link : network.channels()) {
    drawing.line(layout[index(link.from.router)], layout[index(link.to.router)],
                 index(link.from.router) < r ? 0 : 1);
  }
  for (const RouterId router : network.routers()) drawing.node(layout[index(router)], "");
  figures.drawings.push_back(drawing.svg(network.name()));
  return figures;
}

}  // namespace

std::vector<Machine> clos_machines() {
  const Param p = Param::integer("p", "", "Ranks.", 1, 64);
  const Param n = Param::integer("n", "", "Ports of an input switch.", 1, 4096);
  const Param r = Param::integer("r", "", "Input switches.", 1, 4096);
  const Param m = Param::integer("m", "", "Middle switches.", 1, 4096);
  return {
      {"collective_types", "All collective operations by content.", {p}, collective_types},
      {"reduce_operators",
       "A reduction by every operator.",
       {p, Param::integers("values", "", "Values of the ranks; none: 1 to p.", -1e15, 1e15)
               .defaults_to(ordered_json::array())},
       reduce_operators},
      {"barriers",
       "Barriers after random arrivals.",
       {p, Param::integer("seed", "", "Seed of the arrivals.", 1, 1e9).defaults_to(1)},
       barriers},
      {"multicast_support",
       "A multicast by three means.",
       {Param::text("network", "The network."),
        Param::integers("source", "", "Coordinates of the source.", 0, 4096),
        Param::integer("d", "", "Destinations.", 1, 4096)},
       multicast_support},
      {"pattern_counts",
       "Patterns of connections.",
       {Param::integer("N", "", "Inputs, and outputs.", 1, 300)},
       pattern_counts},
      {"permutation_network",
       "All assignments of a small network.",
       {n, r, m},
       permutation_network},
      {"clos_structure", "The switches of a network.", {m, n, r}, clos_structure},
  };
}

}  // namespace flitcast::claims
