// SPDX-License-Identifier: Apache-2.0
// Operations by routers along trees of switches: rounds by hand, the verification of the routers.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collective/catalog.h"
#include "collective/check_claim.h"
#include "collective/cost.h"
#include "collective/forwarding/reduction.h"
#include "collective/precondition.h"
#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/clos.h"
#include "topology/concentrated.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hierarchy.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"

using namespace flitcast;

namespace {

const std::vector<Operation> kOperations{Operation::kBroadcast, Operation::kMulticast,
                                         Operation::kReduce, Operation::kAllReduce,
                                         Operation::kBarrier};

const CollectiveEntry& switch_tree() { return *collectives().find("switch_tree"); }

Section keys(const nlohmann::json& root = "centre", std::size_t at_once = 1) {
  return Section::of("workload", {{"root", root}, {"at_once", at_once}});
}

/// The context of an operation whose multicast goes to the second half of the nodes.
CollectiveContext context_of(const Topology& topology, Operation operation,
                             std::uint32_t source = 0) {
  CollectiveContext context{topology, NodeId{source}, 1, operation};
  if (operation == Operation::kMulticast) {
    context.receivers =
        nodes_after(context.source, topology.node_count() / 2, topology.node_count());
  }
  return context;
}

Verification verified(const CollectiveContext& context, const Collective& made) {
  return verify(context.topology, made.plan.schedule, made.demand, made.discipline, made.plan.claim,
                context.placement);
}

Verification verified(const CollectiveContext& context, const Section& workload = keys()) {
  const Verification verification = verified(context, switch_tree().make(workload, context));
  INFO(context.topology.name() << " " << to_text(context.operation));
  INFO((verification.legal() ? "legal" : verification.violations.front().text));
  CHECK(verification.legal());
  return verification;
}

/// The plan meets the lower bound with this number of rounds and messages.
void check(const CollectiveContext& context, std::size_t rounds, std::size_t messages) {
  INFO(context.topology.name() << " " << to_text(context.operation));
  const Verification verification = verified(context);
  CHECK(verification.rounds == rounds);
  CHECK(verification.transmissions == messages);
  const Collective made = switch_tree().make(keys(), context);
  const std::size_t bound = lower_bound(context.topology, made.demand, made.discipline).rounds;
  CHECK(bound == (context.operation == Operation::kMulticast ? 2 : rounds));
}

using Shared = std::shared_ptr<const Topology>;

/// A line of three routers, of which the middle has no node, the first two and the last one.
Graph line_of_three(bool one_way = false) {
  std::vector<GraphLink> links{{RouterId{0}, RouterId{1}},
                               {RouterId{1}, RouterId{0}},
                               {RouterId{1}, RouterId{2}},
                               {RouterId{2}, RouterId{1}}};
  if (one_way) links = {links[0], links[2], {RouterId{2}, RouterId{0}}};
  return {"line", 3, links, {RouterId{0}, RouterId{0}, RouterId{2}}};
}

std::vector<Shared> networks() {
  const auto die = std::make_shared<Grid>(mesh({2, 2}));
  return {
      std::make_shared<Concentrated>(full_crossbar(5)),
      std::make_shared<FatTree>(k_ary_n_tree(3, 2)),
      std::make_shared<FatTree>(folded_clos(2, 4, 3)),
      std::make_shared<Dragonfly>(Dragonfly::Params{2, 4, 2}),
      std::make_shared<Concentrated>(flattened_butterfly({3, 3}, {2, 1})),
      Shared(with_nodes_each(
          "hyperx 4x3", std::make_shared<GeneralisedHypercube>(std::vector<std::size_t>{4, 3}), 3)),
      std::make_shared<Concentrated>(concentrated_mesh({3, 4}, {2, 2})),
      std::make_shared<RegularGraph>(slim_fly(5)),
      std::make_shared<RegularGraph>(jellyfish(20, 3, 1)),
      std::make_shared<Hierarchy>(die, std::make_shared<Grid>(mesh({2, 2})),
                                  std::vector<std::size_t>{0}),
      std::make_shared<Hypercube>(4),
      std::make_shared<Grid>(torus({3, 4})),
      std::make_shared<Graph>(line_of_three())};
}

/// The smallest distance from a router to the farthest router with nodes.
std::size_t radius(const Topology& topology) {
  const Adjacency adjacency(topology);
  std::size_t least = topology.router_count();
  for (const RouterId router : topology.routers()) {
    const auto distance = distances_to_routers(router, topology, adjacency);
    std::size_t most = 0;
    for (const NodeId node : topology.nodes()) {
      most =
          std::max<std::size_t>(most, distance[index(topology.attachment(node).ejection.router)]);
    }
    least = std::min(least, most);
  }
  return least;
}

/// The router without a parent in a reduction: its parts leave by ejection channels or downwards.
std::set<std::uint32_t> routers_used(const Topology& topology, const Routing& routing,
                                     std::uint16_t reduction) {
  std::set<std::uint32_t> used;
  for (const RouterId router : topology.routers()) {
    for (const PortId input : topology.inputs(router)) {
      Combination what;
      RouteRequest request{router, input};
      request.route_field = reduction;
      routing.combination(request, what);
      if (what.inputs.size() != 0) used.insert(index(router));
    }
  }
  return used;
}

}  // namespace

