// SPDX-License-Identifier: Apache-2.0
#include "clos/connection_admission.h"
#include "clos/controllers/control_unit.h"
#include "clos/controllers/controller_bench.h"
#include "clos/controllers/serve.h"
#include "clos/strategies/named.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// The admission control of a network and its hardware in lock step: both receive every event.
class SideBySide {
 public:
  SideBySide(const ControllerDesign& design, const Structure& structure)
      : control_(structure, std::make_unique<Named>("S1", structure.m, structure.r2)),
        unit_(design, {structure.m, structure.r2},
              DestinationStore(structure.m, structure.r1, structure.r2)),
        selection_(structure.r2) {}

  const NetworkState& state() const { return control_.state(); }
  bool equal() const {
    for (std::uint32_t i = 0; i < state().structure().r1; ++i) {
      if (unit_.store().available().set_of(i) != state().available(i)) return false;
    }
    return unit_.store().destination_sets() == state().destination_sets();
  }
  /// Returns true if both agree.
  bool connect(InputId input, const std::vector<OutputId>& outputs) {
    BitSet wanted(state().structure().r2);
    output_switches_of(state().structure(), outputs, wanted);
    serve(unit_, {switch_of(input), wanted}, selection_);
    const Selection& route = control_.connect(input, outputs);
    blocked += route.blocked() ? 1 : 0;
    return route.blocked() == selection_.blocked() && route.passes() == selection_.passes();
  }
  void disconnect(InputId input) {
    const Route& route = state().connection(input).route;
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      release(input, route.middle(leg), route.served_set(leg), true);
    }
    control_.disconnect(input);
  }
  /// Returns true if both agree.
  bool join(InputId input, OutputId output) {
    const Route& route = state().connection(input).route;
    const std::size_t k = state().structure().output_switch(output);
    const bool is_local = route.leg_to(k) < route.size();
    const Join by_unit = is_local ? Join::kLocal : join_by_unit(input, k);
    const Join by_control = control_.join(input, output);
    ++joins[by_control];
    return by_unit == by_control;
  }
  void leave(InputId input, OutputId output) {
    const Route before = state().connection(input).route;
    const std::size_t k = state().structure().output_switch(output);
    const std::size_t leg = before.leg_to(k);
    if (control_.leave(input, output) == Leave::kKeptLink) return;
    BitSet one(before.served_set(leg).size());
    one.set(k);
    release(input, before.middle(leg), one, before.served_set(leg).count() == 1);
  }

  int blocked = 0;  ///< Connects that were blocked.
  std::map<Join, int> joins;

 private:
  std::size_t switch_of(InputId input) const { return state().structure().input_switch(input); }

  void release(InputId input, MiddleId middle, const BitSet& served, bool with_link) {
    const ControlUnit::Release release{{switch_of(input), middle, served}, with_link};
    unit_.edge(nullptr, &release);
  }
  /// Joins incrementally like the admission control: one request for each leg in the order of the
  /// route, the last one for a further middle switch.
  Join join_by_unit(InputId input, std::size_t output_switch) {
    const Route& route = state().connection(input).route;
    BitSet wanted(state().structure().r2);
    wanted.set(output_switch);
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      BitSet held(state().structure().m);
      held.set(index(route.middle(leg)));
      serve(unit_, {switch_of(input), wanted, &held, false}, selection_);
      if (!selection_.blocked()) return Join::kReuse;
    }
    serve(unit_, {switch_of(input), wanted}, selection_);
    return selection_.blocked() ? Join::kBlocked : Join::kNew;
  }

  ConnectionAdmission control_;
  ControlUnit unit_;
  Selection selection_;
};

std::vector<OutputId> some_idle(const BitSet& idle, std::mt19937& random) {
  std::vector<OutputId> outputs;
  idle.for_each([&](std::size_t output) {
    if (random() % 3 == 0) outputs.push_back(static_cast<OutputId>(output));
  });
  return outputs;
}

}  // namespace

TEST_CASE("traffic leaves the hardware's store equal to the network's state", "[clos]") {
  const Structure structure = Structure::symmetric(4, 4, 4);
  SideBySide both(any_design().make, structure);
  std::mt19937 random(11);
  for (int event = 0; event < 1500; ++event) {
    const auto input = static_cast<InputId>(random() % structure.inputs());
    const std::vector<OutputId> outputs = some_idle(both.state().idle_outputs(), random);
    if (!both.state().idle_inputs().test(index(input))) {
      both.disconnect(input);
    } else if (!outputs.empty()) {
      REQUIRE(both.connect(input, outputs));
    }
    REQUIRE(both.equal());
  }
  CHECK(both.blocked > 50);
}

TEST_CASE("ports that join and leave change the store as they change the network", "[clos]") {
  const Structure structure = Structure::symmetric(3, 3, 4);
  SideBySide both(any_design().make, structure);
  std::mt19937 random(12);
  for (int event = 0; event < 3000; ++event) {
    const auto output = static_cast<OutputId>(random() % structure.outputs());
    const auto input = static_cast<InputId>(random() % structure.inputs());
    const bool is_idle = both.state().idle_inputs().test(index(input));
    if (const auto owner = both.state().owner(output)) {
      if (random() % 2 == 0) both.leave(*owner, output);
    } else if (is_idle) {
      REQUIRE(both.connect(input, {output}));
    } else {
      REQUIRE(both.join(input, output));
    }
    REQUIRE(both.equal());
  }
  CHECK(both.joins[Join::kReuse] > 50);
  CHECK(both.joins[Join::kNew] > 50);
  CHECK(both.joins[Join::kBlocked] > 20);
}
