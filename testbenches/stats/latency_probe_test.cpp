// SPDX-License-Identifier: Apache-2.0
#include "stats/latency_probe.h"

#include "delivery.h"
#include "support/test_catch.h"

using flitcast::Cycle;
using flitcast::delivery;
using flitcast::LatencyProbe;
using flitcast::Window;

TEST_CASE("only packets created in the window count, whenever they arrive", "[stats]") {
  LatencyProbe probe(Window(Cycle{100}, 100));
  probe.delivered(delivery(1, 99, 150));
  probe.delivered(delivery(2, 100, 120));
  probe.delivered(delivery(3, 199, 999));
  probe.delivered(delivery(4, 200, 210));
  CHECK(probe.count() == 2);
  CHECK(probe.packet_latency().min() == 20);
  CHECK(probe.packet_latency().max() == 800);
}

TEST_CASE("packet latency counts the source queue, network latency does not", "[stats]") {
  LatencyProbe probe(Window(Cycle{0}, 100));
  probe.delivered(delivery(1, 10, 40));  // Injected at 12.
  CHECK(probe.packet_latency().mean() == 30);
  CHECK(probe.network_latency().mean() == 28);
  CHECK(probe.hops() == 3);
  CHECK(probe.mean_hops() == 3);
}

TEST_CASE("merged latency probes equal one that saw everything", "[stats]") {
  LatencyProbe whole(Window(Cycle{0}, 100));
  LatencyProbe first = whole;
  LatencyProbe second = whole;
  for (std::uint64_t id = 0; id < 100; ++id) {
    const auto arrived = delivery(id, id, id + 10 + id * id % 37);
    whole.delivered(arrived);
    (id % 3 == 0 ? first : second).delivered(arrived);
  }
  second.merge(first);
  CHECK(second.count() == 100);
  CHECK(second.packet_latency().mean() == whole.packet_latency().mean());
  CHECK(second.network_latency().quantile(0.9) == whole.network_latency().quantile(0.9));
  const auto interval = second.interval({1, 0});
  REQUIRE(interval.relaxation > 0);
  CHECK(interval.relaxation == whole.interval({1, 0}).relaxation);
  CHECK(interval.half_width == whole.interval({1, 0}).half_width);
  CHECK(second.mean_hops() == 3);
}

TEST_CASE("a probe whose window is made longer counts packets of twice the time", "[stats]") {
  LatencyProbe probe(Window(Cycle{100}, 200, 2));
  probe.delivered(delivery(1, 150, 170));
  probe.delivered(delivery(4, 200, 230));  // Too late.
  probe.widen();
  probe.delivered(delivery(2, 299, 330));
  probe.delivered(delivery(3, 300, 330));
  CHECK(probe.count() == 2);
}

// A packet of 5 flits that crosses 3 routers.
TEST_CASE("the relaxation time depends on waits, not on the way of a packet", "[stats]") {
  CHECK(flitcast::IdleLatency{5, 0, 1}.of(delivery(1, 0, 99)) == 3 * 5 + 5);
  CHECK(flitcast::IdleLatency{5, 2, 2}.of(delivery(1, 0, 99)) == 3 * (5 + 2 * 5) + 2 * 5);
  LatencyProbe far_and_near(Window(Cycle{0}, 200), {10, 0, 1});
  LatencyProbe waiting(Window(Cycle{0}, 200), {10, 0, 1});
  for (std::uint64_t id = 0; id < 200; ++id) {
    auto arrived = delivery(id, id, id + 45 + 20 * (id % 2));
    waiting.delivered(arrived);
    arrived.hops = 3 + 2 * static_cast<std::uint32_t>(id % 2);
    far_and_near.delivered(arrived);
  }
  CHECK(far_and_near.interval({4, 0}).relaxation == 0);
  CHECK(waiting.interval({4, 0}).relaxation == 4 * 100.0 / 4);
}
