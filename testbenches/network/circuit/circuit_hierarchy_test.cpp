// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include "network/circuit/circuit_modules.h"
#include "network/circuit/circuit_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

template <class Module>
Module* find_module(const char* name) {
  return dynamic_cast<Module*>(sc_core::sc_find_object(name));
}

}  // namespace

TEST_CASE("switches, links, controller and terminals have their names", "[circuit]") {
  const CircuitRun run("network", symmetric(5, 2, 3), {});
  CHECK(find_module<CrossbarSwitch>("network.input_switch_2") != nullptr);
  CHECK(find_module<CrossbarSwitch>("network.middle_switch_4")->outputs() == 3);
  CHECK(find_module<CrossbarSwitch>("network.output_switch_0")->inputs() == 5);
  CHECK(find_module<Link>("network.link_a_2_4") != nullptr);
  CHECK(find_module<Link>("network.link_b_4_2") != nullptr);
  CHECK(find_module<CircuitController>("network.controller") != nullptr);
  CHECK(find_module<CircuitTerminal>("network.terminal_5") != nullptr);
  CHECK(sc_core::sc_find_object("network.middle_switch_5") == nullptr);
  CHECK(sc_core::sc_find_object("network.link_a_3_0") == nullptr);
  CHECK(sc_core::sc_find_object("network.link_b_5_0") == nullptr);
}

TEST_CASE("middle networks contain their own switches", "[circuit]") {
  CircuitParams params;
  params.full_hierarchy = GENERATE(false, true);
  const CircuitRun run("network", five_stages(4, 2, 3, 2, 2), params);
  CHECK(find_module<MiddleNetwork>("network.middle_3") != nullptr);
  CHECK(find_module<CrossbarSwitch>("network.middle_3.input_switch_0")->outputs() == 3);
  CHECK(find_module<CrossbarSwitch>("network.middle_0.middle_switch_2")->inputs() == 2);
  CHECK((find_module<Link>("network.middle_3.link_b_2_1") != nullptr) == params.full_hierarchy);
  CHECK((find_module<Link>("network.link_a_3_0") != nullptr) == params.full_hierarchy);
}

// Input 1 multicasts to outputs 0 and 5 of v(5, 2, 3): middle 0 serves both output switches.
TEST_CASE("views show connections and what links have carried", "[circuit]") {
  CircuitRun run("network", symmetric(5, 2, 3), {});
  run.send(1, {0, 5}, 7);
  run.network.run(2);
  CHECK(find_module<CircuitController>("network.controller")->busy());
  CHECK(run.network.terminal(NodeId{1}).state() == TerminalState::kSetup);
  run.network.run(4);  // The head is on the wire since cycle 5.
  const auto& input = *find_module<CrossbarSwitch>("network.input_switch_0");
  const auto& middle = *find_module<CrossbarSwitch>("network.middle_switch_0");
  CHECK(input.driver(0) == 1U);
  CHECK_FALSE(input.driver(1).has_value());
  CHECK(middle.driver(0) == 0U);
  CHECK_FALSE(middle.driver(1).has_value());
  CHECK(middle.driver(2) == 0U);
  CHECK(find_module<CrossbarSwitch>("network.output_switch_2")->driver(1) == 0U);
  CHECK(find_module<Link>("network.link_a_0_0")->flits() == 1);
  run.drain();
  CHECK_FALSE(input.driver(0).has_value());
  CHECK(find_module<Link>("network.link_a_0_0")->flits() == 7);
  CHECK(find_module<Link>("network.link_b_0_2")->flits() == 7);
  CHECK(find_module<Link>("network.link_b_0_1")->flits() == 0);
  CHECK(find_module<CircuitController>("network.controller")->busy_cycles() == 3);
  const auto& terminal = *find_module<CircuitTerminal>("network.terminal_5");
  CHECK(terminal.flits_received() == 7);
  CHECK(run.network.terminal(NodeId{1}).flits_sent() == 7);
}
