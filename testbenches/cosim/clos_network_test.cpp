// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vclos_network_2_2.h>
#include <Vclos_network_5_2.h>
#include <Vclos_network_6_4.h>
// clang-format on

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "network/circuit/circuit_run.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

struct Counts {
  std::uint64_t granted = 0;
  std::uint64_t blocked = 0;
  std::uint64_t disconnected = 0;
  std::uint64_t flits = 0;
  std::uint64_t resets = 0;
};

/// Lock-step of the parts of CircuitNetwork, its control and its crossbars, with the RTL: random
/// requests whenever the control is ready, and random flits from all connected inputs. Requests
/// come in phases, some of which fill the network and some of which empty it. Occasional resets
/// replace the parts by new ones.
template <class Rtl>
class NetworkCosim {
 public:
  NetworkCosim(const clos::Structure& structure, const std::string& controller, Counts& totals)
      : structure_(structure),
        totals_(totals),
        topology_(clos_of({{structure}})),
        params_(params_of(controller)),
        connected_(structure.inputs(), false),
        arrivals_(structure.outputs(), 0) {
    rtl_->req_valid_i = 0;
    set_port_bits(rtl_->in_valid_i, 0, structure.inputs(), 0);
    rtl_->rst_ni = 0;
    edge();
  }

  void drive() {
    std::fill(arrivals_.begin(), arrivals_.end(), 0U);
    stages_->take_arrivals(now_, [this](std::uint32_t node, const Flit& flit) {
      arrivals_[node] = index(flit.packet);
    });
    if (index(now_) % 500 == 0) new_spell();
    rtl_->rst_ni = random_() % 3000 != 0;
    rtl_->req_valid_i = 0;
    if (now_ >= answer_ && random_() % 4 != 0) request();
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) drive_input(input);
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    const Answer answer = now_ == answer_ ? verdict_ : Answer::kNone;
    lockstep.compare("req_ready_o", 0, now_ >= answer_, rtl_->req_ready_o);
    lockstep.compare("done_o", 0, answer == Answer::kDone, rtl_->done_o);
    lockstep.compare("blocked_o", 0, answer == Answer::kBlocked, rtl_->blocked_o);
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      lockstep.compare("out_valid_o", output, arrivals_[output] != 0,
                       port_bit(rtl_->out_valid_o, output));
      lockstep.compare("out_flit_o", output, arrivals_[output],
                       port_word(rtl_->out_flit_o, output));
    }
  }

  void edge() {
    if (rtl_->rst_ni == 0) {
      forget();
    } else {
      advance();
    }
    now_ = now_ + 1;
    rtl_.edge();
  }

  VerilatedBench<Rtl>& rtl() { return rtl_; }

 private:
  enum class Answer { kNone, kDone, kBlocked };

  static CircuitParams params_of(const std::string& controller) {
    CircuitParams params;
    params.controller = controller;
    return params;
  }

  struct Request {
    std::uint32_t input;
    std::vector<clos::OutputId> outputs;  ///< Empty: a disconnect.
  };

  void new_spell() {
    stay_ = 1U << random_() % 5;
    spare_ = 1U << random_() % 4;
  }

  void forget() {
    control_.emplace(clos::MultistageStructure{{structure_}}, params_);
    stages_.emplace(topology_, 1);
    std::fill(connected_.begin(), connected_.end(), false);
    request_.reset();
    connecting_.reset();
    closing_.clear();
    answer_ = now_ + 2;  // Ready, but without an answer.
    verdict_ = Answer::kNone;
    ++totals_.resets;
  }

  void advance() {
    stages_->tick(now_);
    if (now_ == answer_) write_crossbars();
    if (request_) accept(*std::exchange(request_, {}));
  }

  // A connected input requests a disconnect, an idle one a connection.
  void request() {
    Request request{static_cast<std::uint32_t>(random_() % structure_.inputs()), {}};
    if (control_->state().idle_inputs().test(request.input)) {
      for (std::uint32_t o = 0; o < structure_.outputs(); ++o) {
        const bool idle = !control_->state().owner(clos::OutputId{o});
        if (idle && random_() % spare_ == 0) request.outputs.push_back(clos::OutputId{o});
      }
      if (request.outputs.empty()) return;
    } else if (random_() % stay_ != 0) {
      return;
    }
    put(request);
    request_ = std::move(request);
  }

  void put(const Request& request) {
    rtl_->req_valid_i = 1;
    rtl_->req_connect_i = !request.outputs.empty();
    rtl_->req_switch_i = static_cast<CData>(request.input / structure_.n1);
    rtl_->req_port_i = static_cast<CData>(request.input % structure_.n1);
    set_port_bits(rtl_->req_outputs_i, 0, structure_.outputs(), 0);
    for (const clos::OutputId output : request.outputs) {
      set_port_bits(rtl_->req_outputs_i, index(output), 1, 1);
    }
  }

  void accept(const Request& request) {
    if (request.outputs.empty()) return disconnect(request.input);
    const TimedVerdict verdict = control_->connect(clos::InputId{request.input}, request.outputs);
    answer_ = now_ + verdict.clocks;
    verdict_ = verdict.blocked ? Answer::kBlocked : Answer::kDone;
    ++(verdict.blocked ? totals_.blocked : totals_.granted);
    if (!verdict.blocked) connecting_ = request.input;
  }

  // The control takes one clock to accept it and one for each middle switch. After the last of
  // these no flit is in flight to a crossbar any more, so the order in which they become idle does
  // not matter.
  void disconnect(std::uint32_t input) {
    closing_ = control_->nested().path(clos::InputId{input});
    control_->disconnect(clos::InputId{input});
    connected_[input] = false;
    answer_ = now_ + 1;
    for (const clos::SwitchSetting& crossbar : closing_) {
      if (crossbar.stage == clos::SwitchSetting::Stage::kMiddle) answer_ = answer_ + 1;
    }
    verdict_ = Answer::kDone;
    ++totals_.disconnected;
  }

  // Writes the crossbars for the flits of the next cycle.
  void write_crossbars() {
    for (const clos::SwitchSetting& crossbar : std::exchange(closing_, {})) {
      for (const std::uint32_t output : crossbar.outputs) {
        stages_->crossbar(index(crossbar.router(topology_))).release(output);
      }
    }
    if (!connecting_) return;
    const std::uint32_t input = *std::exchange(connecting_, {});
    for (const clos::SwitchSetting& crossbar : control_->nested().path(clos::InputId{input})) {
      for (const std::uint32_t output : crossbar.outputs) {
        stages_->crossbar(index(crossbar.router(topology_))).connect(crossbar.input, output);
      }
    }
    connected_[input] = true;
  }

  /// Drives an input; the value of an input without a flit is random because it must have no
  /// effect.
  void drive_input(std::uint32_t input) {
    const bool closes = request_ && request_->input == input;
    const bool valid = connected_[input] && !closes && random_() % 4 != 0;
    Flit flit;
    flit.packet = PacketSlot{static_cast<std::uint32_t>(1 + random_() % 0xffffffff)};
    set_port_bits(rtl_->in_valid_i, input, 1, valid);
    set_port_word(rtl_->in_flit_i, input, index(flit.packet));
    if (!valid) return;
    stages_->inject(input, flit, now_);
    ++totals_.flits;
  }

  const clos::Structure structure_;
  Counts& totals_;
  const Clos topology_;
  const CircuitParams params_;
  std::optional<TimedAdmission> control_;
  std::optional<CrossbarStages> stages_;
  std::vector<bool> connected_;               // True for inputs that may send.
  std::vector<std::uint32_t> arrivals_;       // Flit of this cycle at each output; 0: none.
  std::optional<Request> request_;            // Request on the wires in this cycle.
  std::optional<std::uint32_t> connecting_;   // Granted input with unwritten crossbars.
  std::vector<clos::SwitchSetting> closing_;  // Crossbars to be made idle.
  Cycle now_{0};
  Cycle answer_{0};  // Time of the last request's answer and of the next request.
  Answer verdict_ = Answer::kNone;
  unsigned stay_ = 1;   // One of `stay_` drawn disconnects is requested.
  unsigned spare_ = 1;  // One of `spare_` idle outputs is requested.
  std::mt19937 random_{13};
  VerilatedBench<Rtl> rtl_;
};

