// SPDX-License-Identifier: Apache-2.0
// What every routing of the catalog owes to the network on every topology that it accepts.
#include <map>

#include "routing/catalog.h"
#include "routing/deadlock.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/examples.h"

using namespace flitcast;

namespace {

// A section with the first choice, or all choices in turn, of each parameter of the entry.
std::vector<Section> sections_of(const RoutingEntry& entry) {
  std::vector<std::map<std::string, nlohmann::json>> all{{{"kind", entry.name}}};
  for (const Param& param : entry.params()) {
    std::vector<std::map<std::string, nlohmann::json>> more;
    for (const auto& values : all) {
      for (const std::string& choice : param.choices) {
        if (choice == "none") continue;  // Documented as prone to deadlock.
        more.push_back(values);
        more.back()[param.key] = choice;
      }
    }
    all = more;
  }
  std::vector<Section> sections;
  for (const auto& values : all) sections.push_back(Section::of("routing", values));
  return sections;
}

std::unique_ptr<Routing> make(const Section& section, const RoutingContext& context) {
  try {
    return make_routing(section, context);
  } catch (const ConfigError&) {
    return nullptr;  // Refused, which is the routing's right.
  }
}

// Calls `visit` with every accepted pair; returns on how many topologies each routing was accepted.
template <class Visit>
std::map<std::string, int> for_each_accepted(const Visit& visit) {
  std::map<std::string, int> accepted;
  for (const auto& topology : example_topologies()) {
    for (const auto& entry : routings()) {
      for (const Section& section : sections_of(entry)) {
        for (const std::size_t vcs : {1, 2, 3, 32}) {
          const auto routing = make(section, {*topology, vcs});
          if (routing == nullptr) continue;
          INFO(entry.name << " on " << topology->name() << " with " << vcs << " VCs");
          ++accepted[entry.name];
          visit(*topology, *routing, vcs);
        }
      }
    }
  }
  return accepted;
}

void require_delivery(const Topology& topology, const Routing& routing) {
  const Adjacency adjacency(topology);
  const std::size_t most_hops = topology.router_count() - 1;
  for (std::uint32_t source = 0; source < topology.node_count(); ++source) {
    for (std::uint32_t destination = 0; destination < topology.node_count(); ++destination) {
      for (unsigned ties = 0; ties < 1U << routing.tie_dimensions(); ++ties) {
        const Walk way = walk(topology, adjacency, routing, NodeId{source}, NodeId{destination},
                              static_cast<std::uint8_t>(ties), most_hops);
        REQUIRE(way.end == topology.attachment(NodeId{destination}).ejection);
        REQUIRE(way.hops.size() <= most_hops);
      }
    }
  }
}

}  // namespace

TEST_CASE("every routing reaches every destination without visiting a router twice", "[routing]") {
  const auto accepted = for_each_accepted([](const Topology& topology, const Routing& routing,
                                             std::size_t) { require_delivery(topology, routing); });
  for (const auto& entry : routings()) CHECK(accepted.count(entry.name) == 1);
}

TEST_CASE("every accepted pair of routing and topology is free of deadlock", "[routing]") {
  for_each_accepted([](const Topology& topology, const Routing& routing, std::size_t vcs) {
    CHECK(check_dependencies(topology, routing, vcs).acyclic());
    CHECK(check_dependencies(topology, routing, vcs, ChannelIdentity::kRouterPair).acyclic());
  });
}

TEST_CASE("every topology is accepted by some routing with two virtual channels", "[routing]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    bool accepted = false;
    for (const auto& entry : routings()) {
      for (const Section& section : sections_of(entry)) {
        accepted = accepted || make(section, {*topology, 2}) != nullptr;
      }
    }
    CHECK(accepted);
  }
}
