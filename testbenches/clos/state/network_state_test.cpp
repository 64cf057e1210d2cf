// SPDX-License-Identifier: Apache-2.0
#include "clos/network_state.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "clos/state/history.h"
#include "clos/state/recount.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

Route route_of(std::size_t output_switches,
               const std::vector<std::pair<std::uint32_t, const char*>>& legs) {
  Route route(output_switches);
  for (const auto& [middle, served] : legs) {
    route.add(MiddleId{middle}, from_hex(served, output_switches).words());
  }
  return route;
}

std::string problems(const NetworkState& state, std::uint32_t input,
                     const std::vector<std::uint32_t>& numbers) {
  try {
    BitSet switches(state.structure().r2);
    state.require_valid(InputId{input}, outputs(numbers), switches);
  } catch (const InvalidRequest& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a new network is idle throughout", "[clos]") {
  const NetworkState state(Structure{70, 3, 2, 4, 66});
  CHECK(state.idle_inputs() == BitSet::full(6));
  CHECK(state.idle_outputs() == BitSet::full(264));
  CHECK(state.open_output_switches() == BitSet::full(66));
  CHECK(state.available(1) == BitSet::full(70));
  CHECK(state.destination_sets().set_of(69).none());
  CHECK(state.lowest_idle(65) == OutputId{260});
  CHECK_FALSE(state.owner(OutputId{263}));
  CHECK_THROWS_AS(NetworkState(Structure{0, 1, 1, 1, 1}), std::invalid_argument);
  state.verify();
}

TEST_CASE("a connection occupies its links and ports until it ends", "[clos]") {
  NetworkState state(Structure::symmetric(3, 2, 3));
  const NetworkState idle = state;
  state.connect(InputId{3}, outputs({5, 0, 1, 4}), route_of(3, {{2, "4"}, {0, "1"}}));
  state.verify();
  require_recounted(state);
  CHECK(state != idle);
  CHECK(state.connection(InputId{3}).outputs == outputs({0, 1, 4, 5}));
  CHECK(to_hex(state.available(1)) == "2");
  CHECK(to_hex(state.available(0)) == "7");
  CHECK(to_hex(state.destination_sets().set_of(0)) == "1");
  CHECK(to_hex(state.destination_sets().set_of(2)) == "4");
  CHECK(to_hex(state.open_output_switches()) == "2");
  CHECK(state.owner(OutputId{4}) == InputId{3});
  CHECK_THROWS_AS(state.lowest_idle(0), std::invalid_argument);
  state.disconnect(InputId{3});
  CHECK(state == idle);
}

TEST_CASE("states differ when only the order of a route differs", "[clos]") {
  const Structure structure = Structure::symmetric(2, 1, 2);
  NetworkState one(structure);
  NetworkState other(structure);
  one.connect(InputId{0}, outputs({0, 1}), route_of(2, {{0, "1"}, {1, "2"}}));
  other.connect(InputId{0}, outputs({0, 1}), route_of(2, {{1, "2"}, {0, "1"}}));
  CHECK(one.destination_sets() == other.destination_sets());
  CHECK(one != other);
}

TEST_CASE("an invalid request is told all its faults", "[clos]") {
  NetworkState state(Structure::symmetric(3, 2, 3));
  state.connect(InputId{3}, outputs({1}), route_of(3, {{0, "1"}}));
  CHECK(problems(state, 0, {0, 5}).empty());
  CHECK(problems(state, 0, {5, 2, 4}).empty());
  CHECK(problems(state, 3, {}) ==
        "input 3 is connected; disconnect it first; the request has no outputs; name at least one");
  CHECK(problems(state, 6, {4, 1, 6, 4, 4}) ==
        "input 6 does not exist; take 0 to 5; output 1 belongs to input 3; take an idle one; "
        "output 4 is named twice; name it once; output 6 does not exist; take 0 to 5");
  CHECK(problems(state, 0, {4, 4}) == "output 4 is named twice; name it once");
  CHECK(problems(state, 0, {1, 1}) ==
        "output 1 is named twice; name it once; output 1 belongs to input 3; take an idle one");
  CHECK_THROWS_AS(state.disconnect(InputId{0}), InvalidRequest);
  CHECK_THROWS_AS(state.disconnect(InputId{6}), InvalidRequest);
  CHECK_THROWS_AS(state.leave(InputId{3}, OutputId{0}), InvalidRequest);
  CHECK_THROWS_AS(state.leave(InputId{3}, OutputId{6}), InvalidRequest);
  CHECK_THROWS_AS(state.leave(InputId{0}, OutputId{1}), InvalidRequest);
}

TEST_CASE("a route that does not suit its request or the state is an error of ours", "[clos]") {
  NetworkState state(Structure::symmetric(4, 2, 3));
  state.connect(InputId{0}, outputs({0}), route_of(3, {{0, "1"}}));
  const auto connect = [&state](std::uint32_t input, const std::vector<std::uint32_t>& ports,
                                const std::vector<std::pair<std::uint32_t, const char*>>& legs) {
    NetworkState copy = state;
    copy.connect(InputId{input}, outputs(ports), route_of(3, legs));
  };
  CHECK_NOTHROW(connect(1, {1, 2}, {{1, "1"}, {2, "2"}}));
  CHECK_NOTHROW(connect(2, {2}, {{0, "2"}}));
  const auto refuse = [&connect](auto... arguments) {
    CHECK_THROWS_AS(connect(arguments...), std::logic_error);
  };
  using Ports = std::vector<std::uint32_t>;
  using Legs = std::vector<std::pair<std::uint32_t, const char*>>;
  refuse(1U, Ports{2}, Legs{{0, "2"}});     // A(0, 0) is taken.
  refuse(2U, Ports{1}, Legs{{0, "1"}});     // B(0, 0) is taken.
  refuse(2U, Ports{1, 2}, Legs{{1, "1"}});  // The route omits switch 1.
  refuse(2U, Ports{2}, Legs{{1, "6"}});     // The route serves switch 2, which is not requested.
  refuse(2U, Ports{1, 2}, Legs{{1, "3"}, {2, "2"}});  // The route serves switch 1 twice.
  refuse(2U, Ports{1, 2}, Legs{{1, "1"}, {1, "2"}});  // The route takes a link twice.
  refuse(2U, Ports{2}, Legs{{1, "2"}, {2, "0"}});     // One leg serves no requested switch.
  refuse(2U, Ports{0}, Legs{{1, "1"}});               // Output 0 is taken.
  refuse(0U, Ports{1}, Legs{{1, "1"}});               // Input 0 is connected.
}

TEST_CASE("leaving frees what no other port of the connection uses", "[clos]") {
  NetworkState state(Structure::symmetric(4, 2, 3));
  const NetworkState idle = state;
  state.connect(InputId{1}, outputs({0, 1, 2, 4}), route_of(3, {{3, "5"}, {1, "2"}}));
  CHECK(state.leave(InputId{1}, OutputId{0}) == Leave::kKeptLink);
  CHECK(to_hex(state.destination_sets().set_of(3)) == "5");
  CHECK(state.leave(InputId{1}, OutputId{1}) == Leave::kLinkFreed);
  CHECK(to_hex(state.destination_sets().set_of(3)) == "4");
  CHECK(to_hex(state.available(0)) == "5");  // Middle switch 3 still serves switch 2.
  CHECK(state.leave(InputId{1}, OutputId{4}) == Leave::kLinkFreed);
  CHECK(to_hex(state.available(0)) == "d");
  CHECK(state.connection(InputId{1}).route == route_of(3, {{1, "2"}}));
  state.verify();
  CHECK(state.leave(InputId{1}, OutputId{2}) == Leave::kClosed);
  CHECK(state == idle);
}

namespace {

/// The example of the CS838 lecture notes (1999), v(5, 3, 4), with numbers from 0: it gives the
/// output switches that the connections reach and those that the middle switches serve, but not the
/// routes.
class LectureExample {
 public:
  /// Tries all routes: for each output switch in turn, it assigns the connections that reach it, in
  /// every order, to the middle switches that serve it.
  void assign(std::size_t k = 0) {
    if (k == 4) return enter();
    std::vector<std::size_t> connections = with_member(k, wanted_);
    const std::vector<std::size_t> middles = with_member(k, served_);
    REQUIRE(connections.size() == middles.size());
    do {
      for (std::size_t t = 0; t < middles.size(); ++t) carried_[middles[t]][connections[t]].set(k);
      assign(k + 1);
      for (std::size_t t = 0; t < middles.size(); ++t) {
        carried_[middles[t]][connections[t]].reset(k);
      }
    } while (std::next_permutation(connections.begin(), connections.end()));
  }

  std::size_t legal = 0;          ///< Routes that the network accepted.
  std::size_t fewest_links = 99;  ///< The fewest first-stage links of such a state.

 private:
  static std::vector<std::size_t> with_member(std::size_t k, const std::vector<const char*>& sets) {
    std::vector<std::size_t> result;
    for (std::size_t at = 0; at < sets.size(); ++at) {
      if (from_hex(sets[at], 4).test(k)) result.push_back(at);
    }
    return result;
  }

  void enter() {
    NetworkState state(Structure::symmetric(5, 3, 4));
    std::size_t links = 0;
    try {
      for (std::size_t c = 0; c < inputs_.size(); ++c) links += enter(c, state);
    } catch (const std::logic_error&) {
      return;  // Two connections of one input switch would share a link.
    }
    state.verify();
    for (std::uint32_t j = 0; j < 5; ++j) {
      REQUIRE(to_hex(state.destination_sets().set_of(j)) == served_[j]);
    }
    ++legal;
    fewest_links = std::min(fewest_links, links);
  }

  // Enters connection c; returns the number of middle switches that it takes.
  std::size_t enter(std::size_t c, NetworkState& state) const {
    Route route(4);
    for (std::uint32_t j = 0; j < 5; ++j) {
      if (carried_[j][c].any()) route.add(MiddleId{j}, carried_[j][c].words());
    }
    std::vector<OutputId> ports;
    from_hex(wanted_[c], 4).for_each([&](std::size_t k) {
      ports.push_back(state.lowest_idle(static_cast<std::uint32_t>(k)));
    });
    state.connect(InputId{inputs_[c]}, ports, route);
    return route.size();
  }

  const std::vector<std::uint32_t> inputs_{0, 1, 4, 5, 7, 8, 10, 11};
  const std::vector<const char*> wanted_{"3", "9", "a", "a", "4", "4", "4", "1"};
  const std::vector<const char*> served_{"7", "e", "b", "c", "1"};
  /// For each middle switch and connection, the output switches that the middle switch serves for
  /// the connection.
  std::vector<std::vector<BitSet>> carried_{5, std::vector<BitSet>(8, BitSet(4))};
};

}  // namespace

TEST_CASE("the lecture's example is a legal state in 396 ways", "[clos]") {
  LectureExample example;
  example.assign();
  CHECK(example.legal == 396);
  CHECK(example.fewest_links == 9);  // One link for each of 8 connections, of which one needs two.
}
