// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/channel_loads.h"

#include <algorithm>
#include <stdexcept>

#include "routing/dimension_order.h"
#include "routing/forwarding_table.h"
#include "support/test_catch.h"
#include "topology/channel_numbering.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

TrafficShares uniform(const Topology& topology) {
  const double share = 1.0 / static_cast<double>(topology.node_count());
  return [share](NodeId, NodeId) { return share; };
}

// Each node sends all packets to the node `distance` places further on.
TrafficShares shift(const Topology& topology, std::uint32_t places) {
  const auto nodes = static_cast<std::uint32_t>(topology.node_count());
  return [=](NodeId from, NodeId to) {
    return (index(from) + places) % nodes == index(to) ? 1.0 : 0.0;
  };
}

double largest(const std::vector<double>& loads) {
  return *std::max_element(loads.begin(), loads.end());
}

DimensionOrder xy(const Grid& grid) {
  DimensionOrder::Params params;
  params.classes = grid.wraps(0) ? VcClasses::kDateline : VcClasses::kNone;
  return DimensionOrder(grid, params);
}

// A routing on a ring whose direction depends on the VC.
class WayByVc : public Routing {
 public:
  Route route(const RouteRequest& request) const override {
    if (index(request.router) == index(request.destination)) return {PortId{2}, 0b11};
    return {PortId{static_cast<std::uint16_t>(index(request.vc))}, VcSet{1} << index(request.vc)};
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 0b11; }
};

// The same routing, but without the promise that it reads only the router.
class Suspicious : public Routing {
 public:
  explicit Suspicious(const Routing& inner) : inner_(inner) {}
  Route route(const RouteRequest& request) const override { return inner_.route(request); }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return inner_.injection_vcs(source, destination);
  }

 private:
  const Routing& inner_;
};

// A routing that always takes a given output: round a ring without end, or out.
class Scripted : public Routing {
 public:
  explicit Scripted(PortId output) : output_(output) {}
  Route route(const RouteRequest&) const override { return {output_, 1}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }

 private:
  PortId output_;
};

}  // namespace

TEST_CASE("uniform traffic loads the middle of a mesh with k/4 and that of a torus with k/8",
          "[routing]") {
  for (const std::size_t k : {4, 8}) {
    const Grid square = mesh({k, k});
    const double size = static_cast<double>(k);
    CHECK(largest(channel_loads(square, xy(square), uniform(square))) == Approx(size / 4));
  }
  const Grid round = ring(16);
  CHECK(largest(channel_loads(round, xy(round), uniform(round))) == Approx(2));
}

TEST_CASE("half way round a ring a fair coin halves the load of both ways", "[routing]") {
  const Grid round = ring(8);
  const ChannelNumbering channels(round);
  const std::vector<double> loads = channel_loads(round, xy(round), shift(round, 4));
  for (std::size_t c = 0; c < channels.links(); ++c) CHECK(loads[c] == Approx(2));
}

TEST_CASE("all that a node sends and receives is on its own channels", "[routing]") {
  const Grid line = mesh({4});
  const ChannelNumbering channels(line);
  const std::vector<double> loads =
      channel_loads(line, xy(line), [](NodeId, NodeId to) { return to == NodeId{2} ? 1.0 : 0.0; });
  for (std::uint32_t n = 0; n < 4; ++n) {
    CHECK(loads[channels.injection(NodeId{n})] == Approx(1));
    CHECK(loads[channels.ejection(NodeId{n})] == Approx(n == 2 ? 4 : 0));
  }
}

