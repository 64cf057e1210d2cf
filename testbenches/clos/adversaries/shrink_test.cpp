// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/shrink.h"

#include <stdexcept>

#include "clos/adversaries/opponents.h"
#include "clos/adversaries/search_adversary.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

// The shortest sequence that blocks strategy 1 on v(3, 2, 3), by breadth-first search.
constexpr const char* kShortest =
    "C 0 0 = 0:1; C 2 2,4 = 0:6; C 4 3 = 1:2; C 5 5 = 2:4; D 2; C 1 2,4 = 1:4 2:2; D 0; "
    "C 2 0 = 0:1; C 0 1 = B";

Opponent small_enemy() { return opponent(Structure::symmetric(3, 2, 3), "S1"); }

std::vector<Event> without_event(std::vector<Event> trace, std::size_t e) {
  trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(e));
  return trace;
}

std::vector<Event> without_port(std::vector<Event> trace, std::size_t e, std::size_t port) {
  auto& outputs = std::get<ConnectEvent>(trace[e]).outputs;
  outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(port));
  return trace;
}

// The number of ports of a multicast at e; none for a unicast or another event.
std::size_t spare_ports(const std::vector<Event>& trace, std::size_t e) {
  const auto* connect = std::get_if<ConnectEvent>(&trace[e]);
  return connect == nullptr || connect->outputs.size() < 2 ? 0 : connect->outputs.size();
}

void check_minimal(const std::vector<Event>& trace, const Opponent& enemy) {
  INFO(to_text(trace));
  for (std::size_t e = 0; e < trace.size(); ++e) {
    CHECK_FALSE(until_blocked(without_event(trace, e), enemy));
    for (std::size_t port = 0; port < spare_ports(trace, e); ++port) {
      CHECK_FALSE(until_blocked(without_port(trace, e, port), enemy));
    }
  }
}

// Finds a sequence against v(m, 4, 4), shrinks it and checks the result.
void check_shrunk(const char* strategy, std::uint32_t m, std::uint64_t seed) {
  CAPTURE(strategy, m, seed);
  const Opponent enemy = opponent(Structure::symmetric(m, 4, 4), strategy);
  GuidedSearch search;
  search.seed = seed;
  const auto found = find_blocking_sequence(enemy, search);
  REQUIRE(found);
  const std::vector<Event> shrunk = shrink(*found, enemy);
  CHECK(shrunk.size() <= found->size());
  CHECK(is_blocked(shrunk.back()));
  ConnectionAdmission control = enemy.fresh();
  CHECK_FALSE(replay(shrunk, control));
  check_minimal(shrunk, enemy);
  CHECK(to_text(shrink(*found, enemy)) == to_text(shrunk));
  CHECK(to_text(shrink(shrunk, enemy)) == to_text(shrunk));
}

}  // namespace

TEST_CASE("a shrunk sequence replays, ends blocked, and nothing can be dropped from it", "[clos]") {
  const auto seed = GENERATE(as<std::uint64_t>(), 1, 2, 3, 4, 5);
  for (const char* strategy : {"S1", "S2", "S3", "FF", "SPREAD"}) check_shrunk(strategy, 5, seed);
}

TEST_CASE("a long sequence shrinks to one that is as minimal", "[clos]") {
  check_shrunk("S1", 7, 4);
  check_shrunk("FF", 8, 8);
}

TEST_CASE("a shortest sequence stays as it is", "[clos]") {
  const std::vector<Event> trace = parse_trace(kShortest, 3);
  CHECK(to_text(shrink(trace, small_enemy())) == kShortest);
  check_minimal(trace, small_enemy());
}

TEST_CASE("what only accompanies a sequence is shrunk away", "[clos]") {
  const std::vector<Event> trace = parse_trace(
      "C 3 1,3 = 0:3; D 3; C 0 0 = 0:1; C 2 2,4 = 0:6; C 4 3 = 1:2; C 5 5 = 2:4; D 2; "
      "C 1 2,4 = 1:4 2:2; D 0; C 2 0 = 0:1; C 0 1 = B; C 3 1 = 0:1",
      3);
  CHECK(to_text(shrink(trace, small_enemy())) == kShortest);
}

TEST_CASE("events that are not valid are left out, and outcomes are those of now", "[clos]") {
  const std::vector<Event> trace = parse_trace(
      std::string("D 1; C 7 0 = 0:1; C 0 99 = B; L 0 0 = closed; J 1 1 = ok-new; ") + kShortest, 3);
  const auto played = until_blocked(trace, small_enemy());
  REQUIRE(played);
  CHECK(to_text(*played) == kShortest);
}

TEST_CASE("a blocked join ends a sequence, and leaves are kept as far as needed", "[clos]") {
  const Opponent enemy = opponent(Structure::symmetric(1, 2, 2), "S1");
  const std::vector<Event> trace =
      parse_trace("C 2 0,1 = 0:1; L 2 1 = kept-link; C 0 2 = 0:2; J 0 1 = blocked", 2);
  CHECK(to_text(shrink(trace, enemy)) == "C 2 0 = 0:1; C 0 2 = 0:2; J 0 1 = blocked");
}

TEST_CASE("a sequence that blocks nothing cannot be shrunk", "[clos]") {
  CHECK_THROWS_AS(shrink({}, small_enemy()), std::invalid_argument);
  CHECK_THROWS_AS(shrink(parse_trace("C 0 0 = B", 3), small_enemy()), std::invalid_argument);
  CHECK_FALSE(until_blocked({}, small_enemy()));
}
