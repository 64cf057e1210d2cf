// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vclos_controllers_7_5.h>
// clang-format on

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "clos/catalog.h"
#include "cosim/rtl_controller.h"
#include "network/circuit/circuit_run.h"
#include "network/circuit/multicasts.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Random multicasts in v(7, 8, 5), which has too few middle switches, so that some requests are
/// blocked.
std::unique_ptr<CircuitRun> run_of(const char* name, const CircuitParams& params) {
  const clos::MultistageStructure structure = symmetric(7, 8, 5);
  auto groups = std::make_shared<DestinationGroups>(structure.levels.front().inputs());
  const RandomMulticasts::Params traffic{12, 1500, 3, 2};
  auto run = std::make_unique<CircuitRun>(
      name, structure, params, std::make_unique<RandomMulticasts>(groups, traffic), groups);
  run->expected_packets = groups->nodes() * traffic.packets_per_node;
  return run;
}

/// Compares the network under its C++ control with the same network under an RTL controller.
void check_swapped(const std::string& controller, clos::StrategyMaker rtl) {
  CircuitParams params;
  params.full_hierarchy = false;
  params.controller = controller;
  const auto model = run_of("model", params);
  params.strategy = rtl;
  params.controller = "seq_counter";  // Without effect: the RTL determines the clocks.
  const auto swapped = run_of("swapped", params);
  model->drain();
  swapped->drain();
  REQUIRE(model->drained());
  CHECK(model->network.circuit_totals().blocked > 20);
  const CircuitTotals expected = model->network.circuit_totals();
  const CircuitTotals totals = swapped->network.circuit_totals();
  CHECK(totals.granted == expected.granted);
  CHECK(totals.blocked == expected.blocked);
  CHECK(totals.grant_cycles == expected.grant_cycles);
  CHECK(totals.block_cycles == expected.block_cycles);
  CHECK(swapped->probe.checksum.value() == model->probe.checksum.value());
  swapped->network.audit();
}

/// Returns the makers of the RTL controllers, indexed by design.
template <std::size_t... design>
constexpr auto rtl_controllers(std::index_sequence<design...>) {
  return std::array{&RtlController<Vclos_controllers_7_5, design>::make...};
}

}  // namespace

TEST_CASE("a network runs the same with its controller in RTL", "[cosim]") {
  static constexpr auto kInRtl =
      rtl_controllers(std::make_index_sequence<FLITCAST_CLOS_DESIGN_NUMBER>());
  const std::size_t design = GENERATE(range(std::size_t{0}, kInRtl.size()));
  const std::string& name = clos::controllers()[design].name;
  INFO(name);
  check_swapped(name, kInRtl[design]);
}
