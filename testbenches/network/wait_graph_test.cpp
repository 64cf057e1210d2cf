// SPDX-License-Identifier: Apache-2.0
#include "network/check/wait_graph.h"

#include "support/test_catch.h"

using namespace flitcast;

using Members = std::vector<WaitGraph::Member>;

TEST_CASE("members that wait for each other are a cycle, in order of waiting", "[network]") {
  WaitGraph graph(4);
  graph.add_wait(0, {2});  // Leads to the cycle, is not on it.
  graph.add_wait(2, {3});
  graph.add_wait(3, {1});
  graph.add_wait(1, {2});
  CHECK(graph.cyclic_wait() == Members{2, 3, 1});
}

TEST_CASE("a chain of waiting ends at a member that moves", "[network]") {
  WaitGraph graph(3);
  CHECK(graph.cyclic_wait().empty());
  graph.add_wait(0, {1});
  graph.add_wait(1, {2});
  CHECK(graph.cyclic_wait().empty());
  graph.add_wait(2, {0});
  CHECK(graph.cyclic_wait() == Members{0, 1, 2});
}

TEST_CASE("one cause that moves ends a wait, whatever the others do", "[network]") {
  WaitGraph graph(3);
  graph.add_wait(0, {0, 1});
  graph.add_wait(1, {0, 2});
  CHECK(graph.cyclic_wait().empty());
  graph.add_wait(2, {2});
  CHECK_FALSE(graph.cyclic_wait().empty());
}

TEST_CASE("one wait that never ends blocks, whatever the others do", "[network]") {
  WaitGraph graph(3);
  const WaitGraph::Member idle = graph.add_member();
  graph.add_wait(0, {idle, 2});  // Ends only once, though both causes move.
  graph.add_wait(0, {1});
  CHECK(graph.cyclic_wait().empty());
  graph.add_wait(1, {0});
  CHECK(graph.cyclic_wait() == Members{0, 1});
}
