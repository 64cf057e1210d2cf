// SPDX-License-Identifier: Apache-2.0
#include "clos/network_state.h"

#include <stdexcept>
#include <string>

#include "clos/state/history.h"
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
    state.require_valid(InputId{input}, outputs(numbers));
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
  CHECK(state.available().set_of(1) == BitSet::full(70));
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
  CHECK(state != idle);
  CHECK(state.connection(InputId{3}).outputs == outputs({0, 1, 4, 5}));
  CHECK(to_hex(state.available().set_of(1)) == "2");
  CHECK(to_hex(state.available().set_of(0)) == "7");
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
  refuse(1U, Ports{2}, Legs{{0, "2"}});               // A(0, 0) is taken.
  refuse(2U, Ports{1}, Legs{{0, "1"}});               // B(0, 0) is taken.
  refuse(2U, Ports{1, 2}, Legs{{1, "1"}});            // Leaves out switch 1.
  refuse(2U, Ports{2}, Legs{{1, "6"}});               // Serves switch 2, which nobody wants.
  refuse(2U, Ports{1, 2}, Legs{{1, "3"}, {2, "2"}});  // Serves switch 1 twice.
  refuse(2U, Ports{1, 2}, Legs{{1, "1"}, {1, "2"}});  // Takes a link twice.
  refuse(2U, Ports{2}, Legs{{1, "2"}, {2, "0"}});     // A leg for nothing.
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
  CHECK(to_hex(state.available().set_of(0)) == "5");  // Middle 3 still serves switch 2.
  CHECK(state.leave(InputId{1}, OutputId{4}) == Leave::kLinkFreed);
  CHECK(to_hex(state.available().set_of(0)) == "d");
  CHECK(state.connection(InputId{1}).route == route_of(3, {{1, "2"}}));
  state.verify();
  CHECK(state.leave(InputId{1}, OutputId{2}) == Leave::kClosed);
  CHECK(state == idle);
}

// The example of the CS838 lecture notes (1999), v(5, 3, 4), with numbers from 0: which output
// switches the connections reach and which the middle switches carry, but not the routes.
TEST_CASE("the lecture's example is a legal state in 396 ways", "[clos]") {
  const std::vector<std::uint32_t> inputs{0, 1, 4, 5, 7, 8, 10, 11};
  const std::vector<const char*> wanted{"3", "9", "a", "a", "4", "4", "4", "1"};
  const std::vector<const char*> middles{"7", "e", "b", "c", "1"};
  std::size_t legal = 0;
  std::size_t fewest_links = 99;
  // carried[j]: for each connection what middle switch j serves of it.
  std::vector<std::vector<BitSet>> carried(5, std::vector<BitSet>(8, BitSet(4)));

  const auto enter = [&] {
    NetworkState state(Structure::symmetric(5, 3, 4));
    std::size_t links = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      Route route(4);
      for (std::uint32_t j = 0; j < 5; ++j) {
        if (carried[j][c].any()) route.add(MiddleId{j}, carried[j][c].words());
      }
      links += route.size();
      std::vector<OutputId> ports;
      from_hex(wanted[c], 4).for_each([&](std::size_t k) {
        ports.push_back(state.lowest_idle(static_cast<std::uint32_t>(k)));
      });
      try {
        state.connect(InputId{inputs[c]}, ports, route);
      } catch (const std::logic_error&) {
        return;  // Two connections of one input switch on one link.
      }
    }
    state.verify();
    for (std::uint32_t j = 0; j < 5; ++j) {
      REQUIRE(to_hex(state.destination_sets().set_of(j)) == middles[j]);
    }
    ++legal;
    fewest_links = std::min(fewest_links, links);
  };

  // For each output switch in turn, the connections that reach it in every order onto the middle
  // switches that carry it: 3! orders each.
  const std::function<void(std::size_t)> assign = [&](std::size_t k) {
    if (k == 4) return enter();
    std::vector<std::size_t> connections;
    std::vector<std::size_t> carriers;
    for (std::size_t c = 0; c < 8; ++c) {
      if (from_hex(wanted[c], 4).test(k)) connections.push_back(c);
    }
    for (std::size_t j = 0; j < 5; ++j) {
      if (from_hex(middles[j], 4).test(k)) carriers.push_back(j);
    }
    REQUIRE(connections.size() == carriers.size());
    do {
      for (std::size_t t = 0; t < connections.size(); ++t) {
        carried[carriers[t]][connections[t]].set(k);
      }
      assign(k + 1);
      for (std::size_t t = 0; t < connections.size(); ++t) {
        carried[carriers[t]][connections[t]].reset(k);
      }
    } while (std::next_permutation(connections.begin(), connections.end()));
  };
  assign(0);
  CHECK(legal == 396);
  CHECK(fewest_links == 9);  // One for each of 8 connections, and one needs two middle switches.
}
