// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vreplicating_crossbar_1x1.h>
#include <Vreplicating_crossbar_async.h>
#include <Vreplicating_crossbar_sync.h>
// clang-format on

#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "network/pins/crossbars.h"

using namespace flitcast;

namespace {

/// The SystemC crossbar and its RTL on the same clock. The rate at which each input offers flits
/// and each output is ready changes every 200 cycles, from always to almost never.
template <class Rtl>
class Cosim {
 public:
  Cosim(std::uint32_t inputs, std::uint32_t outputs, bool synchronous)
      : inputs_(inputs),
        outputs_(outputs),
        moods_(inputs + outputs, 1),
        in_valid_("in_valid", inputs),
        in_outputs_("in_outputs", inputs),
        in_flit_("in_flit", inputs),
        in_ready_("in_ready", inputs),
        out_valid_("out_valid", outputs),
        out_flit_("out_flit", outputs),
        out_ready_("out_ready", outputs),
        model_("crossbar", inputs, outputs, synchronous) {
    model_.clk_i(clk_);
    model_.rst_ni(rst_n_);
    model_.in_valid_i(in_valid_);
    model_.in_outputs_i(in_outputs_);
    model_.in_flit_i(in_flit_);
    model_.in_ready_o(in_ready_);
    model_.out_valid_o(out_valid_);
    model_.out_flit_o(out_flit_);
    model_.out_ready_i(out_ready_);
    settle(false);
    edge();
  }

  void drive() {
    if (cycle_++ % 200 == 0) {
      for (unsigned& mood : moods_) mood = 1U << random_() % 5;
    }
    for (std::uint32_t input = 0; input < inputs_; ++input) drive_input(input);
    for (std::uint32_t output = 0; output < outputs_; ++output) drive_output(output);
    settle(cycle_ % 1000 != 0);
  }

  void compare(Lockstep& lockstep) {
    for (std::uint32_t input = 0; input < inputs_; ++input) {
      lockstep.compare("in_ready_o", input, in_ready_[input].read(),
                       port_bit(rtl_->in_ready_o, input));
    }
    for (std::uint32_t output = 0; output < outputs_; ++output) {
      const bool valid = out_valid_[output].read();
      lockstep.compare("out_valid_o", output, valid, port_bit(rtl_->out_valid_o, output));
      if (!valid) continue;
      lockstep.compare("out_flit_o", output, index(out_flit_[output].read().packet),
                       port_word(rtl_->out_flit_o, output));
    }
  }

  void edge() {
    for (std::uint32_t input = 0; input < inputs_; ++input) {
      left_[input] = rst_n_.read() && in_ready_[input].read();
    }
    half(true);
    rtl_.edge();
  }

  VerilatedBench<Rtl>& rtl() { return rtl_; }

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  bool willing(std::size_t port) { return random_() % moods_[port] == 0; }

  void drive_input(std::uint32_t input) {
    const bool stays = in_valid_[input].read() && !left_[input];
    if (!stays) offer(input, willing(input));
  }
  void drive_output(std::uint32_t output) {
    const bool ready = willing(inputs_ + output);
    out_ready_[output] = ready;
    set_port_bits(rtl_->out_ready_i, output, 1, ready);
  }
  void offer(std::uint32_t input, bool valid) {
    const auto chosen = static_cast<std::uint32_t>(1 + random_() % ((1U << outputs_) - 1));
    const auto number = static_cast<std::uint32_t>(random_());
    BitSet set(outputs_);
    for (std::uint32_t output = 0; output < outputs_; ++output) {
      if ((chosen >> output & 1) != 0) set.set(output);
    }
    Flit flit;
    flit.packet = PacketSlot{number};
    in_valid_[input] = valid;
    in_outputs_[input] = set;
    in_flit_[input] = flit;
    set_port_bits(rtl_->in_valid_i, input, 1, valid);
    set_port_bits(rtl_->in_outputs_i, input * outputs_, outputs_, chosen);
    set_port_word(rtl_->in_flit_i, input, number);
  }

  void settle(bool rst_n) {
    rst_n_ = rst_n;
    rtl_->rst_ni = rst_n;
    half(false);
    rtl_.settle();
  }
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  const std::uint32_t inputs_;
  const std::uint32_t outputs_;
  std::uint64_t cycle_ = 0;
  std::mt19937 random_{6};
  std::vector<unsigned> moods_;  // Rates of the inputs, then of the outputs.
  std::vector<bool> left_ = std::vector<bool>(inputs_, true);

  VerilatedBench<Rtl> rtl_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Signals<bool> in_valid_;
  Signals<BitSet> in_outputs_;
  Signals<Flit> in_flit_;
  Signals<bool> in_ready_;
  Signals<bool> out_valid_;
  Signals<Flit> out_flit_;
  Signals<bool> out_ready_;
  pins::ReplicatingCrossbar model_;
};

auto asynchronous() { return Cosim<Vreplicating_crossbar_async>(3, 5, false); }
auto synchronous() { return Cosim<Vreplicating_crossbar_sync>(4, 3, true); }
auto of_1x1() { return Cosim<Vreplicating_crossbar_1x1>(1, 1, true); }

}  // namespace

TEST_CASE("crossbars in SystemC and RTL that copy asynchronously agree", "[cosim]") {
  check_cosim("replicating_crossbar_async", cosim_cycles(), asynchronous);
}

TEST_CASE("crossbars in SystemC and RTL that copy synchronously agree", "[cosim]") {
  check_cosim("replicating_crossbar_sync", cosim_cycles(), synchronous);
}

TEST_CASE("crossbars in SystemC and RTL that copy agree at one input and one output", "[cosim]") {
  check_cosim("replicating_crossbar_1x1", cosim_cycles(10'000), of_1x1);
}

TEST_CASE("a flit for no output of a crossbar that copies is an error", "[cosim]") {
  const std::size_t outputs = GENERATE(std::size_t{2}, std::size_t{3});  // It has only 2.
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> valid("valid", 1), ready("ready", 1);
  sc_core::sc_vector<sc_core::sc_signal<BitSet>> sets("sets", 1);
  sc_core::sc_vector<sc_core::sc_signal<Flit>> flit("flit", 1), out_flit("out_flit", 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> out_valid("out_valid", 2), out_ready("out_ready", 2);
  pins::ReplicatingCrossbar crossbar("crossbar", 1, 2, false);
  crossbar.clk_i(clk);
  crossbar.rst_ni(rst_n);
  crossbar.in_valid_i(valid);
  crossbar.in_outputs_i(sets);
  crossbar.in_flit_i(flit);
  crossbar.in_ready_o(ready);
  crossbar.out_valid_o(out_valid);
  crossbar.out_flit_o(out_flit);
  crossbar.out_ready_i(out_ready);
  BitSet set(outputs);
  if (outputs == 3) set.set(2);
  rst_n = true;
  valid[0] = true;
  sets[0] = set;
  sc_core::sc_start(1, sc_core::SC_NS);
  clk = true;
  CHECK_THROWS_AS(sc_core::sc_start(1, sc_core::SC_NS), sc_core::sc_report);
}

TEST_CASE("lock-step finds a fault in any register bit of a crossbar that copies", "[faults]") {
  const std::vector<std::string> none;
  CHECK(unexplained(faults_not_found(asynchronous), {kRequester0IsLater}) == none);
  CHECK(unexplained(faults_not_found(synchronous), {kRequester0IsLater}) == none);
}
