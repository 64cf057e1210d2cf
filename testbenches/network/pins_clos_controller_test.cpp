// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/controller_bench.h"
#include "network/pins/clos_controller.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;
using sc_core::sc_signal;

namespace {

/// Clock and reset; inputs settle while the clock is low, and the edge samples them.
struct Clock {
  void cycle() {
    for (const bool level : {false, true}) {
      clk = level;
      sc_core::sc_start(0.5, sc_core::SC_NS);
    }
  }

  sc_signal<bool> clk{"clk"};
  sc_signal<bool> rst_n{"rst_n", true};
};

struct ControllerPins : Clock {
  ControllerPins(const ControllerDesign& design, const ControllerParams& params)
      : wanted("wanted", BitSet(params.r)),
        available("available", BitSet(params.m)),
        beat_set("beat_set", BitSet(params.r)),
        module("controller", design, params) {
    store.init(params.m, [&](const char* name, std::size_t) {
      return new sc_signal<BitSet>(name, BitSet(params.r));
    });
    module.clk_i(clk);
    module.rst_ni(rst_n);
    module.req_valid_i(req_valid);
    module.req_set_i(wanted);
    module.req_avail_i(available);
    module.req_ready_o(req_ready);
    module.store_i(store);
    module.beat_valid_o(beat_valid);
    module.beat_middle_o(beat_middle);
    module.beat_set_o(beat_set);
    module.beat_last_o(beat_last);
    module.beat_fail_o(beat_fail);
    module.beat_ready_i(beat_ready);
  }
  void show(const Situation& situation) {
    wanted = situation.wanted;
    available = situation.available;
    for (std::size_t j = 0; j < situation.m(); ++j) store[j] = situation.sets.set_of(j);
  }
  std::string outputs() const {
    const Beat beat{MiddleId{beat_middle.read()}, beat_set.read(), beat_last.read(),
                    beat_fail.read()};
    return (req_ready.read() ? "ready " : "busy ") + (beat_valid.read() ? to_text(beat) : "-");
  }

  sc_signal<bool> req_valid{"req_valid"}, req_ready{"req_ready"};
  sc_signal<BitSet> wanted, available;
  sc_core::sc_vector<sc_signal<BitSet>> store{"store"};
  sc_signal<bool> beat_valid{"beat_valid"}, beat_last{"beat_last"}, beat_fail{"beat_fail"};
  sc_signal<bool> beat_ready{"beat_ready"};
  sc_signal<unsigned> beat_middle{"beat_middle"};
  sc_signal<BitSet> beat_set;
  pins::ClosController module;
};

std::string outputs(const Controller& controller) {
  return (controller.request_ready() ? "ready " : "busy ") +
         (controller.beat_valid() ? to_text(controller.beat()) : "-");
}

}  // namespace

TEST_CASE("the controller's pins show its model in every cycle, whatever stalls", "[network]") {
  const ControllerParams params{7, 70, GENERATE(std::size_t{0}, std::size_t{2})};
  const auto& entry = any_design();
  ControllerPins bench(entry.make, params);
  Controller model(entry.make, params);
  std::mt19937 random(2);
  Situation situation = random_situation(params.m, params.r, random);
  unsigned beats = 0;
  for (unsigned cycle = 0; cycle < 6000; ++cycle) {
    if (bench.req_ready.read()) situation = random_situation(params.m, params.r, random);
    bench.show(situation);
    bench.req_valid = random() % 3 != 0;
    bench.beat_ready = random() % 4 == 0;
    bench.rst_n = random() % 500 != 0;
    bench.cycle();
    const ControllerOffer offer{situation.wanted, situation.available};
    if (bench.rst_n.read()) {
      model.edge(situation.sets, bench.beat_ready.read(),
                 bench.req_valid.read() ? &offer : nullptr);
    } else {
      model.reset();
    }
    beats += model.beat_valid() ? 1 : 0;
    REQUIRE(bench.outputs() == outputs(model));
  }
  CHECK(beats > 20);
}

TEST_CASE("the controller accepts nothing in reset", "[network]") {
  const Situation one = situation(1, "1", "1", {"0"});
  ControllerPins bench(any_design().make, {1, 1});
  bench.show(one);
  bench.req_valid = true;
  bench.rst_n = false;
  for (int cycle = 0; cycle < 5; ++cycle) bench.cycle();
  CHECK(bench.outputs() == "busy -");
  bench.rst_n = true;
  bench.cycle();
  CHECK(bench.outputs() == "ready -");
}

TEST_CASE("a store on signals without a size is reported by its port", "[network]") {
  ControllerPins bench(controllers()[0].make, {2, 4});
  bench.store[1] = BitSet();
  CHECK_THROWS_WITH(bench.cycle(), Catch::Contains("store_i[1]") && Catch::Contains("not of 4"));
}

