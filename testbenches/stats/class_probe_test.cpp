// SPDX-License-Identifier: Apache-2.0
#include "stats/class_probe.h"

#include "delivery.h"
#include "support/test_catch.h"

using flitcast::ClassProbe;
using flitcast::Cycle;
using flitcast::delivery;
using flitcast::IdleLatency;
using flitcast::Window;

TEST_CASE("flits are offered by creation in the window and accepted by arrival in it", "[stats]") {
  ClassProbe probe(Window(Cycle{100}, 100), IdleLatency{});
  probe.delivered(delivery(1, 90, 150));              // Accepted alone,
  probe.delivered(delivery(2, 120, 130));             // both,
  probe.delivered(delivery(3, 190, 240));             // offered alone,
  probe.add_outstanding(delivery(4, 150, 0).packet);  // and again.
  CHECK(probe.packets_created() == 4);
  CHECK(probe.packets_delivered() == 3);
  CHECK(probe.flits_offered() == 15);
  CHECK(probe.flits_accepted() == 10);
}

TEST_CASE("merged probes of a class have the sums of all their counts", "[stats]") {
  const ClassProbe empty(Window(Cycle{100}, 100), IdleLatency{});
  ClassProbe first = empty;
  ClassProbe second = empty;
  first.delivered(delivery(1, 90, 150));
  second.delivered(delivery(2, 120, 130));
  second.add_outstanding(delivery(3, 150, 0).packet);
  first.merge(second);
  CHECK(first.packets_created() == 3);
  CHECK(first.packets_delivered() == 2);
  CHECK(first.flits_offered() == 10);
  CHECK(first.flits_accepted() == 10);
  CHECK(first.latency().count() == 1);
  second.merge(first);
  CHECK(second.packets_created() == 5);
  CHECK(second.flits_offered() == 20);
  CHECK(second.flits_accepted() == 15);
}
