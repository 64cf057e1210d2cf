// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/calendar_queue.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::set<std::uint32_t> due_at(CalendarQueue& calendar, std::uint64_t cycle) {
  std::set<std::uint32_t> nodes;
  calendar.take_due(Cycle{cycle}, [&](std::uint32_t node) { nodes.insert(node); });
  return nodes;
}

}  // namespace

TEST_CASE("every node is due in its cycle and only there, however far off", "[network]") {
  constexpr std::uint32_t kNodes = 40;
  std::mt19937 random(1);
  CalendarQueue calendar(kNodes);
  std::map<std::uint32_t, std::uint64_t> plain;
  for (std::uint64_t now = 0; now < 20000; ++now) {
    for (int change = 0; change < 2; ++change) {
      const auto node = static_cast<std::uint32_t>(random() % kNodes);
      plain[node] = now + random() % (random() % 2 == 0 ? 20 : 5000);
      calendar.schedule(node, Cycle{plain[node]});
    }
    std::set<std::uint32_t> expected;
    for (const auto& [node, due] : plain) {
      if (due == now) expected.insert(node);
    }
    std::uint64_t next = index(kNever);
    for (const auto& [node, due] : plain) next = std::min(next, due);
    REQUIRE(index(calendar.next_due(Cycle{now})) == next);
    REQUIRE(due_at(calendar, now) == expected);
    for (const std::uint32_t node : expected) plain.erase(node);
  }
}

TEST_CASE("the next cycle in which a node is due is found this turn, turns ahead, or not at all",
          "[network]") {
  CalendarQueue calendar(3);
  CHECK(calendar.next_due(Cycle{7}) == kNever);
  calendar.schedule(2, Cycle{1'000'000'000'000});
  CHECK(calendar.next_due(Cycle{7}) == Cycle{1'000'000'000'000});
  // One turn of the wheel later, this uses the same slot as the present cycle and must not be taken
  // for it.
  calendar.schedule(1, Cycle{7 + 1024});
  CHECK(calendar.next_due(Cycle{7}) == Cycle{7 + 1024});
  calendar.schedule(0, Cycle{7 + 1023});
  CHECK(calendar.next_due(Cycle{7}) == Cycle{7 + 1023});
  calendar.schedule(1, Cycle{7});
  CHECK(calendar.next_due(Cycle{7}) == Cycle{7});
}

TEST_CASE("the cycle never takes a node out", "[network]") {
  CalendarQueue calendar(3);
  for (std::uint32_t node = 0; node < 3; ++node) calendar.schedule(node, Cycle{7});
  calendar.schedule(1, kNever);
  CHECK(calendar.due(1) == kNever);
  CHECK(due_at(calendar, 7) == std::set<std::uint32_t>{0, 2});
}

TEST_CASE("a visited node may be scheduled anew, even a whole turn later", "[network]") {
  CalendarQueue calendar(3);
  for (std::uint32_t node = 0; node < 3; ++node) calendar.schedule(node, Cycle{5});
  std::size_t visits = 0;
  calendar.take_due(Cycle{5}, [&](std::uint32_t node) {
    CHECK(calendar.due(node) == kNever);
    calendar.schedule(node, Cycle{5 + 1024});
    ++visits;
  });
  CHECK(visits == 3);
  CHECK(due_at(calendar, 1029).size() == 3);
}