TEST_CASE("on one switch an operation takes two rounds, whatever the number of nodes",
          "[collective]") {
  const std::size_t n = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{16}, std::size_t{64});
  const Concentrated star = full_crossbar(n);
  check(context_of(star, Operation::kAllReduce), 2, 2 * n);
  check(context_of(star, Operation::kBarrier), 2, 2 * n);
  check(context_of(star, Operation::kReduce, 1), 2, n + 1);
  check(context_of(star, Operation::kBroadcast, 1), 2, 1 + (n - 1));
  check(context_of(star, Operation::kMulticast), 2, 1 + n / 2);
}

// Below the root of a k-ary n-tree are k switches, below these k^2, and so on down to the nodes.
TEST_CASE(
    "on a tree of l levels it takes 2 l rounds, so O(log N), and crosses every link of the "
    "tree once in each direction",
    "[collective]") {
  const auto [k, levels] =
      GENERATE(std::pair(2, 1), std::pair(2, 3), std::pair(4, 2), std::pair(3, 3), std::pair(4, 3));
  const FatTree tree = k_ary_n_tree(k, levels);
  std::size_t links = 0;
  std::size_t width = 1;
  for (int level = 0; level < levels; ++level) links += width *= static_cast<std::size_t>(k);
  const std::size_t n = tree.node_count();
  const auto l = static_cast<std::size_t>(levels);
  REQUIRE(width == n);
  check(context_of(tree, Operation::kAllReduce), 2 * l, 2 * links);
  check(context_of(tree, Operation::kReduce, 1), 2 * l, links + l);
  check(context_of(tree, Operation::kBroadcast, 1), 2 * l, l + links - 1);
  CHECK(l == ceil_log(static_cast<std::size_t>(k), n));
}

TEST_CASE("between leaves and spines it takes four rounds", "[collective]") {
  const FatTree clos = folded_clos(3, 5, 2);
  check(context_of(clos, Operation::kAllReduce), 4, 2 * (15 + 5));
  check(context_of(clos, Operation::kReduce, 7), 4, 15 + 5 + 2);
}

TEST_CASE("elsewhere it takes two rounds more than twice the radius", "[collective]") {
  for (const Shared& topology : networks()) {
    const std::size_t nodes = topology->node_count();
    for (const Operation operation : kOperations) {
      for (const std::uint32_t source : {0U, static_cast<std::uint32_t>(nodes - 1)}) {
        const Verification verification = verified(context_of(*topology, operation, source));
        INFO(topology->name() << " " << to_text(operation));
        const std::size_t most = 2 + 2 * radius(*topology);
        CHECK(verification.rounds <= most);
        const bool to_all = operation == Operation::kAllReduce || operation == Operation::kBarrier;
        CHECK((!to_all || verification.rounds == most));
        CHECK((!to_all || verification.duplicates == 0));
      }
    }
  }
}

