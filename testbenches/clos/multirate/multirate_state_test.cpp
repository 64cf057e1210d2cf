// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_state.h"

#include "clos/network_state.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

constexpr WeightRange kTenths{10, 2};

MultirateRequest request(std::uint32_t input, const std::vector<std::uint32_t>& outputs,
                         Weight weight) {
  MultirateRequest result{InputId{input}, {}, weight};
  for (const std::uint32_t output : outputs) result.outputs.push_back(OutputId{output});
  return result;
}

/// A route whose legs serve these sets, bit k for output switch k.
Route route(std::size_t output_switches,
            const std::vector<std::pair<std::uint32_t, SetWord>>& legs) {
  Route result(output_switches);
  for (const auto& [middle, served] : legs) result.add(MiddleId{middle}, &served);
  return result;
}

std::string reasons(const MultirateState& state, const MultirateRequest& request) {
  try {
    state.require_valid(request);
  } catch (const InvalidRequest& error) {
    return error.what();
  }
  return "";
}

std::string available(const MultirateState& state, std::uint32_t input_switch, Weight weight) {
  BitSet middles(state.structure().m);
  state.find_available(input_switch, weight, middles);
  return to_hex(middles);
}

std::string destinations(const MultirateState& state, std::uint32_t middle, Weight weight) {
  BitMatrix sets(state.structure().m, state.structure().r2);
  state.find_destination_sets(weight, sets);
  return to_hex(sets.set_of(middle));
}

}  // namespace

TEST_CASE("a connection weighs once on every port and link that carries it", "[clos]") {
  MultirateState state(Structure::symmetric(3, 2, 3), kTenths);
  // Outputs 2 and 3 share output switch 1, and link B(2, 1).
  state.connect(request(1, {0, 2, 3}, 4), route(3, {{2, 0b010}, {0, 0b001}}));
  const LoadTable& loads = state.loads();
  CHECK(loads.load(InputId{1}) == 4);
  CHECK(loads.load(OutputId{2}) == 4);
  CHECK(loads.load(OutputId{3}) == 4);
  CHECK(loads.input_links(0)[0] == 4);
  CHECK(loads.input_links(0)[1] == 0);
  CHECK(loads.input_links(0)[2] == 4);
  CHECK(loads.output_links(MiddleId{2})[1] == 4);
  CHECK(loads.output_links(MiddleId{0})[0] == 4);
  CHECK(loads.output_link_sum() == 8);
  state.verify();
}

TEST_CASE("connections share ports and links up to the capacity, not above it", "[clos]") {
  MultirateState state(Structure::symmetric(1, 2, 2), kTenths);
  state.connect(request(0, {0}, 6), route(2, {{0, 0b01}}));
  CHECK(available(state, 0, 4) == "1");
  CHECK(available(state, 0, 5) == "0");
  CHECK(available(state, 1, 10) == "1");
  CHECK(destinations(state, 0, 4) == "0");
  CHECK(destinations(state, 0, 5) == "1");
  state.connect(request(0, {0}, 4), route(2, {{0, 0b01}}));
  CHECK(available(state, 0, 2) == "0");
  CHECK(destinations(state, 0, 2) == "1");
  state.verify();
}

TEST_CASE("connections end by number, in any order, and leave nothing behind", "[clos]") {
  MultirateState state(Structure::symmetric(2, 2, 2), kTenths);
  const LoadTable empty = state.loads();
  for (const Weight weight : {2U, 3U, 5U}) {
    state.connect(request(0, {3}, weight), route(2, {{1, 0b10}}));
  }
  state.disconnect(ConnectionId{1});
  CHECK(state.loads().load(InputId{0}) == 7);
  CHECK(state.connections()[1].id == ConnectionId{2});
  CHECK(state.connect(request(0, {3}, 3), route(2, {{1, 0b10}})) == ConnectionId{3});
  CHECK_THROWS_AS(state.disconnect(ConnectionId{1}), InvalidRequest);
  CHECK_THROWS_AS(state.disconnect(ConnectionId{4}), InvalidRequest);
  for (const std::uint64_t id : {3U, 0U, 2U}) state.disconnect(ConnectionId{id});
  CHECK(state.loads() == empty);
  CHECK(state.connections().empty());
  CHECK(state.connect(request(0, {3}, 3), route(2, {{1, 0b10}})) == ConnectionId{4});
}

TEST_CASE("an invalid request is refused with every reason", "[clos]") {
  MultirateState state(Structure::symmetric(2, 2, 2), kTenths);
  state.connect(request(0, {1}, 7), route(2, {{0, 0b01}}));
  CHECK(reasons(state, request(0, {1}, 3)) == "");
  CHECK(reasons(state, request(0, {1, 4, 2, 2}, 4)) ==
        "input 0 carries 7 of 10; take at most 3 more; output 1 carries 7 of 10; take at most 3 "
        "more; output 2 is named twice; name it once; output 4 does not exist; take 0 to 3");
  CHECK(reasons(state, request(4, {}, 11)) ==
        "the weight is 11; take 2 to 10; input 4 does not exist; take 0 to 3; the request has no "
        "outputs; name at least one");
  CHECK(reasons(state, request(0, {1}, 1)) == "the weight is 1; take 2 to 10");
}

TEST_CASE("a route that overloads a link or misses an output switch is our own mistake", "[clos]") {
  const Structure structure = Structure::symmetric(2, 2, 2);
  MultirateState overloaded(structure, kTenths);
  overloaded.connect(request(0, {0}, 6), route(2, {{0, 0b01}}));
  CHECK_THROWS_AS(overloaded.connect(request(1, {1}, 6), route(2, {{0, 0b01}})), std::logic_error);
  for (const auto& legs : {route(2, {{0, 0b01}}), route(2, {{0, 0b11}, {1, 0b01}}),
                           route(2, {{0, 0b11}, {1, 0b00}}), route(2, {})}) {
    MultirateState state(structure, kTenths);
    CHECK_THROWS_AS(state.connect(request(0, {0, 2}, 6), legs), std::logic_error);
  }
}

TEST_CASE("sets of more than 64 switches mark each full link", "[clos]") {
  MultirateState state({131, 1, 1, 1, 70}, kTenths);
  Route far(70);
  far.add(MiddleId{130}, std::size_t{69});
  state.connect(request(0, {69}, 9), far);
  BitSet middles = BitSet::full(131);
  state.find_available(0, 2, middles);
  CHECK(middles.count() == 130);
  CHECK_FALSE(middles.test(130));
  BitMatrix sets(131, 70);
  state.find_destination_sets(2, sets);
  for (std::size_t j = 0; j < 131; ++j) CHECK(sets.set_of(j).count() == (j == 130 ? 1 : 0));
  CHECK(sets.test(130, 69));
}

TEST_CASE("a network that cannot be weighed is refused", "[clos]") {
  const Structure structure = Structure::symmetric(2, 2, 2);
  CHECK_THROWS_AS(MultirateState(structure, {0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateState(structure, {4, 0}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateState(structure, {4, 5}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateState(structure, {(1U << 30) + 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateState(Structure::symmetric(0, 2, 2), {4, 1}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateState(Structure::symmetric(1U << 20, 1, 1U << 20), {4, 1}),
                  std::invalid_argument);
}
