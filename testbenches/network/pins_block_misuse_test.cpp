// SPDX-License-Identifier: Apache-2.0
// Reports of crossbars and Clos controllers with pins about wrong use.
#include <functional>
#include <string>
#include <vector>

#include "clos/catalog.h"
#include "network/pins/clos_controller.h"
#include "network/pins/crossbars.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;
using sc_core::sc_signal;

namespace {

template <class T>
using Lines = sc_core::sc_vector<sc_signal<T>>;

struct Edges {
  void edge() {
    for (const bool level : {false, true}) {
      clk = level;
      sc_core::sc_start(0.5, sc_core::SC_NS);
    }
  }
  template <class Module>
  void clock(Module& module) {
    module.clk_i(clk);
    module.rst_ni(rst_n);
  }

  sc_signal<bool> clk{"clk"};
  sc_signal<bool> rst_n{"rst_n", true};
};

struct CrossbarPins : Edges {
  CrossbarPins() {
    clock(module);
    module.in_valid_i(in_valid);
    module.in_flit_i(in_flit);
    module.config_valid_i(config_valid);
    module.config_driver_i(config_driver);
    module.out_valid_o(out_valid);
    module.out_flit_o(out_flit);
  }
  void configure(unsigned output, unsigned driver) {
    config_valid[output] = true;
    config_driver[output] = driver;
  }

  Lines<bool> in_valid{"in_valid", 2}, config_valid{"config_valid", 3}, out_valid{"out_valid", 3};
  Lines<Flit> in_flit{"in_flit", 2}, out_flit{"out_flit", 3};
  Lines<unsigned> config_driver{"config_driver", 3};
  pins::MulticastCrossbar module{"crossbar", 2, 3};
};

struct CopyingPins : Edges {
  CopyingPins() {
    in_outputs.init(
        2, [](const char* name, std::size_t) { return new sc_signal<BitSet>(name, BitSet(3)); });
    clock(module);
    module.in_valid_i(in_valid);
    module.in_outputs_i(in_outputs);
    module.in_flit_i(in_flit);
    module.in_ready_o(in_ready);
    module.out_valid_o(out_valid);
    module.out_flit_o(out_flit);
    module.out_ready_i(out_ready);
  }

  Lines<bool> in_valid{"in_valid", 2}, in_ready{"in_ready", 2}, out_valid{"out_valid", 3},
      out_ready{"out_ready", 3};
  Lines<BitSet> in_outputs{"in_outputs"};
  Lines<Flit> in_flit{"in_flit", 2}, out_flit{"out_flit", 3};
  pins::ReplicatingCrossbar module{"crossbar", 2, 3, false};
};

/// Pins of a controller of two middle, three output and one input switch.
struct UnitLines : Edges {
  UnitLines() {
    clock(module);
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

  sc_signal<bool> ready{"ready"}, req_valid{"req_valid"}, req_link{"req_link", true},
      rel_valid{"rel_valid"}, rel_link{"rel_link"}, leg_valid{"leg_valid"}, done{"done"},
      blocked{"blocked"};
  sc_signal<unsigned> req_switch{"req_switch"}, rel_switch{"rel_switch"}, rel_middle{"rel_middle"},
      leg_middle{"leg_middle"};
  sc_signal<BitSet> req_set{"req_set", BitSet::full(3)}, req_held{"req_held", BitSet(2)},
      rel_set{"rel_set", BitSet(3)}, leg_set{"leg_set", BitSet(3)};
  pins::ClosControlUnit module{"unit", clos::controllers()[0].make, {2, 3}, 1};
};

struct ControllerLines : Edges {
  ControllerLines() {
    store.init(
        2, [](const char* name, std::size_t) { return new sc_signal<BitSet>(name, BitSet(3)); });
    clock(module);
    module.req_valid_i(req_valid);
    module.req_set_i(req_set);
    module.req_avail_i(req_avail);
    module.req_ready_o(req_ready);
    module.store_i(store);
    module.beat_valid_o(beat_valid);
    module.beat_middle_o(beat_middle);
    module.beat_set_o(beat_set);
    module.beat_last_o(beat_last);
    module.beat_fail_o(beat_fail);
    module.beat_ready_i(beat_ready);
  }

