// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/state_set.h"

#include <array>

#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

using Key = std::array<std::uint64_t, 2>;

Key key_of(std::uint64_t number) { return {number % 7, number}; }

}  // namespace

TEST_CASE("states keep their numbers, keys and parents while the table grows", "[clos]") {
  constexpr StateId kStates = 100'000;
  StateSet states(2, 1U << 30);
  for (StateId id = 0; id < kStates; ++id) {
    REQUIRE(states.insert(key_of(id).data(), id / 2) == id);
    REQUIRE(states.insert(key_of(id / 3).data(), id) == id / 3);
  }
  CHECK(states.size() == kStates);
  for (StateId id = 0; id < kStates; ++id) {
    REQUIRE(states.insert(key_of(id).data(), 0) == id);
    REQUIRE(states.key(id)[1] == id);
    REQUIRE(states.parent(id) == id / 2);
  }
  CHECK(states.size() == kStates);
}

TEST_CASE("a set never takes more memory than its limit, and keeps what it has", "[clos]") {
  constexpr std::uint64_t kLimit = 1'000'000;
  StateSet states(1, kLimit);
  std::uint64_t number = 0;
  while (states.insert(&number, 0) != StateSet::kNone) {
    REQUIRE(states.bytes() <= kLimit);
    ++number;
  }
  CHECK(number > 20'000);  // 28 bytes per state, plus a growth step that did not fit.
  CHECK(states.size() == number);
  const std::uint64_t last = number - 1;
  CHECK(states.insert(&last, 0) == last);
}
