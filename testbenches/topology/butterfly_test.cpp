// SPDX-License-Identifier: Apache-2.0
#include "topology/butterfly.h"

#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

// The destination of a packet that takes the outputs of the destination's digits, the highest
// first.
Endpoint follow_digits(const Butterfly& fly, NodeId source, std::size_t destination) {
  const Adjacency adjacency(fly);
  std::size_t weight = 1;
  for (std::size_t s = 1; s < fly.stages(); ++s) weight *= fly.arity();
  RouterId router = fly.attachment(source).injection.router;
  for (;; weight /= fly.arity()) {
    const PortId digit{static_cast<std::uint16_t>(destination / weight % fly.arity())};
    const std::uint32_t channel = adjacency.leaving(router, digit);
    if (channel == Adjacency::kNone) return {router, digit};
    router = fly.channels()[channel].to.router;
  }
}

}  // namespace

TEST_CASE("the digits of the destination lead to it from every source", "[topology]") {
  for (const auto& [arity, stages] :
       {std::pair(2, 1), {2, 2}, {2, 5}, {3, 1}, {3, 3}, {4, 2}, {5, 2}, {6, 2}}) {
    const Butterfly fly(static_cast<std::size_t>(arity), static_cast<std::size_t>(stages));
    INFO(fly.name());
    for (const NodeId source : fly.nodes()) {
      for (std::uint32_t destination = 0; destination < fly.node_count(); ++destination) {
        REQUIRE(follow_digits(fly, source, destination) ==
                fly.attachment(NodeId{destination}).ejection);
      }
    }
  }
}

TEST_CASE("a k-ary n-fly has n stages of k^(n-1) routers, linked forward only", "[topology]") {
  const Butterfly fly(3, 4);
  CHECK(fly.node_count() == 81);
  CHECK(fly.router_count() == 4 * 27);
  CHECK(fly.channels().size() == 3 * 81);
  for (const Channel& channel : fly.channels()) {
    CHECK(index(channel.to.router) / 27 == index(channel.from.router) / 27 + 1);
  }
}

TEST_CASE("node i enters the first and leaves the last stage at place i / k, port i mod k",
          "[topology]") {
  const Butterfly fly(4, 3);
  const Attachment at = fly.attachment(NodeId{27});
  CHECK(at.injection == Endpoint{RouterId{6}, PortId{3}});
  CHECK(at.ejection == Endpoint{RouterId{2 * 16 + 6}, PortId{3}});
}

TEST_CASE("butterflies outside the limits are refused", "[topology]") {
  CHECK_THROWS_AS(Butterfly(1, 2), std::invalid_argument);
  CHECK_THROWS_AS(Butterfly(129, 1), std::invalid_argument);
  CHECK_THROWS_AS(Butterfly(2, 0), std::invalid_argument);
  CHECK_THROWS_AS(Butterfly(2, 22), std::invalid_argument);  // It would have 22 * 2^21 routers.
  CHECK_FALSE(Butterfly::buildable(128, 4));
  CHECK(Butterfly::buildable(128, 3));
}
