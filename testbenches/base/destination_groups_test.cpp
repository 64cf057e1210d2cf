// SPDX-License-Identifier: Apache-2.0
#include "base/destination_groups.h"

#include <stdexcept>
#include <vector>

#include "support/test_catch.h"

using flitcast::DestinationGroups;
using flitcast::NodeId;
using Nodes = std::vector<NodeId>;

TEST_CASE("every node is a group of itself", "[base]") {
  DestinationGroups groups(3);
  CHECK(groups.members(NodeId{2}) == Nodes{NodeId{2}});
  CHECK(groups.add({NodeId{1}}) == NodeId{1});
  groups.remove(NodeId{1});
  CHECK(groups.members(NodeId{1}) == Nodes{NodeId{1}});
}

TEST_CASE("groups keep their members in rising order until they are removed", "[base]") {
  DestinationGroups groups(4);
  const NodeId first = groups.add({NodeId{3}, NodeId{0}});
  const NodeId second = groups.add({NodeId{1}, NodeId{2}, NodeId{3}});
  CHECK(index(first) >= 4);
  CHECK(first != second);
  CHECK(groups.members(first) == Nodes{NodeId{0}, NodeId{3}});
  groups.remove(first);
  CHECK(groups.add({NodeId{1}, NodeId{2}}) == first);
  CHECK(groups.members(second).size() == 3);
}

TEST_CASE("a group without members, with one twice or one beyond the network is refused",
          "[base]") {
  DestinationGroups groups(4);
  const Nodes wrong = GENERATE(Nodes{}, Nodes{NodeId{1}, NodeId{1}}, Nodes{NodeId{0}, NodeId{4}});
  CHECK_THROWS_AS(groups.add(wrong), std::invalid_argument);
}