namespace {

struct UnitPins : Clock {
  UnitPins(const ControllerDesign& design, const ControllerParams& params,
           std::size_t input_switches)
      : req_set("req_set", BitSet(params.r)),
        req_held("req_held", BitSet(params.m)),
        rel_set("rel_set", BitSet(params.r)),
        leg_set("leg_set", BitSet(params.r)),
        module("unit", design, params, input_switches) {
    module.clk_i(clk);
    module.rst_ni(rst_n);
    module.ready_o(ready);
    module.req_valid_i(req_valid);
    module.req_switch_i(req_switch);
    module.req_set_i(req_set);
    module.req_held_i(req_held);
    module.req_link_i(req_link);
    module.rel_valid_i(rel_valid);
    module.rel_switch_i(rel_switch);
    module.rel_middle_i(rel_middle);
    module.rel_set_i(rel_set);
    module.rel_link_i(rel_link);
    module.leg_valid_o(leg_valid);
    module.leg_middle_o(leg_middle);
    module.leg_set_o(leg_set);
    module.done_o(done);
    module.blocked_o(blocked);
  }
  void stimulate(const ControllerParams& params, std::size_t input_switches, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return static_cast<unsigned>(random() % n); };
    const unsigned input_switch = below(input_switches);
    const unsigned middle = below(params.m);
    req_valid = below(2) == 0;
    req_switch = input_switch;
    req_set = random_set(params.r, 70, random);
    req_link = below(3) != 0;
    rel_valid = below(4) == 0;
    rel_switch = below(input_switches);
    rel_middle = middle;
    rel_set = random_set(params.r, 30, random);
    rel_link = below(2) == 0;
    rst_n = below(400) != 0;
    BitSet held = random_set(params.m, 50, random);
    held -= module.store().available().set_of(input_switch);
    held.reset(middle);  // The release is processed first.
    req_held = held;
  }
  void clock(ControlUnit& model) const {
    if (!rst_n.read()) return model.reset();
    const ControlUnit::Request request{req_switch.read(), req_set.read(), &req_held.read(),
                                       req_link.read()};
    const ControlUnit::Release release{
        {rel_switch.read(), MiddleId{rel_middle.read()}, rel_set.read()}, rel_link.read()};
    model.edge(req_valid.read() ? &request : nullptr, rel_valid.read() ? &release : nullptr);
  }
  bool shows(const ControlUnit& model) const {
    return ready.read() == model.ready() && done.read() == model.done() &&
           blocked.read() == model.blocked() && leg_valid.read() == model.leg_valid() &&
           leg_middle.read() == index(model.leg().middle) && leg_set.read() == model.leg().served &&
           module.store().destination_sets() == model.store().destination_sets() &&
           module.store().available() == model.store().available();
  }

  sc_signal<bool> ready{"ready"}, req_valid{"req_valid"}, rel_valid{"rel_valid"};
  sc_signal<bool> req_link{"req_link"}, rel_link{"rel_link"}, leg_valid{"leg_valid"}, done{"done"},
      blocked{"blocked"};
  sc_signal<unsigned> req_switch{"req_switch"}, rel_switch{"rel_switch"};
  sc_signal<unsigned> rel_middle{"rel_middle"}, leg_middle{"leg_middle"};
  sc_signal<BitSet> req_set, req_held, rel_set, leg_set;
  pins::ClosControlUnit module;
};

}  // namespace

TEST_CASE("the control unit's pins show its model in every cycle", "[network]") {
  constexpr std::size_t kInputSwitches = 3;
  const ControllerParams params{4, 5};
  const auto& entry = any_design();
  UnitPins bench(entry.make, params, kInputSwitches);
  ControlUnit model(entry.make, params, DestinationStore(params.m, kInputSwitches, params.r));
  std::mt19937 random(4);
  unsigned done = 0;
  unsigned blocked = 0;
  for (unsigned cycle = 0; cycle < 6000; ++cycle) {
    bench.stimulate(params, kInputSwitches, random);
    bench.cycle();
    bench.clock(model);
    done += model.done() ? 1 : 0;
    blocked += model.blocked() ? 1 : 0;
    REQUIRE(bench.shows(model));
  }
  CHECK(done > 20);
  CHECK(blocked > 20);
}

TEST_CASE("a request from an input switch that is not there is reported", "[network]") {
  UnitPins bench(controllers()[3].make, {2, 2}, 1);
  bench.cycle();
  bench.req_valid = true;
  bench.req_switch = 1;
  CHECK_THROWS_WITH(bench.cycle(), Catch::Contains("input switch 1 of 1"));
}

TEST_CASE("a request that holds a free link is reported", "[network]") {
  UnitPins bench(controllers()[3].make, {2, 2}, 1);
  bench.cycle();
  bench.req_valid = true;
  bench.req_held = BitSet::full(2);
  CHECK_THROWS_WITH(bench.cycle(), Catch::Contains("holds middle switch 0"));
}
