// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: collective operations and the single-rate Clos network.
#include "topology/clos.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/sequences.h"
#include "clos/bounds/bounds.h"
#include "clos/minimum/state_search.h"
#include "collective/arithmetic.h"
#include "config/wording.h"
#include "sim/claims/clos_trial.h"
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

/// By rank, the number of wanted parts that it holds before a schedule and after it. A part is a
/// chunk, or a contribution in a sum.
std::array<std::vector<std::size_t>, 2> wanted_parts(const Collective& collective) {
  const Schedule& schedule = collective.plan.schedule;
  const Demand& demand = collective.demand;
  std::vector<BitSet> held(demand.nodes, BitSet(demand.chunks()));
  for (std::size_t part = 0; part < demand.chunks(); ++part) {
    held[index(demand.origin(to_id<ChunkId>(part)))].set(part);
  }
  const auto wanted = [&] {
    std::vector<std::size_t> counts(demand.nodes);
    for (std::size_t rank = 0; rank < demand.nodes; ++rank) {
      held[rank].for_each([&](std::size_t part) {
        counts[rank] += demand.wants(to_id<NodeId>(rank), to_id<ChunkId>(part)) ? 1 : 0;
      });
    }
    return counts;
  };
  const std::vector<std::size_t> before = wanted();
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::vector<BitSet> known = held;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const BitSet& sender = known[index(schedule.message(m).from)];
      const ChunkId item = schedule.items(m)[0];
      for (const NodeId to : schedule.receivers(m)) {
        if (is_sum(item)) held[index(to)] |= sender;
        if (!is_sum(item) && sender.test(index(item))) held[index(to)].set(index(item));
      }
    }
  }
  return {before, wanted()};
}

/// The result `collective` of a run of the same messages on a network with one middle switch.
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
    if (!collectives().find("unicast_rounds")->carries_out(name.operation)) continue;
    const VerifiedCollective verified = among_ranks(p, name.operation, "unicast_rounds");
    const auto [before, after] = wanted_parts(verified.collective);
    faults += faults_of(p, name.operation, verified);
    duplicates += verified.verification.duplicates;
    figures[std::string(name.name) + "_before"] = before;
    figures[std::string(name.name) + "_after"] = after;
  }
  figures["faults"] = faults;
  figures["duplicates"] = duplicates;
  return figures;
}

/// The values of ranks combined along the tree of a reduction, by every operator.
Figures reduce_operators(const Section& parameters) {
  std::vector<std::int64_t> values = parameters.integers("values");
  const std::size_t p = values.empty() ? parameters.count("p") : values.size();
  if (values.empty()) values = NumberRange<std::int64_t>(1, p + 1);
  const VerifiedCollective verified = among_ranks(p, Operation::kReduce, "binomial");
  const Schedule& schedule = verified.collective.plan.schedule;
  Figures figures;
  figures["faults"] = verified.verification.faults;
  ordered_json differing = 0;
  for (const Arithmetic::Operator& one : Arithmetic::operators()) {
    const Arithmetic arithmetic(one.name, "int64");
    std::vector<Elements> sums;
    for (const std::int64_t value : values) {
      const bool truth = value != 0;
      sums.push_back({one.logical ? truth : static_cast<std::uint64_t>(value)});
    }
    Elements in_order = sums[0];  // The values of all ranks, one after the other.
    for (std::size_t rank = 1; rank < p; ++rank) arithmetic.combine(sums[rank], in_order);
    for (std::size_t m = 0; m < schedule.size(); ++m) {
      arithmetic.combine(sums[index(schedule.message(m).from)],
                         sums[index(schedule.receivers(m)[0])]);
    }
    figures[one.name] = static_cast<std::int64_t>(sums[0][0]);
    if (sums[0] != in_order) differing = differing.get<int>() + 1;
  }
  figures["differing"] = differing;
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
  const std::vector<std::pair<std::string, std::vector<VerifiedCollective>>> kinds{
      {"dissemination", {among_ranks(p, Operation::kBarrier, "unicast_rounds")}},
      {"gather_broadcast",
       {among_ranks(p, Operation::kReduce, "unicast_rounds"),
        among_ranks(p, Operation::kBroadcast, "unicast_rounds")}},
      {"hardware", {among_ranks(p, Operation::kBarrier, "multicast_rounds")}}};
  Random random(parameters.count("seed"));
  std::size_t violations = 0;
  std::vector<std::uint64_t> arrivals(p);
  Figures figures;
  for (std::size_t run = 0; run < 100; ++run) {
    for (std::uint64_t& arrival : arrivals) arrival = random.below(4 * p);
    const std::uint64_t latest = *std::max_element(arrivals.begin(), arrivals.end());
    for (const auto& [name, phases] : kinds) {
      const std::vector<std::uint64_t> leaves = leave_times(phases, arrivals);
      figures[name + "_leaves"] = leaves;
      violations += static_cast<std::size_t>(
          count_if(leaves, [=](std::uint64_t leave) { return leave < latest; }));
    }
  }
  std::size_t faults = 0;
  for (const auto& [name, phases] : kinds) {
    std::size_t rounds = 0;
    for (const VerifiedCollective& phase : phases) {
      rounds += phase.verification.rounds;
      faults += phase.verification.faults;
    }
    figures[name] = rounds;
  }
  figures["arrivals"] = arrivals;
  figures["violations"] = violations;
  if (p >= 2 && p <= kMostRanksRun) {
    const ordered_json run = on_one_switch(p, Operation::kBarrier, "unicast_rounds");
    figures["cycles"] = run.at("cycles");
    if (run.at("cycles") != run.at("analytic_cycles")) ++faults;
  }
  figures["faults"] = faults;
  return figures;
}

