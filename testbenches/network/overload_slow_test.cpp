// SPDX-License-Identifier: Apache-2.0
// Every routing of the catalog is tested under maximum offered load on every topology of the
// catalog that it accepts: it must be free of deadlock and deliver everything. With one VC too few,
// or with additional turns, the dependency check and the watchdog must detect the resulting
// deadlock.
#include <map>

#include "network/fabric_run.h"
#include "network/sources.h"
#include "network/turn_too_many.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/examples.h"

using namespace flitcast;

namespace {

std::unique_ptr<Routing> make(const RoutingEntry& entry, const RoutingContext& context) {
  try {
    const std::string example = entry.examples.empty() ? "" : entry.examples.front();
    return make_routing(example_of(entry, "routing.kind", example), context);
  } catch (const ConfigError&) {
    return nullptr;  // A routing may refuse.
  }
}

constexpr unsigned kMostVcs = 4;

/// Returns the fewest VCs with which the routing is accepted, or 0 if it is not accepted with
/// kMostVcs.
unsigned fewest_vcs(const RoutingEntry& entry, const Topology& topology) {
  for (unsigned vcs = 1; vcs <= kMostVcs; ++vcs) {
    if (make(entry, {topology, vcs}) != nullptr) return vcs;
  }
  return 0;
}

NetworkParams overloaded(unsigned virtual_channels) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 4;
  params.full_hierarchy = false;
  return params;
}

/// Visits every accepted pair of routing and topology, with the fewest VCs.
template <class Visit>
void for_each_pair(const Visit& visit) {
  for (const RoutingEntry& entry : routings()) {
    if (entry.name == "table") continue;  // It needs a file.
    for (auto& topology : example_topologies()) {
      if (!accepts(entry, *topology) || topology->channels().empty()) continue;
      const unsigned vcs = fewest_vcs(entry, *topology);
      if (vcs == 0) continue;
      INFO(entry.name << " on " << topology->name() << " with " << vcs << " VCs");
      testing::install_fresh_kernel();
      visit(entry, std::move(topology), vcs);
    }
  }
}

}  // namespace

TEST_CASE("every routing moves a hundred thousand packets through every topology at overload",
          "[network][contract]") {
  constexpr unsigned kPackets = 100'000;
  std::map<std::string, int> pairs;
  for_each_pair([&](const RoutingEntry& entry, std::unique_ptr<Topology> topology, unsigned vcs) {
    ++pairs[entry.name];
    const auto nodes = static_cast<unsigned>(topology->node_count());
    auto routing = make(entry, {*topology, vcs});
    CHECK(check_dependencies(*topology, *routing, vcs).acyclic());
    const RoutedNetwork network{std::move(topology), std::move(routing)};
    FabricRun run("run", network, overloaded(vcs), {kPackets / nodes + 1, 7, 1});
    run.drain(5'000'000);
    REQUIRE(run.drained());
    run.fabric->audit();
    CHECK(run.fabric->totals().flits_ejected == run.fabric->totals().flits_injected);
  });
  CHECK(pairs.size() == routings().size() - 1);
}

namespace {

/// True if a search finds packets that wait for each other before all have arrived.
bool deadlocks(FabricRun& run) {
  while (!run.drained() && index(run.fabric->now()) < 50'000) {
    run.fabric->run(1000);
    if (!run.fabric->find_deadlock().empty()) return true;
  }
  return false;
}

bool deadlocks(const RoutedNetwork& network, unsigned virtual_channels) {
  testing::install_fresh_kernel();
  FabricRun run("run", network, overloaded(virtual_channels), {5000, 30, 1});
  return deadlocks(run);
}

/// Sends many packets round a ring, from each of its nodes to itself. Each packet is longer than a
/// buffer, so that it holds a channel while it waits for the next, and shorter than two buffers, so
/// that its node can start another.
bool deadlocks_round(const Ring& ring, const RoutedNetwork& network, unsigned virtual_channels) {
  constexpr unsigned kEach = 200;
  constexpr std::uint32_t kLength = 6;
  testing::install_fresh_kernel();
  auto source = std::make_unique<ScriptSource>(network.topology->node_count());
  const std::vector<NodeId> nodes = nodes_at(ring, *network.topology);
  for (const NodeId node : nodes) {
    for (unsigned packet = 0; packet < kEach; ++packet)
      source->add(Cycle{1}, node, {node, kLength});
  }
  FabricRun run("run", network, overloaded(virtual_channels), std::move(source),
                nodes.size() * kEach);
  return deadlocks(run);
}

/// Returns the first ring on which the additional turns give a cycle of dependencies, with the
/// routing that makes them.
std::pair<Ring, std::unique_ptr<Routing>> with_turns_too_many(const Routing& routing,
                                                              const Topology& topology,
                                                              unsigned virtual_channels) {
  for (const Ring& ring : rings_of(topology)) {
    if (nodes_at(ring, topology).empty()) continue;
    auto more = std::make_unique<TurnTooMany>(routing, topology, ring, virtual_channels);
    if (check_dependencies(topology, *more, virtual_channels).acyclic()) continue;
    return {ring, std::move(more)};
  }
  return {};
}

}  // namespace

TEST_CASE("a routing that is forced on too few virtual channels is found in a deadlock",
          "[network][contract]") {
  std::map<std::string, bool> caught;  // By routing that has a cycle when it is forced.
  for_each_pair([&](const RoutingEntry& entry, std::unique_ptr<Topology> topology, unsigned vcs) {
    RoutedNetwork network{std::move(topology), nullptr};
    for (unsigned fewer = 1; fewer < vcs; ++fewer) {
      network.routing = make(entry, {*network.topology, fewer, true});
      if (network.routing == nullptr) continue;
      if (check_dependencies(*network.topology, *network.routing, fewer).acyclic()) continue;
      bool& found = caught[entry.name];
      found = found || deadlocks(network, fewer);
    }
  });
  for (const auto& [name, deadlock] : caught) {
    INFO(name);
    CHECK(deadlock);
  }
  CHECK(caught.size() >= 7);
}

TEST_CASE("turns too many are refused by the check and end in a deadlock, whatever the routing",
          "[network][contract]") {
  std::map<std::string, int> pairs;  // By routing that works on a topology with rings.
  for_each_pair([&](const RoutingEntry& entry, std::unique_ptr<Topology> topology, unsigned vcs) {
    if (rings_of(*topology).empty()) return;
    ++pairs[entry.name];
    const auto routing = make(entry, {*topology, vcs});
    auto [ring, more] = with_turns_too_many(*routing, *topology, vcs);
    CAPTURE(ring.size());
    REQUIRE(more != nullptr);
    CHECK(deadlocks_round(ring, {std::move(topology), std::move(more)}, vcs));
  });
  CHECK(2 * pairs.size() > routings().size());
}