  sc_signal<bool> req_valid{"req_valid"}, req_ready{"req_ready"}, beat_valid{"beat_valid"},
      beat_last{"beat_last"}, beat_fail{"beat_fail"}, beat_ready{"beat_ready"};
  sc_signal<unsigned> beat_middle{"beat_middle"};
  sc_signal<BitSet> req_set{"req_set", BitSet(3)}, req_avail{"req_avail", BitSet(2)},
      beat_set{"beat_set", BitSet(3)};
  Lines<BitSet> store{"store"};
  pins::ClosController module{"controller", clos::controllers()[0].make, {2, 3}};
};

/// A wrong use of pins at the edge of cycle 2; all earlier uses are correct.
template <class Pins>
struct PinMisuse {
  std::string report;
  std::function<void(Pins&)> before;
  std::function<void(Pins&)> wrong;
};

std::string reported(const std::function<void()>& work) {
  try {
    work();
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

template <class Pins>
void check_reports(const std::string& name, const std::vector<PinMisuse<Pins>>& misuses) {
  for (const PinMisuse<Pins>& misuse : misuses) {
    INFO(misuse.report);
    testing::install_fresh_kernel();
    Pins pins;
    if (misuse.before) misuse.before(pins);
    CHECK(reported([&] {
            pins.edge();
            pins.edge();
          }).empty());
    misuse.wrong(pins);
    const std::string report = reported([&] { pins.edge(); });
    INFO(report);
    CHECK(report.find(name + ": " + misuse.report) != std::string::npos);
    CHECK(report.find("cycle 2") != std::string::npos);
  }
}

template <class Work>
void check_construction(const std::string& says, Work&& make) {
  testing::install_fresh_kernel();
  INFO(says);
  CHECK(reported(make).find(says) != std::string::npos);
}

BitSet set_of(std::size_t size, std::size_t member) {
  BitSet set(size);
  set.set(member);
  return set;
}

}  // namespace

TEST_CASE("misuse of a crossbar with pins is reported with its name, port and cycle", "[network]") {
  check_reports<CrossbarPins>(
      "crossbar",
      {{"no such input of a crossbar (port 3,", {}, [](auto& p) { p.configure(1, 3); }},
       {"release of an idle crossbar output (port 1,", {}, [](auto& p) { p.configure(1, 2); }},
       {"flit at a crossbar input without outputs (port 1,", {}, [](auto& p) {
          p.in_valid[1] = true;
        }}});
  testing::install_fresh_kernel();
  CrossbarPins driven;
  driven.configure(2, 0);
  driven.edge();
  CHECK(reported([&] { driven.edge(); }).find("two drivers of a crossbar's output (port 2,") !=
        std::string::npos);
}

TEST_CASE("misuse of a crossbar that copies is reported with its name, port and cycle",
          "[network]") {
  check_reports<CopyingPins>(
      "crossbar",
      {{"flit for no output of a crossbar (port 0,", {}, [](auto& p) { p.in_valid[0] = true; }},
       {"flit for no output of a crossbar (port 0,", {}, [](auto& p) {
          p.in_valid[0] = true;
          p.in_outputs[0] = BitSet::full(2);
        }}});
  testing::install_fresh_kernel();
  CopyingPins held;
  held.in_valid[0] = true;
  held.in_outputs[0] = set_of(3, 2);
  held.edge();  // Its copy stays at output 2, which is never ready.
  held.in_valid[0] = false;
  held.in_valid[1] = true;
  held.in_outputs[1] = BitSet::full(3);
  held.edge();
  held.in_valid[1] = false;
  CHECK(reported([&] { held.edge(); }).find("flit changed before it has left (port 1,") !=
        std::string::npos);
}

TEST_CASE("misuse of a Clos controller with pins is reported with its name and cycle",
          "[network]") {
  const std::string sizes =
      "a request of 2 output and 2 middle switches for a controller of 3 and 2";
  check_reports<ControllerLines>("controller",
                                 {{"store_i[1] is a set of 5 output switches, not of 3",
                                   {},
                                   [](auto& p) { p.store[1] = BitSet(5); }},
                                  {sizes, {}, [](auto& p) {
                                     p.req_valid = true;
                                     p.req_set = BitSet(2);
                                   }}});
}

TEST_CASE("misuse of a Clos control unit with pins is reported with its name and cycle",
          "[network]") {
  check_reports<UnitLines>(
      "unit",
      {{"a request from input switch 1 of 1",
        {},
        [](auto& p) {
          p.req_valid = true;
          p.req_switch = 1;
        }},
       {"a request holds middle switch 1, whose link from input switch 0 is free",
        {},
        [](auto& p) {
          p.req_valid = true;
          p.req_held = set_of(2, 1);
        }},
       {"a request that holds some of 4 middle switches, of 2",
        {},
        [](auto& p) {
          p.req_valid = true;
          p.req_held = BitSet(4);
        }},
       {"a request of 5 output and 2 middle switches for a controller of 3 and 2",
        {},
        [](auto& p) {
          p.req_valid = true;
          p.req_set = BitSet(5);
        }},
       {"no links from input switch 0 by middle switch 2 to 3 output switches", {}, [](auto& p) {
          p.rel_valid = true;
          p.rel_middle = 2;
        }}});
}

TEST_CASE("blocks with pins that cannot be built are reported with their names", "[network]") {
  using pins::ClosController, pins::ClosControlUnit;
  using pins::MulticastCrossbar, pins::ReplicatingCrossbar;
  const auto design = clos::controllers()[0].make;
  check_construction("m: a crossbar takes at least 1 cycle",
                     [] { MulticastCrossbar("m", 2, 2, 0); });
  check_construction("m: a crossbar has at least one input", [] { MulticastCrossbar("m", 0, 2); });
  check_construction("m: a crossbar has at least one input", [] { MulticastCrossbar("m", 2, 0); });
  check_construction("r: a crossbar has at least one input",
                     [] { ReplicatingCrossbar("r", 0, 2, true); });
  check_construction("r: a crossbar has at least one input",
                     [] { ReplicatingCrossbar("r", 2, 0, true); });
  check_construction("c: a controller needs at least one middle", [&] {
    ClosController("c", design, {0, 3});
  });
  check_construction("c: a controller needs at least one middle", [&] {
    ClosController("c", design, {2, 0});
  });
  check_construction("c: a controller that does not test for progress", [&] {
    ClosController("c", design, {2, 3, 0, false});
  });
  check_construction("u: a controller needs at least one middle", [&] {
    ClosControlUnit("u", design, {2, 0}, 1);
  });
  check_construction("u: a network has an input switch", [&] {
    ClosControlUnit("u", design, {2, 3}, 0);
  });
}