/// A multicast by three means: the rounds on the step machine, and the cycles on the network, where
/// every run must complete.
Figures multicast_support(const Section& parameters) {
  const std::string name = parameters.text("network");
  const auto topology = network_named(name, "network");
  const bool on_mesh = name[0] == 'M';
  const NodeId source = source_in(parameters, *topology);
  const std::size_t d = parameters.count("d");
  if (d >= topology->node_count()) {
    parameters.fail("d", "there are not as many nodes", "take fewer than the nodes");
  }
  const char* const software = on_mesh ? "umesh" : "ucube";
  Figures figures;
  std::size_t faults = 0;
  std::size_t unfinished = 0;
  // The means, and their algorithms on the step machine and on the network; empty: none there.
  const std::vector<std::array<std::string, 3>> all_means{
      {"unicast", "separate_unicasts", "separate_unicasts"},
      {"software", software, software},
      {"hardware", "multicast_rounds", on_mesh ? "xy_tree" : ""}};
  for (const auto& [means, on_steps, on_network] : all_means) {
    const VerifiedCollective verified =
        on_step_machine({*topology, source, 1, Operation::kMulticast,
                         nodes_after(source, d, topology->node_count())},
                        on_steps);
    const std::size_t hops = verified.collective.plan.schedule.hops();
    faults += verified.verification.faults;
    figures[means] = verified.verification.rounds;
    if (means != "hardware") figures[means + "_links"] = hops;
    if (on_network.empty()) continue;
    const ordered_json result = run_on_network(
        {{"topology", topology_section(name, "network")},
         {"router", {{"kind", "wormhole"}, {"virtual_channels", 2}, {"buffer_depth", 16}}},
         {"routing", {{"kind", on_mesh ? "dimension_order" : "e_cube"}}},
         {"workload",
          {{"kind", "collective"},
           {"operation", "multicast"},
           {"algorithm", on_network},
           {"source", index(source)},
           {"receivers", d}}}});
    figures[means + "_cycles"] = result.at("collective").at("cycles");
    if (result.at("status") != "ok") ++unfinished;
  }
  figures["faults"] = faults;
  figures["deadlocks"] = unfinished;
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
  return {{{"permutations", integer_of(patterns_by_output(n, false, false))},
           {"multicasts", integer_of(patterns_by_output(n, true, false))},
           {"partial_permutations", integer_of(patterns_by_output(n, false, true))},
           {"partial_multicasts", integer_of(patterns_by_output(n, true, true))},
           {"N_factorial", integer_of(clos::permutation_assignments(n))},
           {"N_power", integer_of(clos::multicast_assignments(n, n))},
           {"partial_power", integer_of(clos::multicast_assignments(n + 1, n))}}};
}