TEST_CASE("nodes with several ports spread what they send, and receive by input modulo ports",
          "[routing]") {
  Grid line = mesh({3});
  line.widen_nodes(2);
  const ChannelNumbering channels(line);
  const std::vector<double> loads =
      channel_loads(line, xy(line), [](NodeId, NodeId to) { return to == NodeId{1} ? 1.0 : 0.0; });
  for (std::uint32_t n = 0; n < 3; ++n) {
    for (const std::size_t port : {0, 1}) {
      CHECK(loads[channels.injection(NodeId{n}, port)] == Approx(0.5));
    }
  }
  // Input 0 brings packets from node 2 and input 2 half of the node's own; input 1 brings packets
  // from node 0 and input 3 its own.
  CHECK(loads[channels.ejection(NodeId{1}, 0)] == Approx(1.5));
  CHECK(loads[channels.ejection(NodeId{1}, 1)] == Approx(1.5));
}

TEST_CASE("asking once for each router finds what asking for each channel does, to the last bit",
          "[routing]") {
  for (const Grid& grid : {mesh({7, 5}), mesh({3, 4, 5})}) {
    const DimensionOrder routing = xy(grid);
    REQUIRE(!routing.reads_arrival());
    const auto hot = [&](NodeId from, NodeId to) {
      return index(to) == 1 ? 0.3 : 0.7 / static_cast<double>(grid.node_count() + index(from));
    };
    CHECK(channel_loads(grid, routing, hot) == channel_loads(grid, Suspicious(routing), hot));
  }
}

TEST_CASE("where packets branch, every branch carries all of them", "[routing]") {
  // Packets from every node go to the end of the line; every router in between serves its node.
  const Grid line = mesh({4});
  const ForwardingTable table(
      line,
      [&](RouterId router, PortId input) {
        ForwardingTable::Entry entry;
        entry.to_node = true;
        const bool own = input == line.local();
        if (index(router) < 3) entry.hops = {{Grid::plus(0), std::uint16_t(own ? 9 : 0)}};
        return entry;
      },
      1);
  const ChannelNumbering channels(line);
  const std::vector<double> loads =
      channel_loads(line, table, [](NodeId, NodeId to) { return to == NodeId{0} ? 1.0 : 0.0; });
  for (std::size_t c = 0; c < channels.links(); ++c) {
    const Channel& link = line.channels()[c];
    const bool up = link.from.port == Grid::plus(0);
    CHECK(loads[c] == Approx(up ? index(link.to.router) : 0));
  }
  for (std::uint32_t n = 0; n < 4; ++n) {
    CHECK(loads[channels.ejection(NodeId{n})] == Approx(n + 1));
  }
}

TEST_CASE("loads that are unknown before the run are refused, not guessed", "[routing]") {
  const Grid round = ring(4);
  CHECK_THROWS_AS(channel_loads(round, WayByVc(), uniform(round)), UnknownLoads);
  CHECK_THROWS_AS(
      channel_loads(round, xy(round), [](NodeId, NodeId) { return std::optional<double>(); }),
      UnknownLoads);
  CHECK_THROWS_AS(channel_loads(round, xy(round), uniform(round), 100), UnknownLoads);
  CHECK_NOTHROW(channel_loads(round, xy(round), uniform(round), 1000));
}

TEST_CASE("a network that is too large for the analysis is known after a few destinations",
          "[routing]") {
  const Grid square = mesh({16, 16});
  std::uint64_t asked = 0;
  const auto counting = [&](NodeId, NodeId) {
    ++asked;
    return std::optional<double>(1.0 / 256);
  };
  CHECK_THROWS_AS(channel_loads(square, xy(square), counting, 100'000), UnknownLoads);
  CHECK(asked == 16 * square.node_count());
}

TEST_CASE("a routing that leads round in a cycle or out of no channel is an error", "[routing]") {
  const Grid round = ring(4);
  CHECK_THROWS_AS(channel_loads(round, Scripted(PortId{0}), shift(round, 1)), std::logic_error);
  CHECK_THROWS_AS(channel_loads(round, Scripted(PortId{2}), shift(round, 1)), std::logic_error);
  CHECK_THROWS_AS(channel_loads(round, Scripted(PortId{3}), shift(round, 1)), std::logic_error);
}
