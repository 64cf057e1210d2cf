// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/blocking_pressure.h"

#include "base/random.h"
#include "clos/adversaries/opponents.h"
#include "clos/blocking.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

std::uint32_t most_unusable(const NetworkState& state) {
  std::uint32_t most = 0;
  state.idle_inputs().for_each([&](std::size_t input) {
    const auto i = static_cast<std::uint32_t>(input) / state.structure().n1;
    state.open_output_switches().for_each([&](std::size_t k) {
      most = std::max(most, unusable(state, i, static_cast<std::uint32_t>(k)));
    });
  });
  return most;
}

// Connects with probability 3/4: full networks matter most.
void random_event(ConnectionAdmission& control, Random& random) {
  const NetworkState& state = control.state();
  const InputId input{draw(random, state.structure().inputs())};
  if (!state.idle_inputs().test(index(input))) {
    if (draw(random, 4) == 0) control.disconnect(input);
    return;
  }
  std::vector<OutputId> outputs;
  state.open_output_switches().for_each([&](std::size_t k) {
    if (draw(random, 2) == 0) outputs.push_back(state.lowest_idle(static_cast<std::uint32_t>(k)));
  });
  if (!outputs.empty()) control.connect(input, outputs);
}

}  // namespace

TEST_CASE("the pressure is that of the worst pair with idle ports, and m if and only if one blocks",
          "[clos]") {
  Random random(5);
  for (const Structure& structure : {Structure::symmetric(4, 3, 3), Structure{5, 2, 3, 4, 2},
                                     Structure::symmetric(3, 2, 70), Structure{70, 9, 3, 9, 8}}) {
    CAPTURE(to_text(structure));
    ConnectionAdmission control = opponent(structure, "FF").fresh();
    for (int event = 0; event < 600; ++event) {
      const NetworkState& state = control.state();
      const Pressure pressure = blocking_pressure(state);
      REQUIRE(pressure.unusable == most_unusable(state));
      REQUIRE((pressure.unusable == structure.m) == blocks(state));
      REQUIRE(pressure.unusable ==
              (most_unusable(state) == 0
                   ? 0
                   : unusable(state, pressure.input_switch, pressure.output_switch)));
      random_event(control, random);
    }
  }
}

TEST_CASE("an empty and a full network have no pressure", "[clos]") {
  ConnectionAdmission control = opponent(Structure::symmetric(2, 1, 2), "S1").fresh();
  CHECK(blocking_pressure(control.state()).unusable == 0);
  control.connect(InputId{0}, {OutputId{0}, OutputId{1}});
  CHECK(blocking_pressure(control.state()).unusable == 0);
}
