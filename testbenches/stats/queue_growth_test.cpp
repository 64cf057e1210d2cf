// SPDX-License-Identifier: Apache-2.0
// Compares the detection of overload with queues whose load is known.
#include "stats/queue_growth.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"

using flitcast::FlitHistory;
using flitcast::NodeId;
using flitcast::Packet;
using flitcast::QueueGrowth;
using flitcast::Random;
using flitcast::Snapshot;

namespace {

constexpr std::uint32_t kLength = 4;  // Flits of a packet.

/// A source whose separate server sends one flit per cycle to the same node, and which creates
/// bursts of `burst` packets.
struct Queue {
  double load = 0;
  unsigned burst = 1;
  std::uint64_t created = 0;
  std::uint64_t sent = 0;

  void tick(Random& random) {
    if (random.uniform() < load / (kLength * burst)) created += kLength * burst;
    if (sent < created) ++sent;
  }
};

/// Adds flits that wait in packets of at most `length` flits from a node to itself.
void add_backlog(Snapshot& snapshot, std::uint32_t node, std::uint64_t flits,
                 std::uint32_t length = kLength) {
  Packet waiting;
  waiting.source = waiting.destination = NodeId{node};
  for (; flits > 0; flits -= waiting.length) {
    waiting.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(flits, length));
    snapshot.add(waiting);
  }
}

/// Source n sends to node n.
Snapshot snapshot_of(const std::vector<Queue>& queues) {
  Snapshot snapshot(queues.size());
  for (std::uint32_t n = 0; n < queues.size(); ++n) {
    const Queue& queue = queues[n];
    snapshot.created[n] = queue.created;
    snapshot.ejected[n] = queue.sent;
    snapshot.packets_created += queue.created / kLength;
    add_backlog(snapshot, n, queue.created - queue.sent);
  }
  return snapshot;
}

/// The result of a window after a warm-up of 2000 cycles.
QueueGrowth::Growth monitor(std::vector<Queue> queues, std::uint64_t window, std::uint64_t seed) {
  Random random(seed);
  QueueGrowth growth;
  for (std::uint64_t cycle = 0; cycle <= 2000 + window; ++cycle) {
    const bool seen = cycle >= 2000 && (cycle - 2000) % (window / QueueGrowth::kSpans) == 0;
    if (seen) growth.observe(snapshot_of(queues));
    for (Queue& queue : queues) queue.tick(random);
  }
  return growth.growth().value();
}

bool behind(const QueueGrowth::Growth& growth) {
  return growth.whole.beyond_chance() || growth.source.beyond_chance() ||
         growth.destination->beyond_chance();
}

/// The number of runs, out of a hundred with one queue, that report growth.
int times_behind(const Queue& queue, std::uint64_t window) {
  int times = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) times += behind(monitor({queue}, window, seed));
  return times;
}

/// The growth of one source whose backlog takes these values at equal distances.
QueueGrowth::Growth shape(const std::vector<std::uint32_t>& backlog) {
  QueueGrowth growth;
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    Snapshot snapshot(1);
    snapshot.created[0] = 1000 * (i + 1);
    snapshot.packets_created = snapshot.created[0] / kLength;
    add_backlog(snapshot, 0, backlog[i]);
    growth.observe(snapshot);
  }
  return growth.growth().value();
}

}  // namespace

TEST_CASE("a queue that only just keeps up is not behind, whatever the window", "[stats]") {
  for (const std::uint64_t window : {1000U, 10000U, 40000U}) {
    INFO(window);
    CHECK(times_behind({1.0}, window) <= 2);
    CHECK(times_behind({0.97}, window) == 0);
  }
}

TEST_CASE("a queue that is offered 10 % too much is behind in a window of 10000", "[stats]") {
  CHECK(times_behind({1.1}, 10000) >
        50);  // The queue gains 1000 flits, with a deviation of 210; 630 is beyond chance.
  CHECK(times_behind({1.2}, 10000) == 100);
  CHECK(times_behind({1.1}, 40000) == 100);
}

