// SPDX-License-Identifier: Apache-2.0
#include "collective/catalog.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "collective/check_claim.h"
#include "collective/cost.h"
#include "collective/precondition.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

const std::vector<std::shared_ptr<const Topology>>& topologies() {
  static const std::vector<std::shared_ptr<const Topology>> some{
      std::make_shared<Complete>(6),         std::make_shared<Complete>(27),
      std::make_shared<Hypercube>(0),        std::make_shared<Hypercube>(3),
      std::make_shared<Hypercube>(5),        std::make_shared<Grid>(mesh({1})),
      std::make_shared<Grid>(mesh({2, 2})),  std::make_shared<Grid>(mesh({4, 4})),
      std::make_shared<Grid>(mesh({5, 5})),  std::make_shared<Grid>(mesh({2, 3, 4})),
      std::make_shared<Grid>(torus({5, 5})), std::make_shared<Grid>(torus({4, 3})),
      std::make_shared<Grid>(torus({2, 6})), std::make_shared<Grid>(torus({3, 3, 3})),
      std::make_shared<Grid>(ring(7))};
  return some;
}

/// Returns every combination of the choices that an entry's keys offer.
std::vector<Section> workloads(const CollectiveEntry& entry) {
  std::vector<std::map<std::string, nlohmann::json>> values{{}};
  for (const Param& param : entry.params()) {
    std::vector<std::map<std::string, nlohmann::json>> more;
    for (const auto& base : values) {
      for (const std::string& choice : param.choices) {
        more.push_back(base);
        more.back()[param.key] = choice;
      }
    }
    if (param.choices.empty()) {
      more = values;
      for (auto& base : more) base[param.key] = param.fallback;
    }
    values = more;
  }
  std::vector<Section> sections;
  for (const auto& section : values) sections.push_back(Section::of("workload", section));
  return sections;
}

/// Verifies the plan that the entry makes for a context; returns false if the entry is not defined
/// there.
bool keeps_its_promise(const CollectiveEntry& entry, const Section& workload,
                       const CollectiveContext& context) {
  try {
    const Collective collective = entry.make(workload, context);
    const Verification verification =
        verify(context.topology, collective.plan.schedule, collective.demand, collective.discipline,
               collective.plan.claim);
    INFO(entry.name << " on " << context.topology.name() << " from " << index(context.source));
    CHECK(verification.legal());
    CHECK(collective.demand.operation == context.operation);
    Discipline machine = collective.discipline;
    const bool ordered = std::string(entry.name) != "recursive_tiling";
    CHECK(verification.rounds >=
          lower_bound(context.topology, collective.demand, machine, ordered).rounds);
    machine.ports = context.ports;
    const LowerBound bound = lower_bound(context.topology, collective.demand, machine, ordered);
    CHECK(verification.rounds >= bound.rounds);
    // The bound depends on the operation, not on the algorithm.
    const Demand plain{context.operation, context.topology.node_count(), context.source,
                       collective.demand.chunks_per_node, context.receivers};
    CHECK(bound.rounds == lower_bound(context.topology, plain, machine, ordered).rounds);
    CHECK((context.ports == kAllPorts || collective.discipline.ports <= context.ports));
    return true;
  } catch (const PreconditionError& error) {
    CHECK_FALSE(error.hint().empty());
    return false;
  }
}

/// The number of instances of the operation on which the entry is defined.
std::size_t count_kept(const CollectiveEntry& entry, Operation operation) {
  std::size_t kept = 0;
  for (const auto& topology : topologies()) {
    const std::size_t others = topology->node_count() - 1;
    for (const unsigned ports : {1U, kAllPorts}) {
      for (std::uint32_t source = 0; source < topology->node_count(); source += 3) {
        const auto receivers =
            nodes_after(NodeId{source}, (others + 1) / 2, topology->node_count());
        for (const Section& workload : workloads(entry)) {
          kept += keeps_its_promise(entry, workload,
                                    {*topology, NodeId{source}, ports, operation, receivers});
        }
      }
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("every algorithm keeps its promise wherever it is defined, and does what it says",
          "[collective]") {
  const CollectiveEntry& entry =
      collectives()[GENERATE(range(std::size_t{0}, collectives().size()))];
  REQUIRE_FALSE(entry.operations.empty());
  for (const Operation operation : entry.operations) {
    INFO(to_text(operation) << " by " << entry.name);
    CHECK(count_kept(entry, operation) > 0);
  }
}

TEST_CASE("every operation is carried out by some algorithm", "[collective]") {
  for (const OperationName& operation : operations()) {
    INFO(operation.name);
    CHECK(std::any_of(
        collectives().begin(), collectives().end(),
        [&](const CollectiveEntry& entry) { return entry.carries_out(operation.operation); }));
  }
}

TEST_CASE("a user's program adds an algorithm to the catalog", "[collective]") {
  CollectiveEntry entry = *collectives().find("doubling");
  entry.name = "mine";
  Catalog<CollectiveEntry> catalog = collectives();
  catalog.add(entry);
  CHECK(catalog.find("mine")->carries_out(Operation::kBroadcast));
  CHECK_FALSE(catalog.find("mine")->carries_out(Operation::kScan));
  CHECK_THROWS_AS(catalog.add(entry), std::invalid_argument);
}