TEST_CASE("a root may be a router of the user, or that of the source", "[collective]") {
  const FatTree tree = k_ary_n_tree(2, 3);
  const auto rounds = [&](Operation operation, const nlohmann::json& root) {
    return verified(context_of(tree, operation, 1), keys(root)).rounds;
  };
  // The switches of level 0 are 0 to 3: from one to the farthest are four channels.
  CHECK(rounds(Operation::kReduce, "source") == 1 + 4 + 1);
  CHECK(rounds(Operation::kAllReduce, "source") == 2 * (1 + 4));
  CHECK(rounds(Operation::kAllReduce, 0) == 2 * (1 + 4));
  CHECK(rounds(Operation::kAllReduce, 11) == 2 * (1 + 2));
  CHECK(rounds(Operation::kBroadcast, 0) == 1 + 4 + 1);
}

TEST_CASE("a group meets at its lowest common ancestor", "[collective]") {
  const FatTree tree = k_ary_n_tree(4, 3);
  const auto rounds = [&](const std::vector<NodeId>& nodes, Operation operation) {
    CollectiveContext context = context_of(tree, operation, 1);
    context.ranks = nodes.size();
    context.placement = Placement(nodes, tree.node_count());
    return verified(context).rounds;
  };
  for (const Operation operation :
       {Operation::kAllReduce, Operation::kBarrier, Operation::kReduce, Operation::kBroadcast}) {
    CHECK(rounds({NodeId{5}, NodeId{7}}, operation) == 2);
    CHECK(rounds({NodeId{14}, NodeId{3}, NodeId{0}}, operation) == 4);
    CHECK(rounds({NodeId{63}, NodeId{0}, NodeId{32}, NodeId{1}}, operation) == 6);
  }
}

TEST_CASE("reductions at once take different top switches", "[collective]") {
  const FatTree clos = folded_clos(2, 4, 3);
  const RouterForwarding three =
      switch_tree().forward(keys("centre", 3), context_of(clos, Operation::kAllReduce), 3);
  REQUIRE(three.routing->reductions() == 3);
  for (std::uint16_t r = 0; r < 3; ++r) {
    const std::uint32_t spine = 4U + r;
    CHECK(routers_used(clos, *three.routing, r) == std::set<std::uint32_t>{0, 1, 2, 3, spine});
  }
  const RouterForwarding reduce =
      switch_tree().forward(keys("centre", 4), context_of(clos, Operation::kReduce, 6), 4);
  CHECK(routers_used(clos, *reduce.routing, 3) == std::set<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(reduce.injections.size() == 4 * 8);
}

TEST_CASE("nothing moves where there is only one node", "[collective]") {
  const Concentrated one = full_crossbar(1);
  for (const Operation operation : kOperations) {
    const CollectiveContext context = context_of(one, operation);
    CHECK(verified(context).rounds == 0);
    CHECK(switch_tree().forward(keys(), context, 1).injections.empty());
  }
}

namespace {

std::set<Fault> faults_of(const CollectiveContext& context, const Schedule& schedule) {
  Collective made = switch_tree().make(keys(), context);
  made.plan.schedule = schedule;
  std::set<Fault> faults;
  for (const Violation& violation : verified(context, made).violations) {
    faults.insert(violation.fault);
  }
  return faults;
}

/// A copy of a schedule in which `change` may alter or drop a message.
template <class Change>
Schedule changed(const Schedule& schedule, Change change) {
  Schedule copy;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    copy.begin_round();
    for (std::size_t m = schedule.begin(r); m < schedule.end(r); ++m) {
      Message message = schedule.message(m);
      PortId port = schedule.path(m)[0];
      if (change(m, message, port)) copy.add(message.from, message.to, message.chunk, port);
    }
  }
  return copy;
}

}  // namespace