TEST_CASE("an overload of 3 % shows in a window of 400000", "[stats]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) CHECK(behind(monitor({{1.03}}, 400000, seed)));
}

TEST_CASE("bursts widen what chance explains", "[stats]") {
  // Bursts of ten packets have ten times the variance.
  const double plain = monitor({Queue{0.5, 1}}, 40000, 1).whole.chance;
  const double bursts = monitor({Queue{0.5, 10}}, 40000, 1).whole.chance;
  CHECK(plain == Approx(3 * std::sqrt(4 * 20000)).epsilon(0.5));
  CHECK(bursts / plain > 2);
  CHECK(times_behind({1.0, 10}, 10000) <= 1);
}

TEST_CASE("long packets of other sources do not hide one that falls behind", "[stats]") {
  // The bursts of 99 sources have some twenty times the variance of the packets of source 42.
  std::vector<Queue> queues(100, Queue{0.5, 20});
  queues[42] = Queue{1.2};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto growth = monitor(queues, 10000, seed);
    INFO(seed);
    CHECK(growth.source.beyond_chance());
    CHECK(growth.source.node == 42);
  }
}

TEST_CASE("a source of long bursts among others of single packets is not behind by a burst",
          "[stats]") {
  int behind = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::vector<Queue> queues(50, Queue{0.3});
    queues[7] = Queue{0.3, 100};
    if (monitor(queues, 10000, seed).source.beyond_chance()) ++behind;
  }
  CHECK(behind <= 1);
}

TEST_CASE(
    "a single packet in flight is chance, however long, and as many flits of short ones are not",
    "[stats]") {
  const auto ends_with = [](std::uint64_t flits, std::uint32_t length) {
    QueueGrowth growth;
    for (std::uint64_t i = 0; i <= QueueGrowth::kSpans; ++i) {
      Snapshot snapshot(2);
      snapshot.created = {300 * i, 300 * i};
      snapshot.packets_created = 600 * i;
      if (i == QueueGrowth::kSpans) add_backlog(snapshot, 1, flits, length);
      growth.observe(std::move(snapshot));
    }
    return growth.growth().value();
  };
  CHECK_FALSE(behind(ends_with(1000, 1000)));
  CHECK_FALSE(behind(ends_with(3000, 1000)));
  CHECK(behind(ends_with(4000, 1000)));
  const auto short_ones = ends_with(1000, 1);
  CHECK(short_ones.whole.beyond_chance());
  CHECK(short_ones.source.beyond_chance());
  CHECK(short_ones.destination->beyond_chance());
  // The variance of the 3000 single flits of a node is more than the square of a packet of 20.
  CHECK(ends_with(20, 20).source.chance == ends_with(20, 1).source.chance);
}

TEST_CASE("one source in a hundred that falls behind is found and named", "[stats]") {
  std::vector<Queue> queues(100, Queue{0.5});
  queues[42].load = 1.2;
  const auto growth = monitor(queues, 10000, 1);
  CHECK_FALSE(growth.whole.beyond_chance());
  CHECK(growth.source.beyond_chance());
  CHECK(growth.source.node == 42);
  CHECK(growth.destination->beyond_chance());
  CHECK(growth.destination->node == 42);
  CHECK(growth.flow->source == 42);
  CHECK(growth.flow->destination == 42);
  CHECK(growth.flow->flits == growth.source.growth);
}

TEST_CASE("of sources within chance the one nearest to its bound is named, not the largest growth",
          "[stats]") {
  QueueGrowth monitored;
  for (std::uint32_t i = 0; i <= QueueGrowth::kSpans; ++i) {
    Snapshot snapshot(2);
    snapshot.created = {100'000 * i, 1'000 * i};
    snapshot.packets_created = 101'000 * i / kLength;
    add_backlog(snapshot, 0, std::uint64_t{4} * i);
    add_backlog(snapshot, 1, std::uint64_t{3} * i);
    monitored.observe(std::move(snapshot));
  }
  const QueueGrowth::Growth growth = monitored.growth().value();
  CHECK(growth.source.node == 1);
  CHECK(growth.source.growth == 30);
  CHECK_FALSE(growth.source.beyond_chance());
  CHECK(growth.flow->source == 0);  // The larger flow is reported.
}

