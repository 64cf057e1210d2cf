// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "delivery.h"
#include "stats/delivery_probes.h"
#include "support/test_catch.h"

using flitcast::ChecksumProbe;
using flitcast::Delivery;
using flitcast::delivery;

namespace {

std::uint64_t checksum(const std::vector<Delivery>& deliveries) {
  ChecksumProbe probe;
  for (const Delivery& arrived : deliveries) probe.delivered(arrived);
  return probe.value();
}

}  // namespace

TEST_CASE("the checksum does not depend on the order or on the partition", "[stats]") {
  const Delivery a = delivery(1, 0, 10);
  const Delivery b = delivery(2, 0, 11);
  const Delivery c = delivery(3, 0, 12);
  CHECK(checksum({a, b, c}) == checksum({c, a, b}));
  ChecksumProbe left;
  ChecksumProbe right;
  left.delivered(b);
  right.delivered(c);
  right.delivered(a);
  left.merge(right);
  CHECK(left.value() == checksum({a, b, c}));
}

TEST_CASE("the checksum notices packet, arrival, destination, loss and duplication", "[stats]") {
  const Delivery a = delivery(1, 0, 10);
  const Delivery b = delivery(2, 0, 20);
  const std::uint64_t both = checksum({a, b});
  CHECK(checksum({a}) != both);
  CHECK(checksum({a, b, b}) != both);
  CHECK(checksum({a, b, b, b}) != both);
  CHECK(checksum({delivery(1, 0, 20), delivery(2, 0, 10)}) != both);  // The arrivals are exchanged.
  // The sum of arrivals is the same.
  CHECK(checksum({delivery(1, 0, 11), delivery(2, 0, 19)}) != both);
  Delivery elsewhere = b;
  elsewhere.node = flitcast::NodeId{6};
  CHECK(checksum({a, elsewhere}) != both);
}

TEST_CASE("the checksum ignores what it does not promise to fold", "[stats]") {
  Delivery a = delivery(1, 0, 10);
  const std::uint64_t before = checksum({a});
  a.packet.created = flitcast::Cycle{5};
  a.packet.tag = 9;
  a.hops = 1;
  CHECK(checksum({a}) == before);
}

TEST_CASE("the checksum of a known delivery stays the same for ever", "[stats]") {
  ChecksumProbe probe;
  CHECK(probe.text() == "0000000000000000");
  probe.delivered(delivery(1, 0, 10));
  CHECK(probe.text() == "fe739f3430aec460");
}