TEST_CASE("the machine finds damage to what routers send", "[collective]") {
  const FatTree clos = folded_clos(2, 3, 2);
  const CollectiveContext context = context_of(clos, Operation::kAllReduce);
  const Schedule plan = switch_tree().make(keys(), context).plan.schedule;
  REQUIRE(faults_of(context, plan).empty());
  const auto faults = [&](std::size_t at, auto change) {
    return faults_of(context, changed(plan, [&](std::size_t m, Message& message, PortId& port) {
                       return m != at || change(message, port);
                     }));
  };
  const auto drop = [](Message&, PortId&) { return false; };
  for (std::size_t m = 0; m < plan.size(); ++m) CHECK(faults(m, drop).count(Fault::kUnserved) == 1);
  // Node 0 sits at router 0, of which the number is 6; router 1 is not its own.
  CHECK(faults(0, [](Message& message, PortId&) {
          message.to = NodeId{7};
          return true;
        }).count(Fault::kBrokenPath) == 1);
  // Message 6 goes from router 0 to the spine, router 3.
  CHECK(faults(6, [](Message& message, PortId&) {
          message.to = NodeId{10};
          return true;
        }).count(Fault::kWrongReceiver) == 1);
  CHECK(faults(6, [](Message&, PortId& port) {
          port = PortId{0};
          return true;
        }).count(Fault::kBrokenPath) == 1);
  CHECK(faults(6, [](Message& message, PortId&) {
          message.to = NodeId{11};
          return true;
        }).count(Fault::kNoSuchNode) == 1);
  Schedule twice = plan;
  twice.begin_round();
  twice.add(NodeId{6}, NodeId{9}, kPartialSum, PortId{2});
  CHECK(faults_of(context, twice).count(Fault::kCountedTwice) == 1);
  Schedule shared = plan;
  shared.begin_round();
  for (int copy = 0; copy < 2; ++copy) shared.add(NodeId{6}, NodeId{9}, kResult, PortId{2});
  CHECK(faults_of(context, shared).count(Fault::kLinkShared) == 1);
  Schedule crowded = plan;
  crowded.begin_round();
  for (int copy = 0; copy < 2; ++copy) crowded.add(NodeId{6}, NodeId{0}, kResult, PortId{0});
  CHECK(faults_of(context, crowded) == std::set<Fault>{Fault::kReceiveLimit});
}

namespace {

/// Leaves one input out at one router, as a wrong table would.
class Forgetful : public ReductionTrees {
 public:
  using ReductionTrees::ReductionTrees;
  void combination(const RouteRequest& request, Combination& combination) const override {
    ReductionTrees::combination(request, combination);
    if (request.router != RouterId{0} || combination.inputs.size() < 2) return;
    Combination fewer;
    fewer.branches = combination.branches;
    for (const PortId input : combination.inputs) {
      if (fewer.inputs.size() + 1 < combination.inputs.size()) fewer.inputs.add(input);
    }
    combination = fewer;
  }
};

}  // namespace

TEST_CASE("the plan is what the routers do, so a routing that forgets a part is found",
          "[collective]") {
  const Concentrated star = full_crossbar(4);
  const CollectiveContext context = context_of(star, Operation::kAllReduce);
  Collective made = switch_tree().make(keys(), context);
  const RouterForwarding forwarding = switch_tree().forward(keys(), context, 1);
  Forgetful forgetful(star, 1, 1);
  forgetful.add({{RouterId{0}}}, {nodes_of(star), nodes_of(star)});
  made.plan.schedule = steps_of(star, forgetful, forwarding.injections, made.demand, {});
  CHECK_FALSE(verified(context, made).legal());
}

TEST_CASE("a dump names routers by the numbers behind the nodes", "[collective]") {
  const Graph line = line_of_three();
  const CollectiveContext context = context_of(line, Operation::kReduce, 2);
  const Collective made = switch_tree().make(keys(), context);
  std::ostringstream text;
  write_dump(text, line, made.plan.schedule, made.discipline.switching);
  // Routers 0, 1 and 2 are 3, 4 and 5; the centre is router 1.
  CHECK(text.str() ==
        "1 0 3 partial\n1 1 3 partial\n1 2 5 partial\n"
        "2 3 4 partial\n2 5 4 partial\n3 4 5 result\n4 5 2 result\n");
}

TEST_CASE("links that lead one way, and roots that do not exist, are refused", "[collective]") {
  const auto reason = [](const Topology& topology, const nlohmann::json& root) -> std::string {
    try {
      switch_tree().make(keys(root), context_of(topology, Operation::kAllReduce));
    } catch (const PreconditionError& error) {
      return error.what();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string one_way = "no links that lead both ways join the routers ";
  CHECK(reason(Clos({{2, 3}}, 2), "centre").find(one_way + "0 and 1 of clos") == 0);
  CHECK(reason(line_of_three(true), "source").find(one_way + "0 and 2 of line") == 0);
  CHECK(reason(line_of_three(), 3)
            .find("workload.root: line has no router 3; use routers from 0 "
                  "to 2") != std::string::npos);
  CHECK(reason(line_of_three(), 2) == "accepted");
}