TEST_CASE("a network that fills up and then stands is not behind", "[stats]") {
  CHECK(
      shape({0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000}).whole.beyond_chance());
  CHECK_FALSE(
      shape({0, 2000, 4000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000}).whole.beyond_chance());
}

TEST_CASE("growth is told only of a window that was seen to its end", "[stats]") {
  QueueGrowth growth;
  for (std::size_t i = 0; i <= QueueGrowth::kSpans; ++i) {
    CHECK_FALSE(growth.growth());
    growth.observe(Snapshot(3));
  }
  REQUIRE(growth.growth());
  CHECK(growth.growth()->whole.growth == 0);
  CHECK_FALSE(growth.growth()->destination);
  CHECK_FALSE(growth.growth()->flow);
}

TEST_CASE(
    "a span of more flits than 32 bits hold counts as 2^32 - 1 in the spread, whole in the sum",
    "[stats]") {
  // Spans have 6 * 10^8 flits or 5 * 10^9, which is stored as 2^32 - 1, in turn.
  constexpr double kFew = 6e8, kMany = 5e9, kMost = 4294967295;
  QueueGrowth growth;
  std::uint64_t created = 0;
  for (std::uint64_t i = 0; i <= QueueGrowth::kSpans; ++i) {
    Snapshot snapshot(1);
    snapshot.created = {created};
    snapshot.packets_created = created / kLength;
    growth.observe(std::move(snapshot));
    created += static_cast<std::uint64_t>(i % 2 == 0 ? kFew : kMany);
  }
  const double sum = 5 * (kFew + kMany);
  CHECK(growth.growth()->source.created == sum);
  // The variance of ten spans about their mean, divided by the flits of a span.
  const double deviation = (kMost - kFew) / 2;
  const double dispersion = 10 * deviation * deviation / 9 / (sum / 10);
  CHECK(growth.growth()->source.chance == Approx(3 * std::sqrt(dispersion * sum)));
}

TEST_CASE("of two flows that have grown by the same the first is named, and a new one counts whole",
          "[stats]") {
  QueueGrowth growth;
  for (std::uint32_t i = 0; i <= QueueGrowth::kSpans; ++i) {
    Snapshot snapshot(3);
    const auto waits = [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
      Packet packet;
      packet.source = NodeId{from};
      packet.destination = NodeId{to};
      packet.length = flits;
      snapshot.add(packet);
    };
    const bool last = i == QueueGrowth::kSpans;
    if (!last) waits(0, 1, 900);               // This packet arrives before the end.
    waits(2, 1, 50);                           // This packet stays.
    if (last) waits(1, 2, 3), waits(1, 2, 4);  // These are two packets of one flow.
    if (last) waits(2, 0, 7);                  // This is a later flow.
    growth.observe(std::move(snapshot));
  }
  CHECK(growth.growth()->flow->source == 1);
  CHECK(growth.growth()->flow->destination == 2);
  CHECK(growth.growth()->flow->flits == 7);
}

TEST_CASE("packets for several receivers count at their source alone", "[stats]") {
  Snapshot snapshot(2);
  Packet packet;
  packet.length = 7;
  packet.receivers = 2;
  packet.source = NodeId{1};
  snapshot.add(packet);
  CHECK(snapshot.from == std::vector<std::uint64_t>{0, 7});
  CHECK(snapshot.to == std::vector<std::uint64_t>{0, 0});
  packet.length = 3;
  snapshot.add(packet);
  CHECK(snapshot.longest_from == std::vector<std::uint64_t>{0, 7});
  CHECK(snapshot.longest_to == std::vector<std::uint64_t>{0, 0});
  CHECK(snapshot.flows.empty());
}