/// Fails at the first difference; returns the event counts of the run.
template <class Rtl>
Counts run_cosim(const std::string& name, const clos::Structure& structure,
                 const std::string& controller) {
  Counts totals;
  check_cosim(name, cosim_cycles(30'000),
              [&] { return NetworkCosim<Rtl>(structure, controller, totals); });
  return totals;
}

}  // namespace

TEST_CASE("the Clos networks in SystemC and RTL carry the same flits in the same cycles",
          "[cosim]") {
  const Counts totals = run_cosim<Vclos_network_6_4>(
      "clos_network_6_4", clos::Structure::symmetric(6, 4, 4), "par_adder");
  CHECK(totals.disconnected > 1000);
  CHECK(totals.flits > 10 * totals.granted);
  CHECK(totals.resets > 5);
}

TEST_CASE("the Clos networks agree with switches of odd sizes and counters", "[cosim]") {
  const Counts totals =
      run_cosim<Vclos_network_5_2>("clos_network_5_2", {5, 2, 3, 3, 2}, "par_counter");
  CHECK(totals.disconnected > 1000);
}

TEST_CASE("the Clos networks agree on what is blocked with too few middle switches", "[cosim]") {
  const Counts totals = run_cosim<Vclos_network_2_2>(
      "clos_network_2_2", clos::Structure::symmetric(2, 2, 2), "seq_counter");
  CHECK(totals.blocked > 50);
  CHECK(totals.disconnected > 1000);
}

TEST_CASE("lock-step finds a fault in any register bit of a Clos network", "[faults]") {
  Counts totals;
  const auto make = [&] {
    return NetworkCosim<Vclos_network_2_2>(clos::Structure::symmetric(2, 2, 2), "seq_counter",
                                           totals);
  };
  const std::vector<std::string> rules{
      // The number of passes is not limited.
      "passes_q\\[0\\]",
      // Middle switches are tried in order, so the first of two legs is by switch 0.
      "u_commit.middles_q\\[[01]\\] stuck at 0",
      // The row that is read ahead of the last set is never used.
      "u_unit.ahead_q\\[0\\] stuck at 1",
      // With two output switches, at most one is counted before the last set.
      "u_unit.count_q\\[1\\] stuck at 0"};
  // Requests of two legs are rare here, so each fault gets 100,000 cycles.
  CHECK(unexplained(faults_not_found(make, 1, "", 100'000), rules) == std::vector<std::string>{});
}
