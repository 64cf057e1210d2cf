// SPDX-License-Identifier: Apache-2.0
#include "collective/catalog.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collective/precondition.h"
#include "collective/step_machine.h"
#include "support/test_catch.h"
#include "topology/complete.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

const std::vector<std::shared_ptr<const Topology>>& topologies() {
  static const std::vector<std::shared_ptr<const Topology>> some{
      std::make_shared<Complete>(6),
      std::make_shared<Hypercube>(0),
      std::make_shared<Hypercube>(3),
      std::make_shared<Grid>(mesh({1})),
      std::make_shared<Grid>(mesh({4, 4})),
      std::make_shared<Grid>(mesh({2, 3, 4})),
      std::make_shared<Grid>(torus({5, 5})),
      std::make_shared<Grid>(torus({4, 3})),
      std::make_shared<Grid>(torus({3, 3, 3})),
      std::make_shared<Grid>(ring(7))};
  return some;
}

/// Every combination of the choices that an entry's keys offer.
std::vector<Section> workloads(const CatalogEntry<CollectiveMaker>& entry) {
  std::vector<std::map<std::string, nlohmann::json>> values{{}};
  for (const Param& param : entry.params) {
    std::vector<std::map<std::string, nlohmann::json>> more;
    for (const auto& base : values) {
      for (const std::string& choice : param.choices) {
        more.push_back(base);
        more.back()[param.key] = choice;
      }
    }
    values = more;
  }
  std::vector<Section> sections;
  for (const auto& section : values) sections.push_back(Section::of("workload", section));
  return sections;
}

/// Judges what the entry makes of a context; false if it is not defined there.
bool keeps_its_promise(const CatalogEntry<CollectiveMaker>& entry, const Section& workload,
                       const CollectiveContext& context) {
  try {
    const Collective collective = entry.make(workload, context);
    const Judgement judgement = judge(context.topology, collective.plan.schedule, collective.demand,
                                      collective.discipline, collective.plan.claim);
    INFO(entry.name << " on " << context.topology.name() << " from " << index(context.source));
    CHECK(judgement.legal());
    CHECK((context.ports == kAllPorts || collective.discipline.ports <= context.ports));
    return true;
  } catch (const PreconditionError& error) {
    CHECK_FALSE(error.remedy().empty());
    return false;
  }
}

std::size_t count_kept(const CatalogEntry<CollectiveMaker>& entry) {
  std::size_t kept = 0;
  for (const auto& topology : topologies()) {
    for (const unsigned ports : {1U, kAllPorts}) {
      for (std::uint32_t source = 0; source < topology->node_count(); source += 3) {
        for (const Section& workload : workloads(entry)) {
          kept += keeps_its_promise(entry, workload, {*topology, NodeId{source}, ports});
        }
      }
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("every algorithm of every menu keeps its promise wherever it is defined",
          "[collective]") {
  const OperationEntry& operation =
      operations()[GENERATE(range(std::size_t{0}, operations().size()))];
  for (const auto& entry : operation.algorithms()) {
    INFO(operation.name << " by " << entry.name);
    CHECK(count_kept(entry) > 0);
  }
}

TEST_CASE("what routers can carry out is an algorithm for nodes, too", "[collective]") {
  std::set<std::string> names;
  for (const OperationEntry& operation : operations()) {
    for (const auto& entry : operation.algorithms()) names.insert(entry.name);
  }
  for (const auto& entry : router_forwardings()) CHECK(names.count(entry.name) == 1);
}
