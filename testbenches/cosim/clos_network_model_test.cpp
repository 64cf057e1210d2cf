// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vclos_network_2_2.h>
#include <Vclos_network_6_4.h>
// clang-format on

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cosim/lockstep.h"
#include "cosim/port_bits.h"
#include "network/circuit/circuit_run.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Nodes = std::vector<std::uint32_t>;

/// Lock-step of CircuitNetwork, with packets and held connections, and the RTL network, which
/// receives the same requests and flits in the same cycles: one request or packet at a time, next
/// to held connections. The model frees links in a fixed time, the RTL frees one middle switch per
/// clock, so the next event starts when both are ready.
template <class Rtl>
class SideBySide {
 public:
  SideBySide(const clos::Structure& structure, const std::string& controller)
      : structure_(structure),
        run_("network", {{structure}}, params_of(controller)),
        injected_(structure.inputs(), 0),
        ejected_(structure.outputs(), 0),
        legs_(structure.inputs(), 0) {
    rtl_->req_valid_i = 0;
    set_port_bits(rtl_->in_valid_i, 0, structure.inputs(), 0);
    rtl_.reset();
    rtl_.edge();  // Raises ready.
  }

  void event() {
    for (auto pause = 1 + random_() % 3; pause > 0; --pause) cycle();
    const auto node = static_cast<std::uint32_t>(random_() % structure_.inputs());
    if (run_.state(node) == TerminalState::kConnected) {
      if (random_() % 3 != 0) return;
      run_.network.close(NodeId{node});
      return disconnect(node);
    }
    const Nodes to = idle_outputs();
    if (to.empty()) return;
    if (random_() % 2 == 0) {
      run_.open(node, to);
      connect(node, to);
    } else {
      run_.send(node, to, static_cast<std::uint32_t>(1 + random_() % 9));
      if (connect(node, to)) stream(node);
    }
  }

  Lockstep lockstep;
  unsigned granted = 0;
  unsigned blocked = 0;
  unsigned packets = 0;

 private:
  static CircuitParams params_of(const std::string& controller) {
    CircuitParams params;
    params.request_cycles = 0;
    params.controller = controller;
    params.when_blocked = WhenBlocked::kDrop;
    return params;
  }

  Nodes idle_outputs() {
    Nodes to;
    const auto spare = 1 + random_() % 6;
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      const bool idle = !run_.network.control().state().owner(clos::OutputId{output});
      if (idle && random_() % spare == 0) to.push_back(output);
    }
    return to;
  }

  /// Runs one cycle of both; the RTL's inputs send what the model's terminals inject in it.
  void cycle() {
    run_.network.run(1);
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
      const std::uint64_t flits = run_.network.flits_injected(NodeId{input});
      set_port_bits(rtl_->in_valid_i, input, 1, flits != injected_[input]);
      set_port_word(rtl_->in_flit_i, input, input + 1);
      injected_[input] = flits;
    }
    rtl_.settle();
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      const std::uint64_t flits = run_.network.flits_ejected(NodeId{output});
      const std::uint32_t flit = flits != ejected_[output] ? sender_ + 1 : 0;
      lockstep.compare("out_valid_o", output, flit != 0, port_bit(rtl_->out_valid_o, output));
      lockstep.compare("out_flit_o", output, flit, port_word(rtl_->out_flit_o, output));
      ejected_[output] = flits;
    }
    done_before_ = done_;
    done_ = rtl_->done_o;
    blocked_ = rtl_->blocked_o;
    rtl_.edge();
    lockstep.next_cycle();
  }

  /// Drives the request in the RTL's next clock; an empty set of outputs requests a disconnect.
  void request(std::uint32_t node, const Nodes& to) {
    rtl_->req_valid_i = 1;
    rtl_->req_connect_i = !to.empty();
    rtl_->req_switch_i = static_cast<CData>(node / structure_.n1);
    rtl_->req_port_i = static_cast<CData>(node % structure_.n1);
    set_port_bits(rtl_->req_outputs_i, 0, structure_.outputs(), 0);
    for (const std::uint32_t output : to) set_port_bits(rtl_->req_outputs_i, output, 1, 1);
    cycle();
    rtl_->req_valid_i = 0;
  }

  /// Checks that the model's terminal is connected one cycle after done_o, or idle again in the
  /// cycle of blocked_o.
  bool connect(std::uint32_t node, const Nodes& to) {
    request(node, to);
    sender_ = node;
    TerminalState state;
    do {
      cycle();
      state = run_.state(node);
      lockstep.compare("done_o", 0, state == TerminalState::kConnected, done_before_);
      lockstep.compare("blocked_o", 0, state == TerminalState::kIdle, blocked_);
    } while (state == TerminalState::kSetup && !lockstep.first_difference());
    const bool connected = state == TerminalState::kConnected;
    ++(connected ? granted : blocked);
    legs_[node] = connected ? middle_switches(node) : 0;
    return connected;
  }

  /// Number of middle switches in the route of a connection.
  unsigned middle_switches(std::uint32_t node) const {
    unsigned count = 0;
    for (const auto& crossbar : run_.network.control().nested().path(clos::InputId{node})) {
      count += crossbar.stage == clos::SwitchSetting::Stage::kMiddle;
    }
    return count;
  }

  void stream(std::uint32_t node) {
    while (run_.state(node) == TerminalState::kConnected) cycle();
    ++packets;
    disconnect(node);
  }

  /// Disconnects a node; the RTL takes a clock to accept and one for each middle switch.
  void disconnect(std::uint32_t node) {
    request(node, {});
    for (unsigned leg = 0; leg < legs_[node]; ++leg) {
      lockstep.compare("req_ready_o", 0, 0, rtl_->req_ready_o);
      cycle();
    }
    lockstep.compare("req_ready_o", 0, 1, rtl_->req_ready_o);
    lockstep.compare("done_o", 0, 1, rtl_->done_o);
    while (run_.state(node) != TerminalState::kIdle) cycle();
  }

  const clos::Structure structure_;
  CircuitRun run_;
  std::vector<std::uint64_t> injected_;  // Flits by node.
  std::vector<std::uint64_t> ejected_;
  std::vector<unsigned> legs_;  // Middle switches of each node's connection.
  std::uint32_t sender_ = 0;
  bool done_ = false;  // The RTL's done_o in the last clock.
  bool blocked_ = false;
  bool done_before_ = false;  // The RTL's done_o in the clock before the last.
  std::mt19937 random_{3};
  VerilatedBench<Rtl> rtl_;
};

}  // namespace

TEST_CASE("CircuitNetwork and the Clos network in RTL connect and deliver in the same cycles",
          "[cosim]") {
  SideBySide<Vclos_network_6_4> both(clos::Structure::symmetric(6, 4, 4), "par_thermo");
  for (int e = 0; e < 2000 && !both.lockstep.first_difference(); ++e) both.event();
  if (const auto& difference = both.lockstep.first_difference()) FAIL(*difference);
  CHECK(both.granted > 300);
  CHECK(both.packets > 100);
}

TEST_CASE("CircuitNetwork and the Clos network in RTL block the same requests", "[cosim]") {
  SideBySide<Vclos_network_2_2> both(clos::Structure::symmetric(2, 2, 2), "seq_counter");
  for (int e = 0; e < 3000 && !both.lockstep.first_difference(); ++e) both.event();
  if (const auto& difference = both.lockstep.first_difference()) FAIL(*difference);
  CHECK(both.granted > 300);
  CHECK(both.packets > 100);
  CHECK(both.blocked > 10);
}
