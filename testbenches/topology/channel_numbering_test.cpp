// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_numbering.h"

#include <set>
#include <sstream>

#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/examples.h"
#include "topology/graph.h"
#include "topology/grid.h"

using namespace flitcast;

TEST_CASE("every channel of every topology has one number and tells what it is", "[topology]") {
  for (const auto& topology : example_topologies()) {
    for (const std::size_t ports : {1, 2}) {
      if (ports > 1) topology->widen_nodes(ports);
      const ChannelNumbering channels(*topology);
      std::set<std::size_t> seen;
      for (const NodeId n : topology->nodes()) {
        for (std::size_t port = 0; port < ports; ++port) {
          const std::size_t in = channels.injection(n, port);
          const std::size_t out = channels.ejection(n, port);
          seen.insert({in, out});
          CHECK((channels.is_injection(in) && !channels.is_ejection(in)));
          CHECK((channels.is_ejection(out) && !channels.is_injection(out)));
          CHECK((channels.node(in) == n && channels.node(out) == n));
          CHECK((channels.node_port(in) == port && channels.node_port(out) == port));
          CHECK(channels.end(in) == topology->attachment(n, port).injection);
        }
      }
      INFO(topology->name() << " with " << ports << " ports");
      CHECK(seen.size() == 2 * topology->node_count() * ports);
      CHECK(*seen.begin() == topology->channels().size());
      CHECK(*seen.rbegin() + 1 == channels.count());
    }
  }
}

TEST_CASE("channels are named by the routers and the nodes that they join", "[topology]") {
  Grid line = mesh({3});
  const ChannelNumbering channels(line);
  CHECK(channels.name(0) == "0 -> 1");
  CHECK(channels.end(0) == line.channels()[0].to);
  CHECK_FALSE((channels.is_injection(0) || channels.is_ejection(0)));
  CHECK(channels.name(channels.injection(NodeId{2})) == "node 2 -> 2");
  CHECK(channels.name(channels.ejection(NodeId{1})) == "1 -> node 1");
  line.widen_nodes(2);
  const ChannelNumbering wide(line);
  CHECK(wide.name(wide.injection(NodeId{2}, 1)) == "node 2 port 1 -> 2");
  std::istringstream file("router 1\nrouter 0\nterminal a 1\nterminal b 0\nlink 1 0\n");
  const Graph named = read_graph(file, "x.graph");
  const ChannelNumbering of_graph(named);
  CHECK(of_graph.name(0) == "1 -> 0");
  CHECK(of_graph.name(of_graph.ejection(NodeId{0})) == "1 -> node 0");
  const Butterfly fly(2, 2);  // Node 3 enters at router 1 and leaves at router 3.
  const ChannelNumbering of_fly(fly);
  CHECK(of_fly.name(of_fly.injection(NodeId{3})) == "node 3 -> 1");
  CHECK(of_fly.name(of_fly.ejection(NodeId{3})) == "3 -> node 3");
}
