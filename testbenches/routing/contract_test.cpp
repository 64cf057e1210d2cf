// SPDX-License-Identifier: Apache-2.0
// Requirements on every routing of the catalog on every topology that it accepts.
#include <cmath>
#include <map>

#include "routing/analysis/channel_loads.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/channel_numbering.h"
#include "topology/examples.h"

using namespace flitcast;

namespace {

// One section for each choice of the parameters of the entry, with the defaults of all others.
// An entry with sections of its own has one section for each example.
std::vector<Section> sections_of(const RoutingEntry& entry) {
  if (!entry.examples.empty() && entry.add_control == nullptr) {
    std::vector<Section> sections;
    for (const std::string& example : entry.examples) {
      sections.push_back(example_of(entry, "routing.kind", example));
    }
    return sections;
  }
  std::vector<std::map<std::string, nlohmann::json>> all{{{"kind", entry.name}}};
  for (const Param& param : entry.params()) {
    std::vector<std::map<std::string, nlohmann::json>> more;
    for (auto& values : all) {
      if (param.choices.empty()) {
        values[param.key] = param.fallback;
        more.push_back(values);
      }
      for (const std::string& choice : param.choices) {
        // This choice is documented as prone to deadlock, unless it is refused there.
        if (choice == "none" && param.fallback != choice) continue;
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
    return nullptr;  // A routing may refuse a topology.
  }
}

// Calls `visit` with every accepted pair; returns the number of topologies on which each routing
// was accepted. The largest number of VCs tests masks, for which small networks suffice. Larger
// networks use it only for routings that need its VCs, since their dependency analysis takes most
// of the time.
template <class Visit>
std::map<std::string, int> for_each_accepted(const Visit& visit) {
  std::map<std::string, int> accepted;
  for (const auto& topology : example_topologies()) {
    for (const auto& entry : routings()) {
      if (entry.name == "table") continue;  // A table is for one network: routing_table_test.cpp.
      for (const Section& section : sections_of(entry)) {
        bool served = false;
        for (const std::size_t vcs : {1, 2, 3, 32}) {
          if (vcs == 32 && served && topology->router_count() > 12) continue;
          const auto routing = make(section, {*topology, vcs});
          if (routing == nullptr) continue;
          served = true;
          INFO(entry.name << " on " << topology->name() << " with " << vcs << " VCs");
          ++accepted[entry.name];
          visit(*topology, *routing, vcs);
        }
      }
    }
  }
  return accepted;
}

// A packet with a drawn intermediate node visits a router at most once before that node and once
// after it; an adaptive packet at most once before it is on escape channels and once after that.
std::size_t most_hops_of(const Topology& topology, const Routing& routing) {
  return (topology.router_count() - 1) * (routing.most_choices() > 1 || routing.adaptive() ? 2 : 1);
}

void require_delivery(const Topology& topology, const Routing& routing) {
  const Adjacency adjacency(topology);
  const std::size_t most_hops = most_hops_of(topology, routing);
  std::uint64_t walks = 0;
  for (const NodeId source : topology.nodes()) {
    for (const NodeId destination : topology.nodes()) {
      for (unsigned ties = 0; ties < 1U << routing.tie_dimensions(); ++ties) {
        const std::uint32_t choices = routing.choices(source, destination);
        const Chance chance{static_cast<std::uint32_t>(Random(walks).below(choices)), ++walks};
        const Walk option = walk(topology, adjacency, routing, source, destination,
                                 static_cast<std::uint8_t>(ties), most_hops, chance);
        REQUIRE(option.end == topology.attachment(destination).ejection);
        REQUIRE(option.hops.size() <= most_hops);
      }
    }
  }
}

// Loads of uniform traffic, computed packet by packet.
std::vector<double> loads_of_all_walks(const Topology& topology, const Routing& routing) {
  const Adjacency adjacency(topology);
  const ChannelNumbering channels(topology);
  std::vector<double> loads(channels.count(), 0);
  const unsigned ties = 1U << routing.tie_dimensions();
  for (const NodeId source : topology.nodes()) {
    for (const NodeId destination : topology.nodes()) {
      const std::uint32_t headers = ties * routing.choices(source, destination);
      const double share = 1.0 / static_cast<double>(topology.node_count()) / headers;
      loads[channels.injection(source)] += share * headers;
      loads[channels.ejection(destination)] += share * headers;
      for (std::uint32_t h = 0; h < headers; ++h) {
        for (const Hop& hop : walk(topology, adjacency, routing, source, destination,
                                   static_cast<std::uint8_t>(h % ties), 1000, {h / ties, 0})
                                  .hops) {
          loads[adjacency.leaving(hop.router, hop.output)] += share;
        }
      }
    }
  }
  return loads;
}

}  // namespace

TEST_CASE("channel loads of every routing are those of all packets followed one by one",
          "[routing]") {
  for_each_accepted([](const Topology& topology, const Routing& routing, std::size_t) {
    if (routing.adaptive()) return;
    const double share = 1.0 / static_cast<double>(topology.node_count());
    const std::vector<double> loads =
        channel_loads(topology, routing, [share](NodeId, NodeId) { return share; });
    const std::vector<double> expected = loads_of_all_walks(topology, routing);
    REQUIRE(loads.size() == expected.size());
    std::size_t worst = 0;
    for (std::size_t c = 0; c < loads.size(); ++c) {
      const auto error = [&](std::size_t i) { return std::abs(loads[i] - expected[i]); };
      if (error(c) > error(worst)) worst = c;
    }
    INFO(ChannelNumbering(topology).name(worst));
    CHECK(loads[worst] == Approx(expected[worst]).margin(1e-9));
  });
}

TEST_CASE("the loads of adaptive routings cannot be told beforehand", "[routing]") {
  for_each_accepted([](const Topology& topology, const Routing& routing, std::size_t) {
    if (!routing.adaptive()) return;
    CHECK_THROWS_AS(channel_loads(topology, routing, [](NodeId, NodeId) { return 1.0; }),
                    UnknownLoads);
  });
}

TEST_CASE("every routing reaches every destination in as many hops as there are routers",
          "[routing]") {
  const auto accepted = for_each_accepted([](const Topology& topology, const Routing& routing,
                                             std::size_t) { require_delivery(topology, routing); });
  for (const auto& entry : routings()) {
    CHECK((accepted.count(entry.name) == 1 || entry.name == "table"));
  }
}

namespace {

/// A routing that counts its calls.
class Counting : public Routing {
 public:
  Counting(const Routing& routing, bool reads_arrival)
      : routing_(routing), reads_arrival_(reads_arrival) {}

  flitcast::Route route(const RouteRequest& request) const override {
    ++questions;
    return routing_.route(request);
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_.injection_vcs(source, destination);
  }
  std::size_t tie_dimensions() const override { return routing_.tie_dimensions(); }
  bool reads_arrival() const override { return reads_arrival_; }

  mutable std::size_t questions = 0;

 private:
  const Routing& routing_;
  const bool reads_arrival_;
};

}  // namespace

TEST_CASE("a routing that does not read the arrival has the dependencies that it would have so",
          "[routing]") {
  std::size_t blind = 0;
  for_each_accepted([&](const Topology& topology, const Routing& routing, std::size_t vcs) {
    if (routing.reads_arrival()) return;
    ++blind;
    const Counting by_channel(routing, true);
    const Counting by_router(routing, false);
    const DependencyCheck slow = check_dependencies(topology, by_channel, vcs);
    const DependencyCheck fast = check_dependencies(topology, by_router, vcs);
    CHECK(fast.channels == slow.channels);
    CHECK(fast.dependencies == slow.dependencies);
    CHECK(fast.acyclic() == slow.acyclic());
    const std::size_t destinations = topology.node_count() << routing.tie_dimensions();
    CHECK(by_router.questions <= destinations * topology.router_count());
    CHECK(by_router.questions <= by_channel.questions);
  });
  CHECK(blind > 50);
}

TEST_CASE("a routing that says it does not read the arrival does not", "[routing]") {
  for_each_accepted([](const Topology& topology, const Routing& routing, std::size_t vcs) {
    if (routing.reads_arrival()) return;
    const Adjacency adjacency(topology);
    for (std::uint32_t from = 0; from < topology.node_count(); ++from) {
      const NodeId destination{static_cast<std::uint32_t>((from + 7) % topology.node_count())};
      for (const Hop& hop : walk(topology, adjacency, routing, NodeId{from}, destination).hops) {
        const flitcast::Route route = routing.route({hop.router, PortId{0}, VcId{0}, destination});
        for (std::uint16_t port = 0; port < topology.input_count(hop.router); ++port) {
          for (std::size_t vc = 0; vc < vcs; ++vc) {
            const flitcast::Route same =
                routing.route({hop.router, PortId{port}, to_id<VcId>(vc), destination});
            REQUIRE(same.output == route.output);
            REQUIRE(same.vcs == route.vcs);
          }
        }
      }
    }
  });
}

TEST_CASE("every accepted pair of routing and topology is free of deadlock", "[routing]") {
  for_each_accepted([](const Topology& topology, const Routing& routing, std::size_t vcs) {
    CHECK(check_dependencies(topology, routing, vcs).acyclic());
  });
}

TEST_CASE("a routing that is refused for want of virtual channels has a cycle when forced",
          "[routing]") {
  // For each routing that is refused on some topology: true if a cycle is found.
  std::map<std::string, bool> controls;
  for (const auto& topology : example_topologies()) {
    for (const auto& entry : routings()) {
      for (const Section& section : sections_of(entry)) {
        for (const std::size_t vcs : {1, 2, 3}) {
          if (entry.name == "table" || !accepts(entry, *topology)) continue;
          if (make(section, {*topology, vcs}) != nullptr) continue;
          const auto forced = make(section, {*topology, vcs, true});
          if (forced == nullptr || !dependencies_are_checkable(*topology, *forced, vcs)) continue;
          controls[entry.name] =
              controls[entry.name] || !check_dependencies(*topology, *forced, vcs).acyclic();
        }
      }
    }
  }
  for (const auto& [name, cycle] : controls) {
    INFO(name);
    CHECK(cycle);
  }
  CHECK(controls.size() >= 5);
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