TEST_CASE("a window that is made longer shows what one of that length shows", "[stats]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<Queue> queues{{0.5}, {0.9, 3}, {1.1}};
    QueueGrowth longer;
    QueueGrowth widened;
    for (std::uint64_t cycle = 0; cycle <= 2000; ++cycle) {
      if (cycle % 200 == 0) longer.observe(snapshot_of(queues));
      if (cycle <= 1000 ? cycle % 100 == 0 : cycle % 200 == 0) widened.observe(snapshot_of(queues));
      if (cycle == 1000) {
        CHECK(widened.growth().has_value());
        widened.widen();
        CHECK(widened.spans() == QueueGrowth::kSpans / 2);
        CHECK_FALSE(widened.growth().has_value());
      }
      for (Queue& queue : queues) queue.tick(random);
    }
    const QueueGrowth::Growth a = *longer.growth();
    const QueueGrowth::Growth b = *widened.growth();
    for (const auto& [left, right] :
         {std::pair(a.whole, b.whole), {a.source, b.source}, {*a.destination, *b.destination}}) {
      CHECK(left.node == right.node);
      CHECK(left.growth == right.growth);
      CHECK(left.later == right.later);
      CHECK(left.chance == right.chance);
    }
  }
}

namespace {

/// A history of 64 spans in which 1000 flits are created per span, of which `stay(span)` stay.
template <class Stay>
FlitHistory history_of(Stay&& stay) {
  FlitHistory history;
  FlitHistory::Count count;
  history.observe(count);
  for (int span = 0; span < 64; ++span) {
    count.created += 1000;
    count.accepted += 1000 - static_cast<std::uint64_t>(stay(span));
    history.observe(count);
  }
  return history;
}

}  // namespace

TEST_CASE("a collapse began where the backlog began to grow at its last rate", "[stats]") {
  for (const int begin : {5, 20, 50}) {
    const FlitHistory history = history_of([begin](int span) { return span < begin ? 0 : 200; });
    const auto since = history.collapse(600);
    REQUIRE(since);
    CHECK(since->span == static_cast<std::size_t>(begin));
    CHECK(since->flits.created == 1000U * static_cast<std::uint64_t>(64 - begin));
    CHECK(since->flits.accepted == 800U * static_cast<std::uint64_t>(64 - begin));
  }
}

TEST_CASE("an overload from the start of a window, and one that chance explains, is no collapse",
          "[stats]") {
  CHECK_FALSE(history_of([](int) { return 200; }).collapse(600));
  CHECK_FALSE(history_of([](int span) { return span < 3 ? 0 : 200; }).collapse(600));
  const FlitHistory late = history_of([](int span) { return span < 20 ? 0 : 20; });
  CHECK(late.collapse(500));  // Without it, 20 spans would have grown by 400 more: chance is 337.
  CHECK_FALSE(late.collapse(600));
  // In each of the last 8 spans 60 flits more stay; 56 such spans are 3360, and chance is 3969.
  CHECK_FALSE(history_of([](int span) { return span < 56 ? 40 : 100; }).collapse(1500));
  CHECK_FALSE(FlitHistory().collapse(0));
}

TEST_CASE("a history of a window that is doubled is that of the longer one", "[stats]") {
  FlitHistory doubled;
  for (std::uint64_t cycle = 0; cycle <= 64; ++cycle) doubled.observe({10 * cycle, 10 * cycle});
  doubled.widen();
  CHECK_FALSE(doubled.collapse(0));  // Half of the window is to come.
  for (std::uint64_t span = 33; span <= 64; ++span) {
    doubled.observe({20 * span, 20 * 32 + 10 * (span - 32)});
  }
  REQUIRE(doubled.collapse(10));
  CHECK(doubled.collapse(10)->span == 32);
}
