// SPDX-License-Identifier: Apache-2.0
#include "clos/blocking.h"

#include <stdexcept>

#include "clos/connection_admission.h"
#include "clos/state/history.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// Returns true if the network accepts the request on the route that sends wanted switch t through
/// middle switch choice[t].
bool accepts(const NetworkState& state, InputId input, const std::vector<OutputId>& ports,
             const std::vector<std::uint32_t>& choice) {
  const Structure& structure = state.structure();
  Route route(structure.r2);
  for (std::uint32_t j = 0; j < structure.m; ++j) {
    BitSet served(structure.r2);
    for (std::size_t t = 0; t < ports.size(); ++t) {
      if (choice[t] == j) served.set(structure.output_switch(ports[t]));
    }
    if (served.any()) route.add(MiddleId{j}, served.words());
  }
  try {
    NetworkState(state).connect(input, ports, route);
  } catch (const std::logic_error&) {
    return false;
  }
  return true;
}

/// Returns true if any route exists, by trying all of them.
bool routable(const NetworkState& state, InputId input, const std::vector<OutputId>& ports) {
  std::vector<std::uint32_t> choice(ports.size(), 0);
  for (;;) {
    if (accepts(state, input, ports, choice)) return true;
    std::size_t t = 0;
    while (t < choice.size() && ++choice[t] == state.structure().m) choice[t++] = 0;
    if (t == choice.size()) return false;
  }
}

/// Returns true if some valid request is not routable, by trying all of them with one port of each
/// output switch.
bool some_request_fails(const NetworkState& state) {
  const Structure& structure = state.structure();
  for (std::uint32_t input = 0; input < structure.inputs(); ++input) {
    if (!state.idle_inputs().test(input)) continue;
    for (std::uint32_t mask = 1; mask < 1U << structure.r2; ++mask) {
      std::vector<OutputId> ports;
      bool valid = true;
      for (std::uint32_t k = 0; k < structure.r2; ++k) {
        if ((mask >> k & 1) == 0) continue;
        valid = valid && state.open_output_switches().test(k);
        if (valid) ports.push_back(state.lowest_idle(k));
      }
      if (valid && !routable(state, InputId{input}, ports)) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("a state blocks exactly if some valid request has no route", "[clos]") {
  int blocking = 0;
  int states = 0;
  for (const Structure& structure :
       {Structure{1, 2, 2, 2, 2}, Structure{2, 2, 2, 2, 2}, Structure{3, 2, 3, 2, 3},
        Structure{2, 3, 2, 1, 3}, Structure{3, 2, 2, 3, 3}, Structure{3, 3, 2, 3, 2}}) {
    INFO(to_text(structure));
    ConnectionAdmission control(structure, std::make_unique<Scatter>(4));
    Dice dice(structure, 6);
    const NetworkState& state = control.state();
    for (int event = 0; event < 60; ++event, ++states) {
      const InputId input = dice.input();
      if (!state.idle_inputs().test(index(input))) {
        control.disconnect(input);
      } else if (state.idle_outputs().any()) {
        control.connect(input, dice.idle_outputs(state));
      }
      const bool fails = some_request_fails(state);
      REQUIRE(blocks(state) == fails);
      if (fails) ++blocking;
    }
  }
  CHECK(blocking > states / 10);
  CHECK(blocking < states * 9 / 10);
}

TEST_CASE("unusable middle switches are those with a busy link on either side", "[clos]") {
  const Structure structure = Structure::symmetric(70, 3, 66);
  NetworkState state(structure);
  Route route(66);
  route.add(MiddleId{0}, std::size_t{65});
  route.add(MiddleId{69}, std::size_t{2});
  state.connect(InputId{3}, outputs({6, 195}), route);
  CHECK(unusable(state, 1, 5) == 2);   // A(1, 0) and A(1, 69) are busy.
  CHECK(unusable(state, 1, 65) == 2);  // B(0, 65) belongs to one of these two.
  CHECK(unusable(state, 0, 65) == 1);  // Only B(0, 65) is busy.
  CHECK(unusable(state, 0, 64) == 0);
  CHECK_FALSE(blocks(state));
}
