// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/output_claims.h"

#include <algorithm>
#include <optional>

#include "base/random.h"
#include "support/test_catch.h"

using namespace flitcast;
using Nodes = std::vector<NodeId>;

TEST_CASE("outputs go to the claims in their order", "[network]") {
  OutputClaims claims(4, 3);
  const Nodes both{NodeId{0}, NodeId{1}};
  CHECK(claims.claim(NodeId{3}, both));
  CHECK_FALSE(claims.claim(NodeId{0}, {NodeId{1}, NodeId{2}}));
  CHECK_FALSE(claims.claim(NodeId{1}, {NodeId{2}}));  // Younger, although output 2 is idle.
  CHECK_FALSE(claims.claim(NodeId{2}, {NodeId{0}}));
  Nodes owners;
  claims.release(both, owners);
  CHECK(owners == Nodes{NodeId{2}, NodeId{0}});
  owners.clear();
  claims.release({NodeId{1}, NodeId{2}}, owners);
  CHECK(owners == Nodes{NodeId{1}});
}

TEST_CASE("no two sources own one output, and every claim is served in the end", "[network]") {
  constexpr std::size_t kNodes = 7;
  Random random(3);
  OutputClaims claims(kNodes, kNodes);
  std::vector<Nodes> claimed(kNodes);
  std::vector<std::optional<NodeId>> owner(kNodes);
  Nodes owners;
  std::vector<bool> owning(kNodes, false);
  int served = 0;
  const auto own = [&](NodeId source) {
    owning[index(source)] = true;
    ++served;
    for (const NodeId output : claimed[index(source)]) {
      REQUIRE_FALSE(owner[index(output)].has_value());
      owner[index(output)] = source;
    }
  };
  const auto give_back = [&](NodeId source) {
    Nodes& outputs = claimed[index(source)];
    for (const NodeId output : outputs) owner[index(output)].reset();
    owners.clear();
    claims.release(outputs, owners);
    outputs.clear();
    owning[index(source)] = false;
    std::for_each(owners.begin(), owners.end(), own);
  };
  int made = 0;
  for (int step = 0; step < 20000; ++step) {
    const NodeId source{static_cast<std::uint32_t>(random.below(kNodes))};
    Nodes& outputs = claimed[index(source)];
    if (outputs.empty()) {
      ++made;
      for (std::uint32_t output = 0; output < kNodes; ++output) {
        if (random.below(3) == 0) outputs.push_back(NodeId{output});
      }
      if (outputs.empty()) outputs.push_back(NodeId{0});
      if (claims.claim(source, outputs)) own(source);
    } else if (owning[index(source)]) {
      give_back(source);
    }
  }
  // Each round serves the claims that are first for all their outputs; the oldest claim is always
  // among them.
  for (std::size_t round = 0; round < kNodes; ++round) {
    const std::vector<bool> now = owning;
    for (std::uint32_t source = 0; source < kNodes; ++source) {
      if (now[source]) give_back(NodeId{source});
    }
  }
  CHECK(served == made);
  CHECK(made > 2000);
}