/// "{}, {0}+{1,2}, {1}+{2}": the output switches that inputs want, by input switch, those with
/// fewer inputs and smaller sets first.
/// @param names  New names of output switches.
std::string demand_text(const clos::Assignment& wanted, const clos::Structure& network,
                        const std::vector<std::size_t>& names) {
  using Ranked = std::pair<std::size_t, std::string>;
  std::vector<Ranked> switches;
  for (std::size_t i = 0; i < network.r1; ++i) {
    std::vector<Ranked> sets;
    for (std::size_t p = i * network.n1; p < (i + 1) * network.n1; ++p) {
      std::vector<std::size_t> outputs = members_of(set_of_bits(wanted[p], network.r2));
      for (std::size_t& k : outputs) k = names[k - 1];
      std::sort(outputs.begin(), outputs.end());
      if (outputs.empty()) continue;
      sets.emplace_back(outputs.size(), fmt::format("{{{}}}", fmt::join(outputs, ",")));
    }
    std::sort(sets.begin(), sets.end());
    switches.emplace_back(sets.size(),
                          sets.empty() ? "{}" : joined(mapped(sets, &Ranked::second), "+"));
  }
  std::sort(switches.begin(), switches.end());
  return joined(mapped(switches, &Ranked::second));
}

/// The alphabetically first text over all orders of the output switches.
std::string demand_text(const clos::Assignment& wanted, const clos::Structure& network) {
  std::vector<std::size_t> names = numbers(std::size_t{network.r2});
  std::string first = demand_text(wanted, network, names);
  while (std::next_permutation(names.begin(), names.end())) {
    first = std::min(first, demand_text(wanted, network, names));
  }
  return first;
}

/// Removes output switches from demands without a routing, as long as the remaining demands have
/// none.
clos::Assignment shrunk(clos::Assignment wanted, const clos::Structure& network) {
  for (std::uint32_t p = 0; p < network.inputs(); ++p) {
    for (std::uint32_t k = network.r2; k-- > 0;) {
      clos::Assignment less = wanted;
      less[p] &= ~(clos::SwitchMask{1} << k);
      if (!clos::has_routing(less, network)) wanted = less;
    }
  }
  return wanted;
}

/// All permutations and all multicasts of a small network whose connections may be moved.
Figures permutation_network(const Section& parameters) {
  const clos::Structure network =
      structure_of(parameters.count("m"), parameters.count("n"), parameters.count("r"));
  clos::require_searchable(network);
  std::vector<std::uint32_t> outputs = NumberRange<std::uint32_t>(network.outputs());
  std::size_t tried = 0;
  std::size_t routed = 0;
  do {
    clos::Assignment wanted{};
    for (std::size_t p = 0; p < outputs.size(); ++p) {
      wanted[p] = clos::SwitchMask{1} << outputs[p] / network.n2;
    }
    ++tried;
    if (clos::has_routing(wanted, network)) ++routed;
  } while (std::next_permutation(outputs.begin(), outputs.end()));
  const clos::RearrangeableVerdict multicasts =
      clos::check_rearrangeable(network, clos::AssignmentKind::kMulticast);
  Figures figures{{{"permutations", tried},
                   {"permutations_routed", routed},
                   {"demands", multicasts.assignments},
                   {"all_multicasts", !multicasts.blocked}}};
  if (multicasts.blocked) {
    figures["fail"] = demand_text(shrunk(*multicasts.blocked, network), network);
  }
  return figures;
}

/// The switches of the topology, stage by stage, and their crosspoints.
Figures clos_structure(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  const std::size_t m = parameters.count("m") == 0 ? n * r : parameters.count("m");
  const Clos network({{n, m}}, r);
  std::vector<std::size_t> switches(3);
  std::vector<std::size_t> crosspoints(2);  // The outer stages and the middle stage.
  for (const RouterId router : network.routers()) {
    const std::size_t stage = index(router) < r ? 0 : index(router) < r + m ? 1 : 2;
    ++switches[stage];
    crosspoints[stage == 1 ? 1 : 0] += network.input_count(router) * network.output_count(router);
  }
  std::set<std::pair<RouterId, RouterId>> joined;
  for (const Channel& link : network.channels()) joined.emplace(link.from.router, link.to.router);
  Figures figures{{{"ports", network.node_count()},
                   {"stages", switches},
                   {"switches", network.router_count()},
                   {"links", network.channels().size()},
                   {"joined_pairs", joined.size()},
                   {"parts", crosspoints},
                   {"crosspoints", crosspoints[0] + crosspoints[1]}}};
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

FigureMakers clos_makers() {
  return {{"collective_types", collective_types},
          {"reduce_operators", reduce_operators},
          {"barriers", barriers},
          {"multicast_support", multicast_support},
          {"pattern_counts", pattern_counts},
          {"permutation_network", permutation_network},
          {"clos_structure", clos_structure}};
}

}  // namespace flitcast::claims
