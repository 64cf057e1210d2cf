// SPDX-License-Identifier: Apache-2.0
#include "stats/latency_probe.h"

#include "delivery.h"
#include "support/test_catch.h"

using flitcast::Cycle;
using flitcast::delivery;
using flitcast::LatencyProbe;

TEST_CASE("only packets created in the window count, whenever they arrive", "[stats]") {
  LatencyProbe probe(Cycle{100}, Cycle{200});
  probe.delivered(delivery(1, 99, 150));
  probe.delivered(delivery(2, 100, 120));
  probe.delivered(delivery(3, 199, 999));
  probe.delivered(delivery(4, 200, 210));
  CHECK(probe.count() == 2);
  CHECK(probe.packet_latency().min() == 20);
  CHECK(probe.packet_latency().max() == 800);
}

TEST_CASE("packet latency counts the source queue, network latency does not", "[stats]") {
  LatencyProbe probe(Cycle{0}, Cycle{100});
  probe.delivered(delivery(1, 10, 40));  // Injected at 12.
  CHECK(probe.packet_latency().mean() == 30);
  CHECK(probe.network_latency().mean() == 28);
  CHECK(probe.hops() == 3);
  CHECK(probe.mean_hops() == 3);
}

TEST_CASE("merged latency probes equal one that saw everything", "[stats]") {
  LatencyProbe whole(Cycle{0}, Cycle{100});
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
  CHECK(second.batches().half_width() == whole.batches().half_width());
  CHECK(second.mean_hops() == 3);
}

TEST_CASE("a probe whose window is made longer counts packets of twice the time", "[stats]") {
  LatencyProbe probe(Cycle{100}, Cycle{200});
  CHECK_FALSE(probe.relative_half_width().has_value());
  probe.delivered(delivery(1, 150, 170));
  probe.widen();
  probe.delivered(delivery(2, 299, 330));
  probe.delivered(delivery(3, 300, 330));
  CHECK(probe.count() == 2);
}
