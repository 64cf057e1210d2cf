// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vmulticast_crossbar_1x1.h>
#include <Vmulticast_crossbar_3x5.h>
#include <Vmulticast_crossbar_8x4.h>
// clang-format on

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "network/pins/crossbars.h"

using namespace flitcast;

namespace {

/// Flit of the RTL: 121 bits, here in words of 32 with 25 in the last.
using FlitWords = std::array<std::uint32_t, 4>;
constexpr std::size_t kFlitBits = 121;

std::size_t bits_of(std::size_t word) { return word < 3 ? 32 : kFlitBits - 3 * 32; }

FlitWords words_of(const Flit& flit) {
  return {index(flit.destination), index(flit.packet),
          flit.remaining | std::uint32_t{flit.hops} << 16,
          flit.route_field | std::uint32_t{flit.ties} << 16 | (flit.head ? 1U << 24 : 0U)};
}

Flit random_flit(std::mt19937& random) {
  Flit flit;
  flit.destination = NodeId{static_cast<std::uint32_t>(random())};
  flit.packet = PacketSlot{static_cast<std::uint32_t>(random())};
  flit.remaining = static_cast<std::uint16_t>(random());
  flit.hops = static_cast<std::uint16_t>(random());
  flit.ties = static_cast<std::uint8_t>(random());
  flit.route_field = static_cast<std::uint16_t>(random());
  flit.head = random() % 2 == 0;
  return flit;
}

/// The SystemC crossbar and its RTL on the same clock, with the same inputs.
template <class Rtl>
class Cosim {
 public:
  Cosim(std::uint32_t inputs, std::uint32_t outputs)
      : inputs_(inputs),
        outputs_(outputs),
        drivers_(outputs, inputs),
        in_valid_("in_valid", inputs),
        in_flit_("in_flit", inputs),
        config_valid_("config_valid", outputs),
        config_driver_("config_driver", outputs),
        out_valid_("out_valid", outputs),
        out_flit_("out_flit", outputs),
        model_("crossbar", inputs, outputs) {
    while ((inputs >> driver_bits_) != 0) ++driver_bits_;
    model_.clk_i(clk_);
    model_.rst_ni(rst_n_);
    model_.in_valid_i(in_valid_);
    model_.in_flit_i(in_flit_);
    model_.config_valid_i(config_valid_);
    model_.config_driver_i(config_driver_);
    model_.out_valid_o(out_valid_);
    model_.out_flit_o(out_flit_);
    drive(false);
    edge();
  }

  void drive() { drive(random_() % 1000 != 0); }

  void compare(Lockstep& lockstep) {
    for (std::uint32_t output = 0; output < outputs_; ++output) {
      lockstep.compare("out_valid_o", output, out_valid_[output].read(),
                       port_bit(rtl_->out_valid_o, output));
      const FlitWords words = words_of(out_flit_[output].read());
      for (std::size_t w = 0; w < words.size(); ++w) {
        lockstep.compare("out_flit_o", output, words[w],
                         port_bits(rtl_->out_flit_o, output * kFlitBits + 32 * w, bits_of(w)));
      }
    }
  }

  /// Runs from one falling edge of the clock to the next.
  void edge() {
    half(false);
    half(true);
    rtl_.edge();
  }

  VerilatedBench<Rtl>& rtl() { return rtl_; }

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  void drive(bool rst_n) {
    rst_n_ = rst_n;
    rtl_->rst_ni = rst_n;
    for (std::uint32_t input = 0; input < inputs_; ++input) drive_input(input);
    for (std::uint32_t output = 0; output < outputs_; ++output) drive_config(output);
    if (!rst_n) std::fill(drivers_.begin(), drivers_.end(), inputs_);
    rtl_.settle();
  }

  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  /// Sends flits only from inputs that drive an output; the value of an input without a flit must
  /// have no effect.
  void drive_input(std::uint32_t input) {
    const bool heard = std::count(drivers_.begin(), drivers_.end(), input) != 0;
    const bool valid = heard && random_() % 4 != 0;
    const Flit flit = random_flit(random_);
    in_valid_[input] = valid;
    in_flit_[input] = flit;
    set_port_bits(rtl_->in_valid_i, input, 1, valid);
    const FlitWords words = words_of(flit);
    for (std::size_t w = 0; w < words.size(); ++w) {
      set_port_bits(rtl_->in_flit_i, input * kFlitBits + 32 * w, bits_of(w), words[w]);
    }
  }

  /// Writes an output in one cycle of four: connects it to any input if idle, else releases it.
  void drive_config(std::uint32_t output) {
    const bool write = random_() % 4 == 0;
    const bool idle = drivers_[output] == inputs_;
    const auto driver = idle ? static_cast<std::uint32_t>(random_() % inputs_) : inputs_;
    config_valid_[output] = write;
    config_driver_[output] = driver;
    set_port_bits(rtl_->config_valid_i, output, 1, write);
    set_port_bits(rtl_->config_driver_i, output * driver_bits_, driver_bits_, driver);
    if (write) drivers_[output] = driver;
  }

  const std::uint32_t inputs_;
  const std::uint32_t outputs_;
  std::uint32_t driver_bits_ = 0;  // Width of one output's config_driver_i.
  std::vector<std::uint32_t> drivers_;
  std::mt19937 random_{11};

  VerilatedBench<Rtl> rtl_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Signals<bool> in_valid_;
  Signals<Flit> in_flit_;
  Signals<bool> config_valid_;
  Signals<unsigned> config_driver_;
  Signals<bool> out_valid_;
  Signals<Flit> out_flit_;
  pins::MulticastCrossbar model_;
};

auto of_3x5() { return Cosim<Vmulticast_crossbar_3x5>(3, 5); }
auto of_8x4() { return Cosim<Vmulticast_crossbar_8x4>(8, 4); }
auto of_1x1() { return Cosim<Vmulticast_crossbar_1x1>(1, 1); }

}  // namespace

TEST_CASE("the crossbars in SystemC and RTL show the same outputs in every cycle", "[cosim]") {
  check_cosim("multicast_crossbar_3x5", cosim_cycles(), of_3x5);
}

TEST_CASE("the crossbars in SystemC and RTL agree with more inputs than outputs", "[cosim]") {
  check_cosim("multicast_crossbar_8x4", cosim_cycles(10'000), of_8x4);
}

TEST_CASE("the crossbars in SystemC and RTL agree at one input and one output", "[cosim]") {
  check_cosim("multicast_crossbar_1x1", cosim_cycles(10'000), of_1x1);
}

TEST_CASE("lock-step finds a fault in any register bit of a crossbar", "[faults]") {
  CHECK(faults_not_found(of_3x5) == std::vector<std::string>{});
}
